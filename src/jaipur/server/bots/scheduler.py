"""Where bots think: in processes of their own, in fair turns and with a deadline, never on the event loop."""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from functools import partial
from typing import Any, Concatenate, ParamSpec, TypeVar

from jaipur.rules.errors import JaipurError
from jaipur.rules.move import Move
from jaipur.server.bots.pool import ThinkingPool
from jaipur.server.bots.time_limits import USUAL_SECONDS, ThinkingTimes
from jaipur.server.bots.work_queue import Rank, Waiting, Work
from jaipur.server.edge.client_address import asking, owner_of
from jaipur.server.lesson.lesson import scripted_reply
from jaipur.server.live.hub import Hub
from jaipur.server.operate.metrics import durations
from jaipur.server.tasks import BackgroundTasks
from jaipur.store import Event, StoreError
from jaipur.store.postgres.game_locks import GameLocks
from jaipur.table import Damaged, GameOver, NoSuchGame, NotAllowed, Speed, Stale, Status, Table, Tables

_log = logging.getLogger(__name__)
_P = ParamSpec("_P")
_T = TypeVar("_T")
_SHEET_SECONDS = 6.0
"""How long the score sheet stays on a table without people, at most."""
_PAUSES = {Speed.STEP: 0.0, Speed.SLOW: 3.0, Speed.NORMAL: 1.0, Speed.FAST: 0.25}
"""Factors for the pause between moves."""
_RETRY_SECONDS = 1.0
_TAKEN_SECONDS = 1.0
"""After this, a game that another process is thinking about is looked at again: that process may have died."""
_REMEMBERED = 10_000
_LOOKERS = 4
"""How many tables are looked at in parallel; after a restart, thousands may be waiting."""
_WRITERS = 4
"""How many moves are written in parallel. Each waits while the database is locked, so bots have their own threads."""


@dataclass
class _Turn:
    """A game that is being served: who asked for it last, and since when it has been waiting."""

    owner: str
    since: float


@dataclass
class _Errand:
    """Something to compute other than a bot's move, and the future of whoever waits for it."""

    task: Callable[[], Any]
    done: asyncio.Future[Any]


