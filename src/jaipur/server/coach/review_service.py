"""Reviews of finished matches: made once by the bot workers, after everything else they have to do, and kept.

The process that shows a review need not have bot workers. Where several share a database, it tells the others which
review it needs, and they report how far they are; a lock ensures that only one of them works on it.
"""

import asyncio
import json
import logging
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from dataclasses import asdict, dataclass, field
from weakref import WeakValueDictionary

from jaipur.coach.grades import Grade, Task, grade, judge_name
from jaipur.coach.review import Review, with_grades
from jaipur.coach.saved import review_from_text, review_to_text
from jaipur.coach.summary import player_summary
from jaipur.rules.errors import N_, JaipurError
from jaipur.server.bots.scheduler import BotWorkers
from jaipur.server.bots.work_queue import Rank, Work
from jaipur.server.coach.jobs import draft
from jaipur.server.edge.client_address import asking, owner_of
from jaipur.server.live.hub import Hub
from jaipur.server.live.messages import ReviewProgress, ReviewWanted
from jaipur.server.many.relay import Relay
from jaipur.server.tasks import BackgroundTasks
from jaipur.store import Event, ReviewRow, ReviewShelf
from jaipur.table import NotAllowed, Table
from jaipur.table.seen.seen import see_record
from jaipur.threads import in_thread

WORLDS = 1000
"""Worlds per decision: few enough that a typical match is graded within a minute."""
PROGRESS = "review"
"""The name of the event that reports the progress of a review."""
_GRADE_SECONDS = 0.2
_DRAFT_SECONDS = 0.05
MOST_REVIEWED = 400
"""The most moves that a match may have to be reviewed: three times a typical one, or a page of about 100 kB."""
_MOST_AT_ONCE, _MOST_EACH, _GRADED_EACH = 100, 4, 2
"""Reviews under way in all and per owner, and how many of an owner's are graded at once."""
_WANTED_SECONDS = 300.0
"""After this long without a viewer, grading stops."""
_TRIES = 3
_SILENCE = 10.0
"""Seconds without news after which the others are asked again; after `_SILENCES` of these, nobody seems to be there."""
_SILENCES = 6
_log = logging.getLogger(__name__)


@dataclass
class Progress:
    """A review in the making: how many decisions are graded, and the review without grades as soon as it is known.

    `here` says that this process grades it; otherwise `news` is set whenever another one reports its progress.
    """

    total: int
    owner: str
    done: int = 0
    ungraded: Review | None = None
    tasks: list[Task] = field(default_factory=list)
    here: bool = False
    finished: bool = False
    news: asyncio.Event = field(default_factory=asyncio.Event)
    looked: float = field(default_factory=time.monotonic)


