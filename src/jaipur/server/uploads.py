"""Uploaded records are read one at a time: reading one replays a whole match, and would hold up other games."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from jaipur.server.errors import TooManyUploads

_PATIENCE_SECONDS = 10.0
_T = TypeVar("_T")


class Uploads:
    """The queue of records that wait to be read."""

    def __init__(self) -> None:
        self._turn = asyncio.Semaphore(1)

    async def read(self, task: Callable[[], _T]) -> _T:
        """Runs the task in a thread when its turn comes; raises `TooManyUploads` if that takes too long."""
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                await self._turn.acquire()
        except TimeoutError as error:
            raise TooManyUploads from error
        try:
            return await asyncio.to_thread(task)
        finally:
            self._turn.release()
