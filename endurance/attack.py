"""Attacks on our own server on this machine: what they cost it, and what an innocent client notices.

Everything is bounded in number and time, and stays on loopback.
"""

import asyncio
import contextlib
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from endurance.growth.games import endless_match
from endurance.support.servers import memory_mb
from jaipur.bench.load import Wire
from jaipur.bench.server import at_server
from jaipur.match import MOST_PLIES
from jaipur.record import MOST_BYTES, Record

_HEAD = b"GET / HTTP/1.1\r\nhost: localhost\r\n"
_FORM = b"POST %s HTTP/1.1\r\nhost: localhost\r\nsec-fetch-site: same-origin\r\n"
_TRAILER = _FORM % b"/games" + b"transfer-encoding: chunked\r\n\r\n0\r\nX-A: "
COOKIE = _HEAD + b'connection: close\r\ncookie: a="' + b"\\" * 15_900 + b'"\r\n\r\n'
_PIECE = 65_536
_SLOW, _IDLE, _COOKIES, _UPLOADS, _MATCHES = 400, 300, 20, 20, 60
_ELSEWHERE = "127.0.0.2"
"""Another address of this machine, for clients that do nothing wrong."""
_UPLOADER = "127.0.0.3"
"""And one more, because uploads use up the new games that an address may have."""
_ASK_SECONDS = 0.05
_MOST_SECONDS = 60.0
"""No single attack lasts longer, whatever the server does."""


@dataclass
class Innocent:
    """A client that just asks for the API document, again and again. Times are in milliseconds."""

    port: int
    waits: list[float] = field(default_factory=list)

    @asynccontextmanager
    async def asking(self) -> AsyncIterator[None]:
        """Asks for as long as the block lasts."""
        task = asyncio.create_task(self._ask())
        yield
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task

    async def _ask(self) -> None:
        wire = Wire(self.port, _ELSEWHERE)
        try:
            while True:
                began = time.perf_counter()
                await wire.ask("GET", "/api/openapi.json")
                self.waits.append(1000 * (time.perf_counter() - began))
                await asyncio.sleep(_ASK_SECONDS)
        finally:
            await wire.close()


