"""What a connection may do before the app hears of it: how much, how long, and how many from one address.

uvicorn's protocol reads headers without limit and waits for them forever. This one counts and sets deadlines. One sweep
a second checks all connections, so that no request needs a timer of its own. An event stream has no deadline as long as
its client keeps reading.
"""

import asyncio
import json
import math
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from jaipur.server.edge.client_address import Proxies, address_group
from jaipur.server.edge.guard import ALWAYS
from jaipur.server.edge.request_log import note_refusal
from jaipur.server.operate.metrics import Metrics

_SWEEP_SECONDS = 1.0
_LATER = {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE}
_SENTENCES = {
    400: "The request cannot be read.",
    408: "The request took too long.",
    429: "Too many connections from your address: close some, or wait.",
    431: "The headers of the request are too large.",
    503: "The server has too many connections: try again soon.",
}
"""In English: without a request, the language is not known."""


@dataclass(frozen=True)
class Bounds:
    """The limits of one connection, of one address and of all together; 0 per address means no limit."""

    head_bytes: int = 16_384
    headers: int = 100
    pipelined: int = 8
    """How many requests may be sent ahead of their answers."""
    head_seconds: float = 10.0
    body_seconds: float = 30.0
    stuck_seconds: float = 30.0
    """How long an answer may wait for a client that does not read."""
    per_address: int = 200
    in_all: int = 4000


@dataclass
class ConnectionLimits:
    """The connections of a server."""

    bounds: Bounds
    proxies: Proxies
    metrics: Metrics
    new_id: Callable[[], str]
    clock: Callable[[], float] = time.monotonic
    open: set["LimitedProtocol"] = field(default_factory=set)
    addresses: Counter[str] = field(default_factory=Counter)

    def let_in(self, connection: "LimitedProtocol") -> int:
        """0, or the status with which a connection is refused. The limit per address does not apply to proxies."""
        group = connection.group
        if len(self.open) >= self.bounds.in_all:
            return HTTPStatus.SERVICE_UNAVAILABLE
        if self.bounds.per_address and group and self.addresses[group] >= self.bounds.per_address:
            return HTTPStatus.TOO_MANY_REQUESTS
        self.open.add(connection)
        self.addresses[group] += 1
        return 0

    def gone(self, connection: "LimitedProtocol") -> None:
        """A connection has ended."""
        if connection in self.open:
            self.open.discard(connection)
            self.addresses[connection.group] -= 1
            if not self.addresses[connection.group]:
                del self.addresses[connection.group]

    async def sweep(self) -> None:
        """Cuts off late connections, for as long as the server runs."""
        while True:
            await asyncio.sleep(_SWEEP_SECONDS)
            now = self.clock()
            for connection in [late for late in self.open if late.deadline < now]:
                connection.cut()


class _Stop(Exception):
    """Raised inside the parser, so that it reads no further."""


