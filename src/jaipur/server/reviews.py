"""Reviews of finished matches: made once by the bot workers, behind everything else that they have to do, and kept."""

import asyncio
import json
import logging
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from dataclasses import asdict, dataclass
from typing import Any

from jaipur.record import Record
from jaipur.review.grades import Grade, Label, Task, grade
from jaipur.review.judging import judge_name
from jaipur.review.review import Draft, Review
from jaipur.review.saved import review_from_text, review_to_text, with_grades
from jaipur.review.summary import player_summary
from jaipur.rules.errors import N_, JaipurError
from jaipur.server.background import BackgroundTasks
from jaipur.server.bot_workers import BotWorkers
from jaipur.server.hub import Hub
from jaipur.server.work_queue import Rank, Work
from jaipur.store import Event, ReviewRow, ReviewShelf, StoreError
from jaipur.table import NotAllowed, Table
from jaipur.table.seen import see_record

WORLDS = 1000
"""Worlds for a decision of a match that was played here: a usual match is graded within a minute."""
PROGRESS = "review"
"""The name of the event that tells how far a review has come."""
_GRADE_SECONDS = 0.2
_DRAFT_SECONDS = 0.05
_MOST_AT_ONCE = 20
_TRIES = 3
_log = logging.getLogger(__name__)


@dataclass
class Progress:
    """A review that is being made: how many decisions are graded, and all but the grades as soon as it is known."""

    total: int
    done: int = 0
    ungraded: Review | None = None

    def __str__(self) -> str:
        return f"{self.done}/{self.total}"


class Reviews:
    """All reviews of one server. A match is reviewed when somebody wants to see it, and never twice."""

    def __init__(self, workers: BotWorkers, hub: Hub) -> None:
        self.workers = workers
        self.hub = hub
        self.shelf = ReviewShelf(workers.tables.store)
        self.making: dict[str, Progress] = {}
        self._tasks = BackgroundTasks()
        # One process, where there are more, is left for moves: those do not wait for a grade.
        self._hands = max(1, workers.processes - 1)
        self._free = asyncio.Semaphore(self._hands)

    def finished(self, table: Table) -> Review | None:
        """The review of a finished match, if there is one."""
        check_reviewable(table)
        row = self.shelf.review(table.game.id, judge_name())
        return None if row is None else review_from_text(row.review)

    async def begin(self, table: Table, owner: str) -> Progress:
        """Begins to review a match, unless that is being done; then all but the grades is known."""
        game, record = table.game.id, see_record(table)
        if game not in self.making and len(self.making) >= _MOST_AT_ONCE:
            raise NotAllowed(N_("Many matches are being reviewed at the moment: come back in a few minutes."))
        if game not in self.making:
            self.making[game] = Progress(table.match.ply)
            self._tasks.spawn(self._make(game, str(record), owner, self.making[game]))
        return self.making[game]

    async def stop(self) -> None:
        """Ends what is being made: whoever wants it asks again."""
        await self._tasks.stop()

    async def _make(self, game: str, record: str, owner: str, progress: Progress) -> None:
        try:
            work = Work(Rank.REVIEW, owner, _DRAFT_SECONDS)
            ungraded, tasks = await self.workers.compute(f"draft of {game}", work, draft, record, WORLDS)
            progress.ungraded = ungraded
            self._tell(game, progress)
            if self.workers.loop is None:
                return
            grades: list[Grade | None] = [None] * len(tasks)
            waiting = iter(enumerate(tasks))
            await asyncio.gather(*(self._grade(game, owner, waiting, grades, progress) for _ in range(self._hands)))
            review = with_grades(ungraded, [found for found in grades if found is not None])
            await asyncio.to_thread(self._keep, game, review)
        except (JaipurError, StoreError, OSError, BrokenExecutor, TimeoutError) as error:
            _log.error("Game %s could not be reviewed: %s", game, type(error).__name__)
        finally:
            del self.making[game]
        self._tell(game, progress)

    async def _grade(
        self,
        game: str,
        owner: str,
        waiting: Iterator[tuple[int, Task]],
        grades: list[Grade | None],
        progress: Progress,
    ) -> None:
        """Takes decisions from those that wait until there is none left."""
        for number, task in waiting:
            async with self._free:
                grades[number] = await self._graded(f"grade {number} of {game}", owner, task)
            progress.done += 1
            self._tell(game, progress)

    async def _graded(self, key: str, owner: str, task: Task) -> Grade:
        """A process that dies is replaced; it may have died of another's work."""
        for tries_left in reversed(range(_TRIES)):
            try:
                return await self.workers.compute(key, Work(Rank.REVIEW, owner, _GRADE_SECONDS), grade, task)
            except (BrokenExecutor, TimeoutError):
                if not tries_left:
                    raise
        raise AssertionError

    def _tell(self, game: str, progress: Progress) -> None:
        self.hub.pass_on(Event(game, 0, 0, PROGRESS, str(progress), None, 0))

    def _keep(self, game: str, review: Review) -> None:
        both = json.dumps([short_summary(review, seat) for seat in (0, 1)])
        now = self.workers.tables.clock()
        self.shelf.keep(ReviewRow(game, review.judge, review.worlds, both, review_to_text(review), now))


def check_reviewable(table: Table) -> None:
    """Whether a match can be reviewed: it is over, and it was played to its end."""
    if not table.over:
        raise NotAllowed(N_("A review tells what players may not know yet: it is made when the match is over."))
    if not table.match.over:
        raise NotAllowed(N_("This match was not played to its end, so there is no review of it."))


def draft(record: str, worlds: int) -> tuple[Review, list[Task]]:
    """The graph and the luck of a match, with empty grades, and what there is to grade. For another process."""
    made = Draft(Record.parse(record).match, worlds)
    tasks = made.tasks()
    return made.review([Grade(task.move, 0.0, 0.0, Label.CLOSE) for task in tasks]), tasks


def short_summary(review: Review, seat: int) -> dict[str, Any]:
    """What statistics need of one player in a match."""
    summary = player_summary(review, seat)
    return {name: value for name, value in asdict(summary).items() if name != "labels"}
