"""What a connection may do before the app hears of it: how much, how long, and how many from one address.

uvicorn's protocol reads headers without limit and waits for them forever. This one counts and sets deadlines. One sweep
a second checks all connections, so that no request needs a timer of its own. An event stream has no deadline as long as
its client keeps reading.
"""

import asyncio
import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from jaipur.server.edge.client_address import Proxies, address_group
from jaipur.server.edge.guard import ALWAYS
from jaipur.server.edge.request_log import note_refusal
from jaipur.server.operate.metrics import Metrics

_SWEEP_SECONDS = 1.0
_LATER = {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE}
_SENTENCES = {
    400: "The request cannot be read.",
    408: "The request took too long.",
    429: "Too many connections from your address, or a request before the last one was answered: wait, then try again.",
    431: "The headers of the request are too large.",
    503: "The server has too many connections: try again soon.",
}
"""In English: without a request, the language is not known."""


@dataclass
class ConnectionLimits:
    """The connections of a server, and their limits: of each one, of one address and of all together."""

    proxies: Proxies
    metrics: Metrics
    new_id: Callable[[], str]
    clock: Callable[[], float] = time.monotonic
    head_bytes: int = 16_384
    headers: int = 100
    head_seconds: float = 10.0
    body_seconds: float = 30.0
    stuck_seconds: float = 30.0
    """How long an answer may wait for a client that does not read."""
    per_address: int = 200
    in_all: int = 4000
    open: set["LimitedProtocol"] = field(default_factory=set)

    def excess(self, group: str, address: str) -> int:
        """0, or the status with which one more connection is refused. The limit per address is not for proxies."""
        if len(self.open) >= self.in_all:
            return HTTPStatus.SERVICE_UNAVAILABLE
        crowded = sum(connection.group == group for connection in self.open) >= self.per_address
        return HTTPStatus.TOO_MANY_REQUESTS if crowded and address not in self.proxies else 0

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

    def __init__(self, limits: ConnectionLimits, **options: Any) -> None:
        super().__init__(**options)
        self.limits = limits
        self.group = ""
        self.begun = False
        """Whether a request is being read, rather than awaited."""
        self.answered = True
        """Whether all requests whose heads are complete have been answered."""
        self.unread = 0
        """Bytes since the parser last completed something, such as a head: it buffers an endless line whole."""
        self.deadline = self._in(limits.head_seconds)

    def _in(self, seconds: float) -> float:
        return self.limits.clock() + seconds

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Counts it, or refuses it."""
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        self.group = address_group(address)
        if status := self.limits.excess(self.group, address):
            self.refuse(status)
        else:
            self.limits.open.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forgets it."""
        self.limits.open.discard(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Reads on. Everything but the body is counted here; the app, which reads the body, limits it."""
        if self.transport.is_closing():
            return
        self.unread += len(data)
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            pass  # a request to change the protocol may be ignored
        except httptools.HttpParserError:
            self.refuse(400)
        if self.unread > self.limits.head_bytes:
            self.refuse(431)

    def _stop(self, status: int) -> None:
        self.refuse(status)
        raise _Stop

    def on_message_begin(self) -> None:
        """A request begins. The time for its head has been running since the connection or the previous answer."""
        super().on_message_begin()
        self.begun = True

    def on_header(self, name: bytes, value: bytes) -> None:
        """Counts headers, including the trailers of a chunked body."""
        if len(self.headers) >= self.limits.headers:
            self._stop(431)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """The app hears of the request, which may not be sent ahead of an answer; the body has its own deadline."""
        if len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > self.limits.head_bytes:
            self._stop(431)
        if not self.answered:
            self._stop(429)
        self.answered = False
        self.unread = 0
        self.deadline = self._in(self.limits.body_seconds)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Passes a piece on. Between chunks and after the last one, there may be lines to count again."""
        self.unread = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is complete: the answer may take as long as it needs."""
        super().on_message_complete()
        self.begun = False
        self.unread = 0
        self._wait()

    def on_response_complete(self) -> None:
        """The time for the next request starts now."""
        super().on_response_complete()
        self.answered = True
        self._wait()

    def timeout_keep_alive_handler(self) -> None:
        """Does nothing: uvicorn would close idle connections here, which the sweep does."""

    def _wait(self) -> None:
        """Sets the deadline for what comes next: the app's answer, a client that reads on, or the next request."""
        if self.flow.write_paused:
            self.deadline = self._in(self.limits.stuck_seconds)
        else:
            self.deadline = self._in(self.limits.head_seconds) if self.answered else math.inf

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
            self.transport.abort()
        elif self.answered and not self.begun:
            self.limits.metrics.refused.labels("idle").inc()
            self.transport.close()
        else:
            self.refuse(408)

    def refuse(self, status: int) -> None:
        """Answers without the app, and closes. If an answer has begun already, it is cut off instead."""
        if self.transport.is_closing():
            return
        self.limits.metrics.refused.labels(status).inc()
        self.deadline = self._in(self.limits.head_seconds)
        if not self.answered and self.cycle.response_started:
            self.transport.abort()
            return
        request = self.limits.new_id()
        note_refusal(request, self.group, status)
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
