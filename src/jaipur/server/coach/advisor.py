"""Asks the coach: the bot workers of this process answer, or those of another one on the same database."""

import asyncio
import logging
import secrets
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from functools import cache
from typing import Any, TypeVar, get_type_hints
from weakref import WeakValueDictionary

from cachetools import FIFOCache
from pydantic import TypeAdapter

from jaipur.coach.advice import Hint
from jaipur.coach.grades import Grade
from jaipur.rules.errors import N_, JaipurError
from jaipur.rules.move import Move
from jaipur.rules.view import View
from jaipur.server.bots.scheduler import BotWorkers
from jaipur.server.bots.work_queue import Rank, Work
from jaipur.server.coach.jobs import advice_for, doubt_about, tried, values_of
from jaipur.server.edge.client_address import asking, owner_of
from jaipur.server.live.messages import CoachAnswer, CoachQuestion
from jaipur.server.many.relay import Relay
from jaipur.server.tasks import BackgroundTasks
from jaipur.table import NotAllowed

_T = TypeVar("_T")
_TASKS: dict[str, Callable[..., Any]] = {task.__name__: task for task in (advice_for, doubt_about, tried, values_of)}
_SECONDS = 0.2
_PATIENCE = 8.0
_TUTOR_PATIENCE = 2.5
"""A player who makes a move should not wait long for a question about it."""
_AGAIN_PATIENCE = 2.0
_OTHERS_PATIENCE = 10.0
"""Seconds after which nobody is waiting for an answer any more."""
_KEPT = 500
_log = logging.getLogger(__name__)


class Advisor:
    """Has positions judged. A process that serves no bots sends the others a notice, and one of them answers likewise.

    If a notice is lost, there is no answer: the player is soon told that the coach is busy, and may ask again. The same
    view always gives the same hint, so recent ones are remembered.
    """

    def __init__(self, workers: BotWorkers, relay: Relay) -> None:
        self.workers = workers
        self.relay = relay
        self._hints: FIFOCache[str, Hint] = FIFOCache(_KEPT)
        self._asked: dict[str, asyncio.Future[Any]] = {}
        self._tasks = BackgroundTasks()
        self._turns: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        relay.on(CoachQuestion, self._on_question)
        relay.on(CoachAnswer, self._on_answer)

    async def start(self) -> None:
        """There is nothing to start: the relay brings questions of other processes."""

    def known_hint(self, view: View) -> Hint | None:
        """A hint that is remembered. May be called on any thread."""
        try:
            return self._hints[str(view)]
        except KeyError:
            return None

    async def hint(self, view: View, patience: float = _PATIENCE) -> Hint:
        """A hint for the seat whose turn it is in this view."""
        position = str(view)
        if position not in self._hints:
            self._hints[position] = await self.ask(advice_for, position, patience=patience)
        return self._hints[position]

    async def hint_again(self, view: View) -> Hint | None:
        """A hint that was given before, perhaps by another process or before a restart; None if the coach is busy."""
        try:
            return await self.hint(view, _AGAIN_PATIENCE)
        except NotAllowed:
            return None

    async def doubt(self, view: View, move: Move) -> Grade | None:
        """The case against a move that is surely a blunder; None if it is not, or if the coach is too slow to say."""
        try:
            return await self.ask(doubt_about, str(view), str(move), patience=_TUTOR_PATIENCE)
        except NotAllowed:
            return None

    async def ask(self, task: Callable[..., _T], *about: str, patience: float = _PATIENCE) -> _T:
        """The result of a task from `jobs`, given its texts, within a few seconds or not at all."""
        key, owner = secrets.token_hex(8), owner_of(asking.get())
        try:
            async with asyncio.timeout(patience):
                if self.workers.processes or not self.relay.shared:
                    return await self._judge(key, owner, task, *about)
                return await self._ask_others(key, owner, task, *about)
        except (TimeoutError, BrokenExecutor) as error:
            raise NotAllowed(N_("The coach is busy: ask again in a moment.")) from error

    async def _judge(self, key: str, owner: str, task: Callable[..., _T], *about: str) -> _T:
        """Has it judged among the moves that players wait for, whose queue is fair to all owners.

        Reviews have a lower rank, so no owner may ask so much that the queue never runs out of questions.
        """
        async with self._turns.setdefault(owner, asyncio.Semaphore(max(1, self.workers.processes - 1))):
            return await self.workers.compute(f"question {key}", Work(Rank.PERSON, owner, _SECONDS), task, *about)

    async def _ask_others(self, key: str, owner: str, task: Callable[..., _T], *about: str) -> _T:
        answer = self._asked[key] = asyncio.get_running_loop().create_future()
        self.relay.tell(CoachQuestion(key, owner, task.__name__, list(about)))
        try:
            result: _T = _form(task).validate_python(await answer)
            return result
        finally:
            del self._asked[key]

    def _on_answer(self, message: CoachAnswer) -> None:
        answer = self._asked.get(message.key)
        if answer is not None and not answer.done():
            answer.set_result(message.answer)

    def _on_question(self, message: CoachQuestion) -> None:
        """Another process asks."""
        if self.workers.processes and message.task in _TASKS:
            self._tasks.spawn(self._answer(message, _TASKS[message.task]))

    async def _answer(self, message: CoachQuestion, task: Callable[..., Any]) -> None:
        """Every process with bot workers hears the question; the one that gets its lock answers."""
        try:
            async with self.workers.locks.held(message.key) as mine, asyncio.timeout(_OTHERS_PATIENCE):
                if mine:
                    result = await self._judge(message.key, message.owner, task, *message.about)
                    self.relay.tell(CoachAnswer(message.key, _form(task).dump_python(result, mode="json")))
        except (JaipurError, BrokenExecutor, TimeoutError) as error:
            _log.warning("A question to the coach got no answer: %s", type(error).__name__)

    async def stop(self) -> None:
        """Leaves the questions of other processes unanswered."""
        await self._tasks.stop()


@cache
def _form(task: Callable[..., Any]) -> TypeAdapter[Any]:
    """Writes and reads the answers of a task."""
    return TypeAdapter(get_type_hints(task)["return"])
