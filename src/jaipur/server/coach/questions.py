"""Questions to the coach: answered by the bot workers of this process, or of another one on the same database."""

import asyncio
import logging
import secrets
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from functools import cache
from typing import Any, TypeVar, get_type_hints
from weakref import WeakValueDictionary

from pydantic import TypeAdapter

from jaipur.rules.errors import JaipurError
from jaipur.server.bots.scheduler import BotWorkers
from jaipur.server.bots.work_queue import Rank, Work
from jaipur.server.coach.jobs import advice_for, doubt_about, tried, values_of
from jaipur.server.live.messages import CoachAnswer, CoachQuestion
from jaipur.server.many.relay import Relay
from jaipur.server.tasks import BackgroundTasks

_T = TypeVar("_T")
_TASKS: dict[str, Callable[..., Any]] = {task.__name__: task for task in (advice_for, doubt_about, tried, values_of)}
_SECONDS = 0.2
_PATIENCE = 10.0
"""Seconds after which nobody is waiting for an answer any more."""
_log = logging.getLogger(__name__)


class Questions:
    """Has positions judged. A process that serves no bots sends the others a notice, and one of them answers likewise.

    If a notice is lost, the question gets no answer: whoever asked gives up after a few seconds and may ask again.
    """

    def __init__(self, workers: BotWorkers, relay: Relay) -> None:
        self.workers = workers
        self.relay = relay
        self._asked: dict[str, asyncio.Future[Any]] = {}
        self._tasks = BackgroundTasks()
        self._turns: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        relay.on(CoachQuestion, self._on_question)
        relay.on(CoachAnswer, self._on_answer)

    async def start(self) -> None:
        """There is nothing to start: the relay brings questions of other processes."""

    async def ask(self, owner: str, task: Callable[..., _T], *about: str) -> _T:
        """The result of a task from `jobs`, given its texts."""
        key = secrets.token_hex(8)
        if self.workers.processes or not self.relay.shared:
            return await self._judge(key, owner, task, *about)
        answer = self._asked[key] = asyncio.get_running_loop().create_future()
        self.relay.tell(CoachQuestion(key, owner, task.__name__, list(about)))
        try:
            found: _T = _form(task).validate_python(await answer)
            return found
        finally:
            del self._asked[key]

    async def _judge(self, key: str, owner: str, task: Callable[..., _T], *about: str) -> _T:
        """Has it judged among the moves that players wait for, whose queue is fair to all owners.

        Reviews have a lower rank, so no owner may ask so much that the queue never runs out of questions.
        """
        async with self._turns.setdefault(owner, asyncio.Semaphore(max(1, self.workers.processes - 1))):
            return await self.workers.compute(f"question {key}", Work(Rank.PERSON, owner, _SECONDS), task, *about)

    def _on_answer(self, message: CoachAnswer) -> None:
        answer = self._asked.get(message.key)
        if answer is not None and not answer.done():
            answer.set_result(message.answer)

    def _on_question(self, message: CoachQuestion) -> None:
        """Another process asks."""
        if self.workers.processes and message.task in _TASKS:
            self._tasks.spawn(self._answer(message.key, message.owner, _TASKS[message.task], message.about))

    async def _answer(self, key: str, owner: str, task: Callable[..., Any], about: list[str]) -> None:
        """Every process with bot workers hears the question; the one that gets its lock answers."""
        try:
            async with self.workers.locks.held(key) as mine, asyncio.timeout(_PATIENCE):
                if mine:
                    found = await self._judge(key, owner, task, *about)
                    self.relay.tell(CoachAnswer(key, _form(task).dump_python(found, mode="json")))
        except (JaipurError, BrokenExecutor, TimeoutError) as error:
            _log.warning("A question to the coach got no answer: %s", type(error).__name__)

    async def stop(self) -> None:
        """Leaves the questions of other processes unanswered."""
        await self._tasks.stop()


@cache
def _form(task: Callable[..., Any]) -> TypeAdapter[Any]:
    """Writes and reads the answers of a task."""
    return TypeAdapter(get_type_hints(task)["return"])
