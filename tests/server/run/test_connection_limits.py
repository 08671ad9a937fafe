"""What a connection may do before the app sees it; over a real socket, with small limits and a small app."""

import asyncio
import json
import logging
import re
import signal
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any
from unittest.mock import AsyncMock

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from tools.catalogue import ROOT

from jaipur.server.app import make_services
from jaipur.server.config import Config
from jaipur.server.edge.client_address import Proxies
from jaipur.server.edge.guard import HEADERS
from jaipur.server.edge.request_log import _Text
from jaipur.server.operate.metrics import Metrics
from jaipur.server.run import connections as connection_limits
from jaipur.server.run.connections import ConnectionLimits, LimitedProtocol
from jaipur.server.run.web_server import Server
from jaipur.table import Tables
from tests.support.program import PATIENCE
from tests.support.served import until
from tests.support.server import counting

SECONDS = 0.3
SMALL: dict[str, Any] = {
    "proxies": Proxies(),
    "head_bytes": 4096,
    "headers": 20,
    "head_seconds": SECONDS,
    "body_seconds": SECONDS,
    "stuck_seconds": SECONDS,
    "per_address": 5,
}
GET = b"GET / HTTP/1.1\r\nhost: x\r\n"
CHUNKED = b"POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n"


@dataclass
class Site:
    """A server with limits. Its app reads the body and says how long it was; `/stream` never ends."""

    port: int
    limits: ConnectionLimits
    seconds: list[float]
    """What the clock of the limits says."""

    async def pass_time(self, connections: int, begun: bool = True) -> None:
        """Once this many connections are open and, unless they say nothing, have begun a request, all are late."""
        await until(lambda: [one.begun for one in self.limits.open] == [begun] * connections)
        self.seconds[0] += 1000

    def refused(self) -> dict[str, float]:
        [counter] = self.limits.metrics.refused.collect()
        return {sample.labels["reason"]: sample.value for sample in counter.samples}

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self.port)

    async def says(self, *sent: bytes) -> bytes:
        """What comes back before the connection is closed."""
        reader, writer = await self.connect()
        for part in sent:
            writer.write(part)
            await asyncio.sleep(0)
        try:
            return await reader.read()
        except ConnectionResetError:
            return b"reset"
        finally:
            writer.close()


async def _app(scope: Scope, receive: Receive, send: Send) -> None:
    got, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        got, more = got + len(message["body"]), message["more_body"]
    await send({"type": "http.response.start", "status": 200, "headers": []})
    while scope["path"] == "/stream":
        await send({"type": "http.response.body", "body": b"x" * 1000, "more_body": True})
        await asyncio.sleep(0.001)
    await send({"type": "http.response.body", "body": b"%d" % got})


@asynccontextmanager
async def site(options: dict[str, Any]) -> AsyncIterator[Site]:
    seconds = [0.0]
    limits = ConnectionLimits(
        metrics=Metrics(), new_id=counting(lambda n: f"request{n}"), clock=lambda: seconds[0], **SMALL | options
    )
    http: Any = partial(LimitedProtocol, limits)
    settings = uvicorn.Config(_app, http=http, ws="none", lifespan="off", log_config=None, timeout_keep_alive=0)
    served = uvicorn.Server(settings)
    listening = socket.create_server(("127.0.0.1", 0))
    tasks = [asyncio.create_task(served.serve([listening])), asyncio.create_task(limits.sweep())]
    while not served.started:
        await asyncio.sleep(0.01)
    yield Site(listening.getsockname()[1], limits, seconds)
    served.should_exit = served.force_exit = True
    tasks[1].cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    listening.close()


def at_site(monkeypatch: pytest.MonkeyPatch, do: Callable[[Site], Awaitable[None]], **options: Any) -> None:
    monkeypatch.setattr(connection_limits, "_SWEEP_SECONDS", 0.02)

    async def run() -> None:
        async with asyncio.timeout(PATIENCE), site(options) as found:
            await do(found)

    asyncio.run(run())


