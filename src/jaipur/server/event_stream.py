"""Server-sent events: an event as text, written once for all who hear it, and the answer that carries them."""

import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import lru_cache
from typing import Any

from starlette.responses import Response, StreamingResponse
from starlette.types import Send

from jaipur.server.hub import STILL_HERE
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
"""What the document of the API says about a route whose answer is a stream."""


class EventStream(StreamingResponse):
    """An answer that lasts. Proxies are told to pass it on at once."""

    media_type = "text/event-stream"

    def __init__(self, lines: AsyncGenerator[bytes]) -> None:
        super().__init__(lines, headers={"cache-control": "no-cache", "x-accel-buffering": "no"})
        self._lines = lines

    async def stream_response(self, send: Send) -> None:
        """Whoever leaves while something is sent to them is forgotten at once, too."""
        async with aclosing(self._lines):
            await super().stream_response(send)


@lru_cache(_KEPT_LINES)
def line_of(event: Event) -> bytes:
    """What is told of an event: nothing that a spectator may not know, so it is the same for everybody."""
    if event is STILL_HERE:
        return b": ping\n\n"
    if event.number:
        told = {"number": event.number, "kind": event.kind, "seat": event.seat, "text": event.text}
        return f"data: {json.dumps(told)}\nid: {event.number}\n\n".encode()
    told = {"seat": event.seat, "text": event.text}
    return f"event: {event.kind}\ndata: {json.dumps(told)}\n\n".encode()
