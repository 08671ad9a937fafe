"""Which game is served when: bots think in fair turns and with a deadline, never on the event loop."""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from jaipur.rules.errors import JaipurError
from jaipur.rules.move import Move
from jaipur.server.bots.engine import Engine
from jaipur.server.bots.table_service import TableService
from jaipur.server.bots.thoughts import Thoughts
from jaipur.server.bots.work_queue import Rank, Waiting, Work
from jaipur.server.edge.client_address import asking, owner_of
from jaipur.server.live.hub import Hub
from jaipur.server.operate.metrics import durations
from jaipur.server.tasks import BackgroundTasks
from jaipur.store import Event, StoreError
from jaipur.store.postgres.game_locks import GameLocks
from jaipur.table import Damaged, GameOver, NoSuchGame, NotAllowed, Stale, Table, Tables
from jaipur.threads import in_thread

_log = logging.getLogger(__name__)
_T = TypeVar("_T")
_RETRY_SECONDS = 1.0
_TAKEN_SECONDS = 1.0
"""After this, a game that another process is thinking about is looked at again: that process may have died."""
_REMEMBERED = 10_000
_LOOKERS = 4
"""How many tables are looked at in parallel; after a restart, thousands may be waiting."""


@dataclass
class _Turn:
    """A game that is being served: who asked for it last, and since when it has been waiting."""

    owner: str
    since: float
    left_over: bool
    changed: bool = False
    """Whether something happened there after its table was read."""
    taken: bool = False
    """Whether this process holds the lock of the game."""


_Step = Callable[[str, _Turn], Awaitable[bool]]
"""Part of a turn. It returns whether another one follows."""