def status(answer: bytes) -> int:
    return int(answer.split()[1])


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ([GET + b"connection: close\r\n\r\n"], 200),
        ([GET, b"connection: close\r\n", b"\r\n"], 200),
        ([b"\r\n\r\n" + GET + b"connection: close\r\n\r\n"], 200),
        ([GET + b"x: " + b"a" * 3000 + b"\r\nconnection: close\r\n\r\n"], 200),
        ([GET + b"x: " + b"a" * 5000 + b"\r\n\r\n"], 431),
        ([GET + b"x: " + b"a" * 3000, b"a" * 3000], 431),
        ([GET + b"x: aaaa\r\n" * 18 + b"connection: close\r\n\r\n"], 200),
        ([GET + b"a:b\r\n" * 21 + b"\r\n"], 431),
        ([GET + b"a:b\r\n" * 10_000], 431),
        ([b"GET /" + b"a" * 5000 + b" HTTP/1.1\r\n\r\n"], 431),
        ([b"\r\n" * 3000], 431),
        ([b"nonsense\r\n\r\n"], 400),
        ([GET], 408),
        ([b"G"], 408),
        ([b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n1234"], 408),
        ([CHUNKED + b"0\r\n" + b"a:b\r\n" * 1000], 431),
        ([CHUNKED, b"0\r\nx-a: ", *[b"a" * 1000] * 5], 431),
        ([CHUNKED, b"1\r\na\r\n0\r\nx-a: ", *[b"a" * 1000] * 5], 431),
        ([CHUNKED, b"1;x=", *[b"a" * 1000] * 5], 431),
        ([CHUNKED, *[b"2ee\r\n" + b"a" * 750 + b"\r\n"] * 9, b"0\r\nx-a: b\r\n\r\n"], 200),
    ],
)
def test_a_request_of_this_kind(monkeypatch: pytest.MonkeyPatch, sent: list[bytes], expected: int) -> None:
    """A request within the limits is answered, one beyond them is refused, and an unfinished one is not waited for."""

    async def ask(found: Site) -> None:
        asked = asyncio.create_task(found.says(*sent))
        if expected == 408:
            await found.pass_time(1)
        answer = await asked
        assert status(answer) == expected
        assert b"connection: close" in answer or expected == 200

    at_site(monkeypatch, ask)


@pytest.mark.parametrize("sent", [GET + b"x: " + b"a" * 5000, GET, b"nonsense\r\n\r\n", (GET + b"\r\n") * 1000])
def test_a_refusal_has_all_that_other_answers_have(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, sent: bytes
) -> None:
    """The usual headers, an id, and a log line with that id, whether or not the request reached the app."""
    caplog.set_level(logging.INFO, "jaipur.requests")
    texts = []
    monkeypatch.setattr(caplog.handler, "emit", lambda record: texts.append(_Text("%(message)s").format(record)))

    async def ask(found: Site) -> None:
        asked = asyncio.create_task(found.says(sent))
        if sent == GET:
            await found.pass_time(1)
        answer = await asked
        head, _end, body = answer[answer.rindex(b"HTTP/1.1") :].partition(b"\r\n\r\n")
        for name, value in HEADERS.items():
            assert f"{name}: {value}" in head.decode().splitlines()
        assert b"x-request-id: request0" in head
        assert b"cache-control: no-store" in head
        assert json.loads(body)["request"] == "request0"
        (line,) = texts
        assert re.search(rf"info \[request0 127\.0\.0\.1\] OTHER none {status(head)} in", line)

    at_site(monkeypatch, ask)


