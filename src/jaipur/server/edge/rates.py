"""How often a client may ask, and how much at once: token buckets for recent clients, and turns for long tasks."""

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar
from weakref import WeakValueDictionary

from cachetools import LRUCache

from jaipur.store import Busy
from jaipur.store.writing import write_queue
from jaipur.threads import Threads

_REMEMBERED = 10_000
_T = TypeVar("_T")


class Limit:
    """Allows `rate` requests a second for each client, and `burst` at once."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate = rate
        self.burst = burst
        self._buckets: LRUCache[str, tuple[float, float]] = LRUCache(_REMEMBERED)

    def seconds_to_wait(self, client: str) -> float:
        """Takes a token from the client's bucket: 0, or the seconds until there is one again."""
        if not self.rate:
            return 0.0
        now = time.monotonic()
        left, at = self._buckets.get(client, (self.burst, now))
        left = min(self.burst, left + (now - at) * self.rate)
        allowed = left >= 1
        self._buckets[client] = (left - 1 if allowed else left, now)
        return 0.0 if allowed else (1 - left) / self.rate


class OneEach:
    """Runs long tasks in threads of its own, one at a time for each client.

    So a client that asks for a lot waits only for itself, and the shared threads stay free for the others.
    """

    def __init__(self, threads: int) -> None:
        self._threads = Threads(threads, "one-each")
        self._turns: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    async def run(self, client: str, task: Callable[[], _T], waits: bool = True) -> _T:
        """Runs a task when it is the client's turn. Raises `Busy` after a long wait, or at once unless `waits`."""
        turn = self._turns.setdefault(client, asyncio.Semaphore(1))
        try:
            async with asyncio.timeout(write_queue.PATIENCE if waits else 0):
                await turn.acquire()
        except TimeoutError as error:
            raise Busy from error
        try:
            return await self._threads.run(task)
        finally:
            turn.release()