class BotWorkers:
    """Plays for all bots at all tables; without an engine of its own, it leaves that to others.

    A game that is enqueued is looked at first. If its bot has to think, it waits its turn in the work queue, and the
    engine is handed no more than it can work on. A game is never served twice at once. If it changes meanwhile, the
    change may have come after its table was read, so it is served again. Bots that play each other think only while
    somebody watches.
    """

    def __init__(self, tables: Tables, hub: Hub, engine: Engine | None, pause: float) -> None:
        self.tables = tables
        self.engine = engine or Engine()
        self.processes = engine.processes if engine is not None else 0
        self.service = TableService(tables, hub, self.engine, pause)
        self.thinking = self.service.thinking
        self.thoughts = Thoughts(self.engine)
        self.loop: asyncio.AbstractEventLoop | None = None
        self.waits = durations("jaipur_bot_wait_seconds", "From a bot's turn to its move.")
        self.failures = 0
        self._looks = Waiting()
        self._queued: dict[str, _Turn] = {}
        self._without_bots: set[str] = set()
        """Games without bots, which need not be looked at after each move."""
        self.locks = GameLocks(tables.store)
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
        """How many thoughts wait for the engine."""
        return self.thoughts.waiting.queue.ranks()

    def enqueue(self, game: str, owner: str = "", rank: Rank = Rank.PERSON) -> None:
        """Something happened in this game: a bot may have to move."""
        turn = self._queued.get(game)
        if turn is None:
            self._queued[game] = _Turn(owner, asyncio.get_running_loop().time(), rank is Rank.LEFT_OVER)
            self._looks.put(game, Work(rank, owner, 0.0))
            return
        turn.owner, turn.left_over, turn.changed = owner or turn.owner, rank is Rank.LEFT_OVER, True
        if rank is Rank.PERSON:
            self._looks.queue.claim(game, turn.owner)
            self.thoughts.waiting.queue.claim(game, turn.owner)

    async def compute(self, key: str, work: Work, task: Callable[..., _T], *arguments: object) -> _T:
        """Has the engine compute something when its turn comes. Where no bots are served, a thread does it."""
        if self.loop is None:
            return await in_thread(task, *arguments)
        return await self.thoughts.compute(key, work, task, *arguments)

    async def start(self) -> None:
        """Starts serving, beginning with the games that an earlier server left unfinished."""
        if not self.processes:
            return
        self.loop = asyncio.get_running_loop()
        for _ in range(_LOOKERS):
            self._tasks.spawn(self._look_in_turn())
        for _ in range(self.processes):
            self._tasks.spawn(self.thoughts.work())
        for game in await in_thread(self.tables.store.unfinished_with_bots):
            self.enqueue(game, rank=Rank.LEFT_OVER)

    async def stop(self) -> None:
        """Ends the engine at once: unfinished thoughts will be asked for again."""
        await self._tasks.stop()
        await self.engine.close()
        await self.service.close()
        await self.locks.close()

    async def _look_in_turn(self) -> None:
        while True:
            game, _work = await self._looks.take()
            await self._serve(game, self._look)

    async def _serve(self, game: str, step: _Step) -> None:
        """Takes a step for a game. If another one follows, the game stays in service."""
        turn = self._queued[game]
        follows = False
        try:
            follows = await step(game, turn)
        except (NoSuchGame, Damaged):
            pass  # nothing left to play; damage was logged when the game was read
        except (Stale, GameOver, NotAllowed):  # it has changed meanwhile, perhaps through another server
            turn.changed = True
        except Exception as error:  # whatever it was, the other games go on and this one is tried again
            known = isinstance(error, JaipurError)
            told = type(error).__name__ if known and not isinstance(error, StoreError) else error
            self.failures += 1  # the log gets no words of the rules: they could reveal a hand
            _log.error(
                "The bot of game %s could not move and tries again: %s", game, told, exc_info=None if known else error
            )
            asyncio.get_running_loop().call_later(_RETRY_SECONDS, self.enqueue, game)
        if not follows:
            await self._release(game, turn)
            del self._queued[game]
            if turn.changed:
                self.enqueue(game, turn.owner)

    async def _open(self, game: str, turn: _Turn) -> Table:
        """The table as it is now: nearly always the one in memory, which needs no thread."""
        turn.changed = False
        table = await self.tables.at_hand(game)
        return table if table is not None else await in_thread(self.tables.open, game)

    async def _look(self, game: str, turn: _Turn) -> bool:
        """Finds out what a bot has to do at a table. What needs no thinking bypasses the queue."""
        table = await self._open(game, turn)
        work = self.service.work_at(table, turn.owner, turn.left_over)
        if work is None:
            if len(table.persons) == len(table.seats):
                self._remember_without_bots(game)
            return False
        if self.service.needs_thought(table):
            self.thoughts.put(game, work, partial(self._serve, game, self._think))
        else:
            self._tasks.spawn(self._serve(game, partial(self._act, table)))
        return True

    def _remember_without_bots(self, game: str) -> None:
        if len(self._without_bots) >= _REMEMBERED:
            self._without_bots.clear()
        self._without_bots.add(game)

    async def _act(self, table: Table, _game: str, turn: _Turn) -> bool:
        await self.service.act(table, asyncio.get_running_loop().time() - turn.since)
        return False

    async def _think(self, game: str, turn: _Turn) -> bool:
        """Thinks for the bot whose turn it is, if it still is and somebody still wants the move."""
        if not await self._take(game, turn):
            return False
        table = await self._open(game, turn)
        seat, work = table.bot_to_move, self.service.work_at(table, turn.owner, turn.left_over)
        if seat is None or table.stalled or work is None:
            turn.changed = True
            return False
        move = await self.service.choose(table, seat)
        self._tasks.spawn(self._serve(game, partial(self._play, table, seat, move)))
        return True

    async def _play(self, table: Table, seat: int, move: Move, _game: str, turn: _Turn) -> bool:
        waited = asyncio.get_running_loop().time() - turn.since
        await self.service.play(table, seat, move, waited)
        self.waits.observe(waited)
        return False

    async def _take(self, game: str, turn: _Turn) -> bool:
        """Whether this process is the one to think about a game."""
        turn.taken = await self.locks.take(game)
        if not turn.taken:
            asyncio.get_running_loop().call_later(_TAKEN_SECONDS, self.enqueue, game, turn.owner)
        return turn.taken

    async def _release(self, game: str, turn: _Turn) -> None:
        if turn.taken:
            try:
                await self.locks.release(game)
            except StoreError:
                _log.warning("The lock of game %s went with its connection.", game)
