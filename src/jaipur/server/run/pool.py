"""The processes in which bots think. If one dies or hangs, all are replaced, and a simpler bot plays the move."""

import asyncio
import logging
import secrets
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from typing import TypeVar

from jaipur.processes import end_pool, pool_of
from jaipur.server.bots.engine import Engine
from jaipur.server.bots.thought import think
from jaipur.threads import in_thread

_log = logging.getLogger(__name__)
_T = TypeVar("_T")
_GRACE = 20.0
"""Seconds beyond its budget after which a worker counts as hung."""
_NICER = 5
_STAND_IN = "trader"
"""The level that plays when a worker has failed: it hardly needs any time."""


class ThinkingPool(Engine):
    """A number of processes, none of which starts before there is work."""

    def __init__(self, processes: int) -> None:
        super().__init__(processes)
        self._pool = pool_of(processes, _NICER)

    async def think(self, level: str, position: str, seconds: float) -> str:
        """The move that a level chooses in a position."""
        try:
            return await super().think(level, position, seconds)
        except (TimeoutError, BrokenExecutor):
            _log.warning("A bot worker (%s) died or took too long and is replaced.", level)
        return await in_thread(think, _STAND_IN, position, secrets.randbits(62), seconds)

    async def run(self, task: Callable[[], _T], seconds: float = 0.0) -> _T:
        """The answer of a process. If it dies or hangs, all processes are replaced and the error is raised."""
        pool = self._pool
        try:
            answer = asyncio.get_running_loop().run_in_executor(pool, task)
            return await asyncio.wait_for(answer, seconds + _GRACE)
        except (TimeoutError, BrokenExecutor):
            if self._pool is pool:
                end_pool(pool)
                self._pool = pool_of(self.processes, _NICER)
            raise

    async def close(self) -> None:
        """Ends the processes at once."""
        end_pool(self._pool)
