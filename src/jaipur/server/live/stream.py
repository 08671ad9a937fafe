"""Server-sent events: an event as text, encoded once for all listeners, and the response that carries them."""

import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import lru_cache
from typing import Any

from starlette.responses import Response, StreamingResponse
from starlette.types import Send

from jaipur.server.live.hub import STILL_HERE
from jaipur.store import Event

_KEPT_LINES = 1024

DOCUMENTED: dict[str, Any] = {
    "response_class": Response,
    "responses": {
        200: {
            "content": {
                "text/event-stream": {
                    "itemSchema": {
                        "type": "object",
                        "properties": {name: {"type": "string"} for name in ("data", "event", "id")},
                    }
                }
            }
        }
    },
}
"""What the API document says about a route that answers with a stream."""


class EventStream(StreamingResponse):
    """A long-lived answer. Proxies are told not to buffer it."""

    media_type = "text/event-stream"

    def __init__(self, lines: AsyncGenerator[bytes]) -> None:
        super().__init__(lines, headers={"cache-control": "no-cache", "x-accel-buffering": "no"})
        self._lines = lines

    async def stream_response(self, send: Send) -> None:
        """Forgets a listener at once, even one who leaves while something is being sent."""
        async with aclosing(self._lines):
            await super().stream_response(send)


@lru_cache(_KEPT_LINES)
def line_of(event: Event) -> bytes:
    """An event as text. It holds nothing that a spectator may not know, so it is the same for everybody."""
    if event is STILL_HERE:
        return b": ping\n\n"
    if event.number:
        fields = {"number": event.number, "kind": event.kind, "seat": event.seat, "text": event.text}
        return f"data: {json.dumps(fields)}\nid: {event.number}\n\n".encode()
    fields = {"seat": event.seat, "text": event.text}
    return f"event: {event.kind}\ndata: {json.dumps(fields)}\n\n".encode()
