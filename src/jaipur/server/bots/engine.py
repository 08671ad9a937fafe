"""What thinks for the bots and the coach. This one thinks beside the event loop; `run/pool.py` has processes for it."""

import secrets
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from jaipur.server.bots.thought import think
from jaipur.threads import Threads

_T = TypeVar("_T")


class Engine:
    """Threads of its own, or the event loop itself where there are no threads."""

    def __init__(self, processes: int = 1) -> None:
        self.processes = processes
        """How much it works on at once."""
        self._threads = Threads(processes, "thought")

    async def think(self, level: str, position: str, seconds: float) -> str:
        """The move that a level chooses in a position."""
        return await self.run(partial(think, level, position, secrets.randbits(62), seconds), seconds)

    async def run(self, task: Callable[[], _T], seconds: float = 0.0) -> _T:
        """The answer to a task that takes about so many seconds."""
        return await self._threads.run(task)

    async def close(self) -> None:
        """Ends it; what it has begun may be lost."""
        await self._threads.close()
