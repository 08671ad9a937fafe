"""One log line per request, with an id that errors show. It names only the route: an address may hold a secret."""

import json
import logging
import sys
import time
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jaipur.server.config import Log
from jaipur.server.edge.client_address import asking
from jaipur.server.operate.metrics import Metrics

request_id: ContextVar[str] = ContextVar("request_id", default="")
_log = logging.getLogger("jaipur.requests")
_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
_STATIC = "/static"


class RequestLog:
    """Middleware around all others: counts and logs what they answer."""

    def __init__(self, app: ASGIApp, metrics: Metrics, new_id: Callable[[], str]) -> None:
        self.app = app
        self.metrics = metrics
        self.new_id = new_id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on. It is logged when the answer begins: nobody knows when a stream will end."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request_id.set(self.new_id())
        began = time.perf_counter()

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], (b"x-request-id", request_id.get().encode())]
                method = scope["method"] if scope["method"] in _METHODS else "OTHER"
                route, status, seconds = _route_of(scope), message["status"], time.perf_counter() - began
                self.metrics.requests.labels(method, route, status).inc()
                self.metrics.seconds.labels(route).observe(seconds)
                _note(request_id.get(), asking.get(), method, route, status, seconds)
            await send(message)

        await self.app(scope, receive, sent)


def _route_of(scope: Scope) -> str:
    """The pattern of the requested address, like `/game/{game}`."""
    if route := scope.get("route"):
        return str(route.path)
    return _STATIC if scope["path"].startswith(_STATIC) else "none"


def note_refusal(request: str, address: str, status: int) -> None:
    """Logs a request that the app never hears of. None of it is trusted, so the line has no method and no route."""
    _note(request, address, "OTHER", "none", status, 0.0)


def _note(request: str, address: str, method: str, route: str, status: int, seconds: float) -> None:
    if _log.isEnabledFor(logging.INFO):
        fields = {"method": method, "route": route, "status": status, "ms": round(1000 * seconds, 1)}
        extra = {"request": request, "fields": fields | {"address": address}}
        _log.info("%s %s %d in %.1f ms", *fields.values(), extra=extra)


def _request(record: logging.LogRecord) -> str:
    return getattr(record, "request", request_id.get())


class _Text(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        address = getattr(record, "fields", {}).get("address")
        mark = " ".join(filter(None, (_request(record), address)))
        return f"{_time(record)} {record.levelname.lower()} {f'[{mark}] ' if mark else ''}{super().format(record)}"


class _Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {"time": _time(record), "level": record.levelname.lower(), "logger": record.name}
        if request := _request(record):
            line["request"] = request
        line |= getattr(record, "fields", {"message": record.getMessage().strip()})
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line)


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


def set_up_logging(kind: Log) -> None:
    """Sends the log to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Json() if kind is Log.JSON else _Text("%(message)s"))
    for name in ("jaipur", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.WARNING)
    _log.setLevel(logging.WARNING if kind is Log.FAULTS else logging.INFO)