def test_a_large_body_in_one_piece_with_its_head_is_no_large_head(monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask(found: Site) -> None:
        head = b"POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 60000\r\n\r\n"
        answer = await found.says(head + b"b" * 60_000)
        assert (status(answer), answer.endswith(b"60000\r\n0\r\n\r\n")) == (200, True)

    at_site(monkeypatch, ask)


def test_connections_that_say_nothing_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def wait(found: Site) -> None:
        asked = [asyncio.create_task(found.says()) for _ in range(5)]
        await found.pass_time(5, begun=False)
        assert await asyncio.gather(*asked) == [b""] * 5
        assert not found.limits.open

    at_site(monkeypatch, wait)


def test_a_connection_is_kept_between_requests_and_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """uvicorn has a timer of its own, which fires at once here: it must not close anything."""

    async def ask(found: Site) -> None:
        reader, writer = await found.connect()
        for _ in range(3):
            writer.write(GET + b"\r\n")
            assert b"200" in await reader.readuntil(b"0\r\n\r\n")
            found.seconds[0] += SECONDS / 2
        await found.pass_time(1, begun=False)
        assert await reader.read() == b""
        writer.close()

    at_site(monkeypatch, ask)


async def crowded(found: Site, most: int, more: int) -> list[int]:
    """What connections hear that begin a request and do not end it, and then more of them, which may only listen."""
    asked = [asyncio.create_task(found.says(GET)) for _ in range(most)]
    await until(lambda: [one.begun for one in found.limits.open] == [True] * most)
    refused = await asyncio.gather(*(found.says() for _ in range(more)))
    await found.pass_time(most)
    return list(map(status, [*await asyncio.gather(*asked), *refused]))


def test_one_address_has_so_many_connections_and_a_proxy_any_number(monkeypatch: pytest.MonkeyPatch) -> None:
    async def crowd(found: Site) -> None:
        assert await crowded(found, 5, 3) == [408] * 5 + [429] * 3
        assert found.refused() == {"408": 5, "429": 3}

    async def proxy(found: Site) -> None:
        assert await crowded(found, 8, 0) == [408] * 8

    at_site(monkeypatch, crowd)
    at_site(monkeypatch, proxy, proxies=Proxies(["127.0.0.0/8"]))


def test_there_are_so_many_connections_in_all(monkeypatch: pytest.MonkeyPatch) -> None:
    async def crowd(found: Site) -> None:
        assert await crowded(found, 4, 2) == [408] * 4 + [503] * 2

    at_site(monkeypatch, crowd, in_all=4)


def test_requests_are_not_sent_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of small ones fit into one packet, and each would take up memory at once."""

    async def ahead(found: Site) -> None:
        answer = await found.says((GET + b"\r\n") * 1000)
        assert status(answer) == 429
        assert found.refused() == {"429": 1}

    at_site(monkeypatch, ahead)


def test_a_stream_lasts_while_it_is_read_and_is_cut_when_it_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    async def listen(found: Site) -> None:
        reader, writer = await found.connect()
        writer.write(b"GET /stream HTTP/1.1\r\nhost: x\r\n\r\n")
        for _read in range(50):
            assert await reader.read(10_000)
            found.seconds[0] += SECONDS / 2
        while found.limits.open:  # soon the buffers are full, and it counts as stuck
            found.seconds[0] += SECONDS
            await asyncio.sleep(0.01)
        assert found.refused() == {"stuck": 1}
        writer.close()

    at_site(monkeypatch, listen)


def test_proxies_close_their_connections_before_the_app_does() -> None:
    for example, option in (("nginx.conf", "keepalive_timeout"), ("Caddyfile", "keepalive")):
        (seconds,) = re.findall(rf"\b{option} (\d+)s", (ROOT / "deploy" / example).read_text(encoding="utf-8"))
        assert int(seconds) < ConnectionLimits.head_seconds


def test_a_server_that_is_ended_while_it_starts_ends_in_order(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    running = Server(make_services(Config(tables.store.where), tables))
    loop_factory = running.config.get_loop_factory

    def end() -> object:
        signal.raise_signal(signal.SIGTERM)
        return loop_factory()

    monkeypatch.setattr(running.config, "get_loop_factory", end)
    monkeypatch.setattr(running, "_serve", AsyncMock())
    before = signal.signal(signal.SIGTERM, lambda *_signal: sys.exit(0))
    try:
        with pytest.raises(SystemExit):
            running.run()
    finally:
        signal.signal(signal.SIGTERM, before)
    assert running.should_exit