async def send_without_end(port: int, piece: bytes, megabytes: int, head: bytes = _HEAD) -> int:
    """Sends the head of a request and then one piece again and again; returns how many bytes the server took."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    taken = 0
    with contextlib.suppress(OSError):
        writer.write(head)
        while taken < megabytes * 1_000_000 and not (reader.at_eof() or writer.is_closing()):
            writer.write(piece)
            await writer.drain()
            taken += len(piece)
    writer.close()
    with contextlib.suppress(OSError):
        await writer.wait_closed()
    return taken


async def hold(port: int, connections: int, first: bytes, drip: bytes, seconds: float) -> None:
    """Opens connections and sends nothing, or a byte now and then, until the server has cut them all."""

    async def one() -> None:
        with contextlib.suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(first)
            while not (reader.at_eof() or writer.is_closing()):
                writer.write(drip)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(reader.read(1000), 0.5)
            writer.close()
            await writer.wait_closed()

    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(asyncio.gather(*(one() for _ in range(connections))), seconds)


async def send_at_once(port: int, requests: list[bytes], source: str = "127.0.0.1") -> list[int]:
    """Sends each request on its own connection; returns the statuses of the answers, 0 where there was none."""

    async def one(request: bytes) -> int:
        with contextlib.suppress(OSError, IndexError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
            writer.write(request)
            answer = await reader.read()
            writer.close()
            await writer.wait_closed()
            return int(answer.split()[1])
        return 0

    async with asyncio.timeout(_MOST_SECONDS):
        return await asyncio.gather(*map(one, requests))


def _upload(text: bytes) -> bytes:
    body = b'--x\r\ncontent-disposition: form-data; name="record"; filename="a"\r\n\r\n' + text + b"\r\n--x--\r\n"
    kind = b"connection: close\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: %d\r\n\r\n"
    return _FORM % b"/records" + kind % len(body) + body


def uploads(number: int) -> list[bytes]:
    """Files of nothing but short lines, and the longest matches that can be read: cards exchanged back and forth."""
    longest = str(Record(endless_match(MOST_PLIES))).encode()
    return [_upload(b"a\n" * (MOST_BYTES // 2)), _upload(longest)] * number


_LINE = b"X-A: " + b"a" * 60_000 + b"\r\n"
FLOODS = {
    "long_lines": (_LINE, 300, _HEAD),
    "many_lines": (b"a:b\r\n" * 10_000, 20, _HEAD),
    "one_line": (b"a" * _PIECE, 100, _HEAD),
    "trailer": (b"a" * _PIECE, 100, _TRAILER),
    "requests_ahead": ((b"\r\n" + _HEAD) * 1000, 20, _HEAD),
}
"""What is sent again and again, how many megabytes of it at most, and after what."""


def _flood(piece: bytes, megabytes: int, head: bytes) -> Callable[[int], Awaitable[object]]:
    return lambda port: send_without_end(port, piece, megabytes, head)


ATTACKS: dict[str, Callable[[int], Awaitable[object]]] = {
    **{name: _flood(*flood) for name, flood in FLOODS.items()},
    "cookies": lambda port: send_at_once(port, [COOKIE] * _COOKIES),
    "uploads": lambda port: send_at_once(port, uploads(_UPLOADS), _UPLOADER),
    "slow": lambda port: hold(port, _SLOW, _HEAD, b"a", _MOST_SECONDS),
    "idle": lambda port: hold(port, _IDLE, b"", b"", _MOST_SECONDS),
}


async def attack(port: int, pid: int, names: list[str]) -> dict[str, object]:
    """For each attack, the peak memory above idle in MB, and the longest wait of an innocent client."""
    wire = Wire(port)
    await wire.ask("GET", "/api/openapi.json")  # so that everything made only once exists already
    await wire.close()
    figures: dict[str, object] = {"memory_when_idle": memory_mb(pid)}
    for name in names:
        before, highest = memory_mb(pid), 0.0
        innocent = Innocent(port)
        async with innocent.asking():
            attacking = asyncio.ensure_future(ATTACKS[name](port))
            while not attacking.done():
                highest = max(highest, memory_mb(pid) - before)
                await asyncio.wait([attacking], timeout=0.1)
            await asyncio.sleep(2 * _ASK_SECONDS)
        figures |= {f"{name}_mb": highest, f"{name}_worst_ms": max(innocent.waits)}
    return figures


async def matches_for_nobody(port: int, matches: int, answers: int) -> list[float]:
    """The seconds that a person's trader takes to answer while viziers play matches and somebody listens to each."""
    wire, person = Wire(port), Wire(port, _ELSEWHERE)
    listeners = []
    for _match in range(matches):
        made = await wire.ask("POST", "/api/games", body={"kind": "watch", "level": "vizier", "level2": "vizier"})
        stream = Wire(port).lines(f"/api/games/{made['game']}/events", str(made["token"]), lambda _event: None)
        listeners.append(asyncio.create_task(stream))
    try:
        return await _answers(person, answers)
    finally:
        await wire.close()
        await person.close()
        for listener in listeners:
            listener.cancel()
        await asyncio.gather(*listeners, return_exceptions=True)


async def _answers(wire: Wire, number: int) -> list[float]:
    made = await wire.ask("POST", "/api/games", body={"kind": "bot", "level": "trader"})
    game, token = f"/api/games/{made['game']}", str(made["token"])
    waits: list[float] = []
    began = time.perf_counter()
    while len(waits) < number:
        view = await wire.ask("GET", game, token)
        if view["status"] == "sheet":
            await wire.ask("POST", f"{game}/ready", token)
        elif view["status"] == "over":
            break
        elif view["turn"] == view["seat"]:
            waits.append(time.perf_counter() - began)
            await wire.ask("POST", f"{game}/moves", token, {"move": view["legal"][0], "ply": view["ply"]})
            began = time.perf_counter()
        await asyncio.sleep(_ASK_SECONDS)
    return waits[1:]


def measure(_seconds: float) -> dict[str, object]:
    """All attacks, one after the other, on a server with default settings, for as long as it takes."""
    with tempfile.TemporaryDirectory() as folder:
        return at_server(str(Path(folder) / "games.sqlite3"), _measure)


async def _measure(port: int, pid: int) -> dict[str, object]:
    figures = await attack(port, pid, list(ATTACKS))
    waits = await matches_for_nobody(port, _MATCHES, 21)
    return figures | {"matches": _MATCHES, "trader_answers": len(waits), "trader_worst_s": max(waits)}
