"""Routes whose handlers may be plain functions: these run beside the event loop, through the one seam for that."""

import asyncio
from collections.abc import Callable
from typing import Any

from fastapi.routing import APIRoute

from jaipur.threads import beside


class Route(APIRoute):
    """The class of all routes; FastAPI would run plain functions in threads of its own."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        super().__init__(path, endpoint if asyncio.iscoroutinefunction(endpoint) else beside(endpoint), **options)