class Reviews:
    """All reviews of one server. A match is reviewed when its review is first looked at, and never twice."""

    def __init__(self, workers: BotWorkers, hub: Hub, relay: Relay) -> None:
        self.workers = workers
        self.hub = hub
        self.relay = relay
        self.shelf = ReviewShelf(workers.tables.store)
        self.making: dict[str, Progress] = {}
        self._tasks = BackgroundTasks()
        # If there are several processes, one is left free for moves, so that they do not wait for a grade.
        self._hands = max(1, workers.processes - 1)
        self._free = asyncio.Semaphore(self._hands)
        self._turns: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        relay.on(ReviewWanted, self._on_wanted)
        relay.on(ReviewProgress, self._on_progress)

    async def start(self) -> None:
        """There is nothing to start: each review begins when it is asked for."""

    def finished(self, table: Table) -> Review | None:
        """The review of a finished match, if there is one."""
        check_reviewable(table)
        row = self.shelf.review(table.game.id, judge_name())
        return None if row is None else review_from_text(row.review)

    def of_same_record(self, table: Table) -> Review | None:
        """The review of another game with the same seed and moves; it is stored for this one too.

        A record may be uploaded twice, or be of a match played here: it is not graded again.
        """
        moves = [move for played in table.match.rounds for move in played.moves]
        for text in self.shelf.of_same_seed(table.game.id, judge_name()):
            review = review_from_text(text)
            if (review.worlds, [ply.move for ply in review.plies]) == (WORLDS, moves):
                self._keep(table.game.id, review)
                return review
        return None

    async def begin(self, table: Table) -> Progress:
        """Starts to review a match, unless that is under way already, and returns the progress."""
        game, owner = table.game.id, owner_of(asking.get())
        if game not in self.making:
            if not self._has_room(owner):
                raise NotAllowed(N_("Many matches are being reviewed at the moment: come back in a few minutes."))
            self.making[game] = Progress(table.match.ply, owner)
            self._tasks.spawn(self._make(game, shown=True))
        self.making[game].looked = time.monotonic()
        return self.making[game]

    def _has_room(self, owner: str) -> bool:
        own = sum(progress.owner == owner for progress in self.making.values())
        return len(self.making) < _MOST_AT_ONCE and own < _MOST_EACH

    def _is_wanted(self, game: str, progress: Progress) -> bool:
        return self.hub.watcher(game) is not None or time.monotonic() - progress.looked < _WANTED_SECONDS

    async def stop(self) -> None:
        """Abandons the reviews under way: their players ask again."""
        await self._tasks.stop()

    async def _make(self, game: str, shown: bool) -> None:
        """Makes a review: the graphs first, if a page of this process shows it; otherwise for other processes.

        What goes wrong is logged, and the player asks again.
        """
        progress = self.making[game]
        try:
            table = await in_thread(self.workers.tables.open, game)
            progress.total, record = table.match.ply, str(see_record(table))
            if shown:
                await self._draft(game, record, progress)
                self._pass_on(game, progress.done, progress.total)
            if self.workers.loop is not None:
                await self._grade_alone(game, record, progress)
            if shown and self.relay.shared and not progress.finished:
                await self._follow(game, progress)
        except (JaipurError, OSError, BrokenExecutor) as error:
            _log.error("Game %s could not be reviewed: %s", game, type(error).__name__)
        finally:
            del self.making[game]
        self._pass_on(game, progress.done, progress.total)

    async def _draft(self, game: str, record: str, progress: Progress) -> None:
        work = Work(Rank.REVIEW, progress.owner, _DRAFT_SECONDS)
        job = self.workers.compute(f"draft of {game}", work, draft, record, WORLDS)
        progress.ungraded, progress.tasks = await job

    async def _grade_alone(self, game: str, record: str, progress: Progress) -> None:
        """Grades the decisions, unless the review exists already or another process is the one to grade them."""
        async with self.workers.locks.held(f"review of {game}") as progress.here:
            if not progress.here:
                return
            progress.finished = await in_thread(self.shelf.review, game, judge_name()) is not None
            if not progress.finished:
                if progress.ungraded is None:
                    await self._draft(game, record, progress)
                await self._grade_all(game, progress)
        if progress.finished:
            progress.done = progress.total
            self._tell_others(game, progress)

    async def _grade_all(self, game: str, progress: Progress) -> None:
        """Grades all decisions and stores the review, unless nobody wants it any more."""
        grades: dict[int, Grade] = {}
        waiting = iter(enumerate(progress.tasks))
        async with self._turns.setdefault(progress.owner, asyncio.Semaphore(_GRADED_EACH)):
            await asyncio.gather(*(self._grade(game, waiting, grades, progress) for _ in range(self._hands)))
        if progress.ungraded is not None and len(grades) == len(progress.tasks):
            review = with_grades(progress.ungraded, [grades[number] for number in sorted(grades)])
            await in_thread(self._keep, game, review)
            progress.finished = True

    async def _grade(
        self, game: str, waiting: Iterator[tuple[int, Task]], grades: dict[int, Grade], progress: Progress
    ) -> None:
        """Grades waiting decisions until none is left or nobody wants the review any more."""
        for number, task in waiting:
            if not self._is_wanted(game, progress):
                return
            async with self._free:
                grades[number] = await self._graded(f"grade {number} of {game}", progress.owner, task)
            progress.done += 1
            self._pass_on(game, progress.done, progress.total)
            self._tell_others(game, progress)

    async def _graded(self, key: str, owner: str, task: Task) -> Grade:
        """Grades one decision. If the process dies, it is tried again: some other work may have killed the process."""
        for tries_left in reversed(range(_TRIES)):
            try:
                return await self.workers.compute(key, Work(Rank.REVIEW, owner, _GRADE_SECONDS), grade, task)
            except (BrokenExecutor, TimeoutError):
                if not tries_left:
                    raise
        raise AssertionError

    async def _follow(self, game: str, progress: Progress) -> None:
        """Asks other processes for a review until it is made, nobody answers, or nobody wants it any more."""
        silences = 0
        while not progress.finished and silences < _SILENCES and self._is_wanted(game, progress):
            if not progress.news.is_set():
                self.relay.tell(ReviewWanted(game, progress.owner))
            progress.news.clear()
            try:
                await asyncio.wait_for(progress.news.wait(), _SILENCE)
                silences = 0
            except TimeoutError:
                silences += 1

    def _on_wanted(self, message: ReviewWanted) -> None:
        """A review is to be seen at another process."""
        game = message.game
        if self.workers.loop is None:
            return
        if game in self.making:
            self.making[game].looked = time.monotonic()
            if self.making[game].here:
                self._tell_others(game, self.making[game])
        elif self._has_room(message.owner):
            self.making[game] = Progress(0, message.owner)
            self._tasks.spawn(self._make(game, shown=False))

    def _on_progress(self, message: ReviewProgress) -> None:
        """Another process reports the progress of a review."""
        progress = self.making.get(message.game)
        if progress is not None and progress.here:
            return
        self._pass_on(message.game, message.done, message.total)
        if progress is not None:
            progress.done = message.done
            progress.finished = progress.finished or message.finished
            progress.news.set()

    def _pass_on(self, game: str, done: int, total: int) -> None:
        self.hub.pass_on(Event(game, 0, 0, PROGRESS, f"{done}/{total}", None, 0))

    def _tell_others(self, game: str, progress: Progress) -> None:
        self.relay.tell(ReviewProgress(game, progress.done, progress.total, progress.finished))

    def _keep(self, game: str, review: Review) -> None:
        both = json.dumps([asdict(player_summary(review, seat)) for seat in (0, 1)])
        now = self.workers.tables.clock()
        self.shelf.keep(ReviewRow(game, review.judge, review.worlds, both, review_to_text(review), now))


def check_reviewable(table: Table) -> None:
    """Raises `NotAllowed` unless a match can be reviewed: it is over, has moves, and not too many of them."""
    if not table.over:
        raise NotAllowed(N_("A review reveals what players may not know yet, so it is made once the match is over."))
    if not table.log:
        raise NotAllowed(N_("No move was played in this match, so there is nothing to review."))
    if len(table.log) > MOST_REVIEWED:
        sentence = N_("A match of more than {most} moves is not reviewed here: use jaipur review with its record.")
        raise NotAllowed(sentence, most=str(MOST_REVIEWED))
