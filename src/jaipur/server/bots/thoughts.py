"""Work for the engine, in one fair queue: what a bot has to think about, and what the coach is asked."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar

from jaipur.server.bots.engine import Engine
from jaipur.server.bots.work_queue import Waiting, Work

_T = TypeVar("_T")


class Thoughts:
    """Hands the engine no more than it can work on: as many tasks run `work` as it has processes."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.waiting = Waiting()
        self._jobs: dict[str, Callable[[], Awaitable[None]]] = {}

    def put(self, key: str, work: Work, job: Callable[[], Awaitable[None]]) -> None:
        """Adds a job under a key that is not waiting yet."""
        self._jobs[key] = job
        self.waiting.put(key, work)

    async def work(self) -> None:
        """Does one job after another."""
        while True:
            key, _work = await self.waiting.take()
            await self._jobs.pop(key)()

    async def compute(self, key: str, work: Work, task: Callable[..., _T], *arguments: object) -> _T:
        """Has the engine compute something when its turn comes; the key must be unique."""
        done: asyncio.Future[_T] = asyncio.get_running_loop().create_future()
        self.put(key, work, partial(self._answer, partial(task, *arguments), done))
        try:
            return await done
        finally:
            if self._jobs.pop(key, None) is not None:  # the caller has stopped waiting
                self.waiting.queue.remove(key)

    async def _answer(self, task: Callable[[], _T], done: asyncio.Future[_T]) -> None:
        if done.done():
            return
        try:
            answer = await self.engine.run(task)
        except Exception as error:  # passed on to the caller
            settle = partial(done.set_exception, error)
        else:
            settle = partial(done.set_result, answer)
        if not done.done():
            settle()
