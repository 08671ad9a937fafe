"""Records that people send are read one at a time: to read one is to play a match, and others want to play theirs."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from jaipur.server.errors import TooManyUploads

_PATIENCE_SECONDS = 10.0
_T = TypeVar("_T")


class Uploads:
    """The queue of those whose records wait to be read."""

    def __init__(self) -> None:
        self._turn = asyncio.Semaphore(1)

    async def read(self, task: Callable[[], _T]) -> _T:
        """Does it in a thread, when it is its turn; whoever would wait for long is told to come again."""
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                await self._turn.acquire()
        except TimeoutError as error:
            raise TooManyUploads from error
        try:
            return await asyncio.to_thread(task)
        finally:
            self._turn.release()