class LimitedProtocol(HttpToolsProtocol):
    """One connection. It is cut off at `deadline`, unless something happens first."""

    limits: ConnectionLimits

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.group = ""
        self.begun = False
        """Whether a request is being read, rather than awaited."""
        self.unread = 0
        """Bytes since the parser last completed something, such as a head: it buffers an endless line whole."""
        self.head = 0
        self.fault = 0
        self.running: RequestResponseCycle | None = None
        """The request that the app is working on; `cycle` is the last one that arrived."""
        self.deadline = self.limits.clock() + self.limits.bounds.head_seconds

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Counts it, or refuses it."""
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        self.group = "" if address in self.limits.proxies else address_group(address)
        status = self.limits.let_in(self)
        if status:
            self.refuse(status)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forgets it."""
        self.limits.gone(self)
        self._leave()
        super().connection_lost(exc)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self.running = cycle
        super()._start_asgi_task(cycle, app)

    def _leave(self) -> None:
        """The client has gone: the app is told, and whatever it still sends is dropped."""
        if self.running is not None and not self.running.response_complete:
            self.running.disconnected = True
            self.running.message_event.set()

    def data_received(self, data: bytes) -> None:
        """Reads on. Everything but the body is counted here; the app, which reads the body, limits it."""
        if self.transport.is_closing():
            return
        self._unset_keepalive_if_required()
        self.unread += len(data)
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            pass  # a request to change the protocol may be ignored
        except httptools.HttpParserError:
            self.refuse(self.fault or 400)
        if self.unread > self.limits.bounds.head_bytes:
            self.refuse(431)

    def _stop(self, status: int) -> None:
        self.fault = status
        raise _Stop

    def on_message_begin(self) -> None:
        """A request begins. The time for its head has been running since the connection or the previous answer."""
        super().on_message_begin()
        self.begun = True

    def on_url(self, url: bytes) -> None:
        """Counts the length of the address."""
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Counts headers, including the trailers of a chunked body."""
        self._count(len(name) + len(value) + 4)
        if len(self.headers) >= self.limits.bounds.headers:
            self._stop(431)
        super().on_header(name, value)

    def _count(self, length: int) -> None:
        self.head += length
        if self.head > self.limits.bounds.head_bytes:
            self._stop(431)

    def on_headers_complete(self) -> None:
        """The app hears of the request; the body has a deadline of its own."""
        if len(self.pipeline) >= self.limits.bounds.pipelined:
            self._stop(429)
        self.unread = 0
        self.deadline = self.limits.clock() + self.limits.bounds.body_seconds
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Passes a piece on. Between chunks and after the last one, there may be lines to count again."""
        self.unread = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is complete: the answer may take as long as it needs."""
        super().on_message_complete()
        self.begun = False
        self.unread = self.head = 0
        self._wait()

    def on_response_complete(self) -> None:
        """The time for the next request starts now."""
        super().on_response_complete()
        self._wait()

    def _wait(self) -> None:
        """Sets the deadline for what comes next: the app's answer, a client that reads on, or the next request."""
        bounds = self.limits.bounds
        if self.flow.write_paused:
            self.deadline = self.limits.clock() + bounds.stuck_seconds
        elif self._answered:
            self.deadline = self.limits.clock() + bounds.head_seconds
        else:
            self.deadline = math.inf

    @property
    def _answered(self) -> bool:
        return not self.pipeline and (self.running is None or self.running.response_complete)

    def pause_writing(self) -> None:
        """The client has stopped reading."""
        super().pause_writing()
        self._wait()

    def resume_writing(self) -> None:
        """The client is reading again."""
        super().resume_writing()
        self._wait()

    def cut(self) -> None:
        """Too late: says so, unless no request has begun or the client does not read."""
        if self.transport.is_closing() or self.flow.write_paused:
            self.limits.metrics.refused.labels("stuck").inc()
            self._leave()
            self.transport.abort()
        elif self._answered and not self.begun:
            self.limits.metrics.refused.labels("idle").inc()
            self.transport.close()
        else:
            self.refuse(408)

    def refuse(self, status: int) -> None:
        """Answers without the app, and closes. If an answer has begun already, it is cut off instead."""
        if self.transport.is_closing():
            return
        self.limits.metrics.refused.labels(status).inc()
        self.deadline = self.limits.clock() + self.limits.bounds.head_seconds
        self._leave()
        if self.running is not None and self.running.response_started and not self.running.response_complete:
            self.transport.abort()
            return
        request = self.limits.new_id()
        note_refusal(request, address_group(self.client[0]) if self.client else "", status)
        self.transport.write(_refusal(status, request))
        self.transport.close()


def _refusal(status: int, request: str) -> bytes:
    """An answer with all the headers that the app's answers have."""
    body = json.dumps({"error": _SENTENCES[status], "request": request}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
        (b"x-request-id", request.encode()),
        *([(b"retry-after", b"5")] if status in _LATER else []),
        *ALWAYS,
    ]
    first = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}".encode()
    return b"\r\n".join([first, *(name + b": " + value for name, value in headers), b"", body])


def protocol_of(limits: ConnectionLimits) -> type[LimitedProtocol]:
    """The protocol class for one server: uvicorn creates its protocols itself, and accepts only a class."""
    return type("_Protocol", (LimitedProtocol,), {"limits": limits})