class BotWorkers:
    """Plays for all bots at all tables; with no processes of its own, it leaves that to others.

    A game that is enqueued is looked at first. If its bot has to think, it waits its turn in the work queue, and the
    processes are handed no more than they can work on. A game is never served twice at once. If it changes meanwhile,
    the change may have come after its table was read, so it is served again. Bots that play each other think only while
    somebody watches.
    """

    def __init__(self, tables: Tables, hub: Hub, processes: int, pause: float) -> None:
        self.tables = tables
        self.hub = hub
        self.processes = processes
        self.pause = pause
        self.thinking = ThinkingTimes()
        self.loop: asyncio.AbstractEventLoop | None = None
        self.waits = durations("jaipur_bot_wait_seconds", "From a bot's turn to its move.")
        self.failures = 0
        self._looks, self._thoughts = Waiting(), Waiting()
        self._queued: dict[str, _Turn] = {}
        self._errands: dict[str, _Errand] = {}
        self._changed: set[str] = set()
        self._left_over: set[str] = set()
        self._without_bots: set[str] = set()
        """Games without bots, which need not be looked at after each move."""
        self._shares: dict[str, float] = {}
        self.locks = GameLocks(tables.store)
        self._taken: set[str] = set()
        self.pool = ThinkingPool(max(processes, 1))
        self._writers = ThreadPoolExecutor(_WRITERS, "bot-writer")
        self._tasks = BackgroundTasks()
        tables.listeners.append(self.on_event)
        hub.arrivals.append(self._arrived)

    def on_event(self, table: Table, _event: Event | None) -> None:
        """Something was written in this process. Called on any thread."""
        if len(table.persons) < len(table.seats):
            self.heard(table.game.id, owner_of(asking.get()))

    def heard(self, game: str, owner: str) -> None:
        """Something happened in a game, in this process or another. Called on any thread."""
        if self.loop is not None and game not in self._without_bots:
            self.loop.call_soon_threadsafe(self.enqueue, game, owner)

    def _arrived(self, game: str) -> None:
        """Somebody starts watching: a match that stood still goes on. Called on the event loop."""
        if self.loop is not None:
            self.enqueue(game, owner_of(asking.get()))

    @property
    def waiting(self) -> Counter[Rank]:
        """How many thoughts wait for a process."""
        return self._thoughts.queue.ranks()

    def enqueue(self, game: str, owner: str = "", rank: Rank = Rank.PERSON) -> None:
        """Something happened in this game: a bot may have to move."""
        if rank is Rank.LEFT_OVER:
            self._left_over.add(game)
        else:
            self._left_over.discard(game)
        turn = self._queued.get(game)
        if turn is None:
            self._queued[game] = _Turn(owner, asyncio.get_running_loop().time())
            self._looks.put(game, Work(rank, owner, 0.0))
            return
        turn.owner = owner or turn.owner
        self._changed.add(game)
        if rank is Rank.PERSON:
            self._looks.queue.claim(game, turn.owner)
            self._thoughts.queue.claim(game, turn.owner)

    async def start(self) -> None:
        """Starts serving, beginning with the games that an earlier server left unfinished."""
        if not self.processes:
            return
        self.loop = asyncio.get_running_loop()
        for _ in range(_LOOKERS):
            self._tasks.spawn(self._work(self._looks, self._look))
        for _ in range(self.processes):
            self._tasks.spawn(self._think_in_turn())
        for game in await asyncio.to_thread(self.tables.store.unfinished_with_bots):
            self.enqueue(game, rank=Rank.LEFT_OVER)

    async def stop(self) -> None:
        """Ends the processes at once: unfinished thoughts will be asked for again."""
        await self._tasks.stop()
        self.pool.close()
        await asyncio.to_thread(self._writers.shutdown, cancel_futures=True)
        await self.locks.close()

    async def _work(self, waiting: Waiting, serve: Callable[[str, Table], Awaitable[bool]]) -> None:
        while True:
            game, _work = await waiting.take()
            await self._served(game, partial(self._at_table, game, serve))

    async def _think_in_turn(self) -> None:
        while True:
            key, _work = await self._thoughts.take()
            errand = self._errands.pop(key, None)
            if errand is None:
                await self._served(key, partial(self._at_table, key, self._think_about))
            else:
                await self._run(errand)

    async def compute(self, key: str, work: Work, task: Callable[..., _T], *arguments: object) -> _T:
        """Has something computed by the processes when its turn comes; the key must be unique.

        Where no bots are served, a thread does it.
        """
        if self.loop is None:
            return await asyncio.to_thread(task, *arguments)
        done: asyncio.Future[_T] = self.loop.create_future()
        self._errands[key] = _Errand(partial(task, *arguments), done)
        self._thoughts.put(key, work)
        try:
            return await done
        finally:
            if self._errands.pop(key, None) is not None:  # the caller has stopped waiting
                self._thoughts.queue.remove(key)

    async def _run(self, errand: _Errand) -> None:
        if errand.done.done():
            return
        try:
            answer = await self.pool.run(errand.task)
        except Exception as error:  # passed on to the caller
            if not errand.done.done():
                errand.done.set_exception(error)
        else:
            if not errand.done.done():
                errand.done.set_result(answer)

    async def _at_table(self, game: str, serve: Callable[[str, Table], Awaitable[bool]]) -> bool:
        self._changed.discard(game)
        return await serve(game, await self._open(game))

    async def _open(self, game: str) -> Table:
        """The table as it is now: nearly always the one in memory, which needs no thread."""
        table = await self.tables.at_hand(game)
        return table if table is not None else await asyncio.to_thread(self.tables.open, game)

    async def _served(self, game: str, step: Callable[[], Awaitable[bool]]) -> None:
        """Takes a step for a game. If the step returns that another one follows, the game stays in service."""
        follows = False
        try:
            follows = await step()
        except (NoSuchGame, Damaged):
            pass  # nothing left to play; damage was logged when the game was read
        except Exception as error:  # whatever it was, the other games go on and this one is tried again
            known = isinstance(error, JaipurError)
            told = type(error).__name__ if known and not isinstance(error, StoreError) else error
            self.failures += 1  # the log gets no words of the rules: they could reveal a hand
            _log.error(
                "The bot of game %s could not move and tries again: %s", game, told, exc_info=None if known else error
            )
            asyncio.get_running_loop().call_later(_RETRY_SECONDS, self.enqueue, game)
        if not follows:
            await self._release(game)
            owner = self._queued.pop(game).owner
            self._left_over.discard(game)
            if game in self._changed:
                self._changed.discard(game)
                self.enqueue(game, owner)

    async def _look(self, game: str, table: Table) -> bool:
        """Finds out what a bot has to do at a table. What needs no thinking bypasses the queue."""
        work = self._work_at(game, table)
        if work is None:
            if len(table.persons) == len(table.seats):
                self._remember_without_bots(game)
            return False
        if table.bot_to_move is not None and not table.stalled and scripted_reply(table) is None:
            self._thoughts.put(game, work)
        else:
            self._tasks.spawn(self._served(game, partial(self._act, game, table)))
        return True

    def _remember_without_bots(self, game: str) -> None:
        if len(self._without_bots) >= _REMEMBERED:
            self._without_bots.clear()
        self._without_bots.add(game)

    def _work_at(self, game: str, table: Table) -> Work | None:
        """What a bot has to do here: for whom, and how long it may take. None if there is nothing to do."""
        owner: str | None
        if table.persons:
            rank = Rank.LEFT_OVER if game in self._left_over else Rank.PERSON
            owner = self._queued[game].owner or game
        else:
            rank, owner = Rank.MATCH, self.hub.watcher(game)
        level = None if table.bot_to_move is None else table.level(table.bot_to_move)
        idle = level is None and (table.persons or table.status is not Status.SHEET)
        if owner is None or idle or table.speed is Speed.PAUSE:
            return None
        return Work(rank, owner, self._shares.get(level or "", 1.0) * self._seconds_at(game, table))

    def _seconds_at(self, game: str, table: Table) -> float:
        """How long the bot may think: as the player has set it; in a match between bots, the usual time."""
        return self.thinking.seconds(game) if table.persons else USUAL_SECONDS

    async def _act(self, game: str, table: Table) -> bool:
        """Does what needs no thinking: the next round of a match, the end of a stalled one, a scripted reply."""
        scripted = scripted_reply(table)
        if table.stalled:
            await self._try(self.tables.stop, table)
        elif scripted is not None and table.bot_to_move is not None:
            await self._play(game, table, table.bot_to_move, scripted)
        else:
            await asyncio.sleep(_SHEET_SECONDS * min(self._pause_at(table), 1))
            await self._try(self.tables.ready, table, 0)
        return False

    async def _take(self, game: str) -> bool:
        """Whether this process is the one to think about a game."""
        if await self.locks.take(game):
            self._taken.add(game)
            return True
        owner = self._queued[game].owner
        asyncio.get_running_loop().call_later(_TAKEN_SECONDS, self.enqueue, game, owner)
        return False

    async def _release(self, game: str) -> None:
        if game in self._taken:
            self._taken.discard(game)
            try:
                await self.locks.release(game)
            except StoreError:
                _log.warning("The lock of game %s went with its connection.", game)

    async def _think_about(self, game: str, table: Table) -> bool:
        """Thinks for the bot whose turn it is, if it still is and somebody still wants the move."""
        if not await self._take(game):
            return False
        if self.tables.store.shared:  # the process that held the lock before may have moved
            table = await self._open(game)
        seat, work = table.bot_to_move, self._work_at(game, table)
        if seat is None or table.stalled or work is None:
            self._changed.add(game)
            return False
        level = table.level(seat) or ""
        began = time.perf_counter()
        seconds = self._seconds_at(game, table)
        move = Move.parse(await self.pool.think(level, str(table.view(seat)), seconds))
        self._learn(level, (time.perf_counter() - began) / seconds)
        self._tasks.spawn(self._served(game, partial(self._play, game, table, seat, move)))
        return True

    def _learn(self, level: str, share: float) -> None:
        """The share of its time a level uses. It falls at once and rises slowly: a first thought starts a process."""
        self._shares[level] = min(share, (3 * self._shares.get(level, 1.0) + share) / 4)

    async def _play(self, game: str, table: Table, seat: int, move: Move) -> bool:
        """Plays a move, but not before people have had time to follow the last one."""
        waited = asyncio.get_running_loop().time() - self._queued[game].since
        await asyncio.sleep(max(0.0, self._pause_at(table) - waited))
        await self._try(self.tables.move, table, seat, table.ply, move)
        self.waits.observe(waited)
        return False

    def _pause_at(self, table: Table) -> float:
        return self.pause * _PAUSES[table.speed]

    async def _try(
        self, act: Callable[Concatenate[Table, _P], Table], table: Table, *arguments: _P.args, **options: _P.kwargs
    ) -> None:
        """Acts at a table; if it has changed meanwhile, perhaps through another server, it is looked at again."""
        try:
            write = partial(act, table, *arguments, **options)
            await asyncio.get_running_loop().run_in_executor(self._writers, copy_context().run, write)
        except (Stale, GameOver, NotAllowed):
            self.enqueue(table.game.id)
