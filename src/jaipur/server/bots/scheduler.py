"""Which game is served when: bots think in fair turns and with a deadline, never on the event loop."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from cachetools import FIFOCache

from jaipur.rules.errors import JaipurError
from jaipur.server.bots.engine import Engine
from jaipur.server.bots.table_service import TableService
from jaipur.server.bots.work_queue import Rank, Turns, Work
from jaipur.server.edge.client_address import asking, owner_of
from jaipur.server.edge.request_log import request_id
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
_LOOKS = 4
"""How many tables are looked at in parallel; after a restart, thousands may be waiting."""


@dataclass
class _Visit:
    """A game that is being served: who asked for it last, and since when it has been waiting."""

    owner: str
    since: float
    left_over: bool
    changed: bool = False
    """Whether something happened there after its table was read."""


class BotWorkers:
    """Plays for all bots at all tables; without an engine of its own, it leaves that to others.

    A game that is enqueued is looked at first. If its bot has to think, it waits its turn, and the engine is handed no
    more than it can work on. A game is never served twice at once. If it changes meanwhile, the change may have come
    after its table was read, so it is served again. Bots that play each other think only while they are watched.
    """

    def __init__(self, tables: Tables, hub: Hub, engine: Engine | None, pause: float) -> None:
        self.tables = tables
        self.engine = engine or Engine()
        self.processes = engine.processes if engine is not None else 0
        self.service = TableService(tables, hub, self.engine, pause)
        self.thinking = self.service.thinking
        self.loop: asyncio.AbstractEventLoop | None = None
        self.waits = durations("jaipur_bot_wait_seconds", "From a bot's turn to its move.")
        self.failures = 0
        self.locks = GameLocks(tables.store)
        self._looks = Turns(_LOOKS)
        self._thoughts = Turns(self.processes)
        self._visits: dict[str, _Visit] = {}
        self._without_bots = FIFOCache[str, None](_REMEMBERED)
        """Games without bots, which need not be looked at after each move."""
        self._tasks = BackgroundTasks()
        tables.listeners.append(self.on_event)
        hub.arrivals.append(self._on_arrival)

    def on_event(self, table: Table, _event: Event | None) -> None:
        """Something was written in this process. Called on any thread."""
        if len(table.persons) < len(table.seats):
            self.heard(table.game.id, owner_of(asking.get()))

    def heard(self, game: str, owner: str) -> None:
        """Something happened in a game, in this process or another. Called on any thread."""
        if self.loop is not None and game not in self._without_bots:
            self.loop.call_soon_threadsafe(self.enqueue, game, owner)

    def _on_arrival(self, game: str) -> None:
        """A client starts watching: a match that stood still goes on. Called on the event loop."""
        self.enqueue(game, owner_of(asking.get()))

    @property
    def waiting(self) -> Counter[Rank]:
        """How many thoughts wait for the engine."""
        return self._thoughts.queue.ranks()

    def enqueue(self, game: str, owner: str = "", rank: Rank = Rank.PERSON) -> None:
        """Something happened in this game: a bot may have to move. Where none are served, that is ignored."""
        if self.loop is None:
            return
        visit = self._visits.get(game)
        if visit is None:
            self._visits[game] = _Visit(owner, self.loop.time(), rank is Rank.LEFT_OVER)
            self._tasks.spawn(self._serve(game, self._visits[game]))
            return
        visit.owner, visit.left_over, visit.changed = owner or visit.owner, rank is Rank.LEFT_OVER, True
        if rank is Rank.PERSON:
            self._looks.queue.claim(game, visit.owner)
            self._thoughts.queue.claim(game, visit.owner)

    async def compute(self, key: str, work: Work, task: Callable[..., _T], *arguments: object) -> _T:
        """Has the engine compute something when its turn comes. Where no bots are served, a thread does it."""
        if self.loop is None:
            return await in_thread(task, *arguments)
        await self._thoughts.acquire(key, work)
        answer = asyncio.ensure_future(self.engine.run(partial(task, *arguments)))
        answer.add_done_callback(lambda _answer: self._thoughts.release())  # even if the caller stops waiting
        return await asyncio.shield(answer)

    async def start(self) -> None:
        """Starts serving, beginning with the games that an earlier server left unfinished."""
        if not self.processes:
            return
        self.loop = asyncio.get_running_loop()
        for game in await in_thread(self.tables.store.unfinished_with_bots):
            self.enqueue(game, rank=Rank.LEFT_OVER)

    async def stop(self) -> None:
        """Ends the engine at once: unfinished thoughts will be asked for again."""
        self.loop = None
        await self._tasks.stop()
        await self.engine.close()
        await self.service.close()
        await self.locks.close()

    async def _serve(self, game: str, visit: _Visit) -> None:
        """Serves a game once, and again if it has changed meanwhile. Neither belongs to the request that led here."""
        asking.set("")
        request_id.set("")
        try:
            await self._attend(game, visit)
        except (NoSuchGame, Damaged):
            pass  # nothing left to play; damage was logged when the game was read
        except (Stale, GameOver, NotAllowed):  # it has changed meanwhile, perhaps through another server
            visit.changed = True
        except Exception as error:  # whatever it was, the other games go on and this one is tried again
            known = isinstance(error, JaipurError)
            reason = type(error).__name__ if known and not isinstance(error, StoreError) else error
            self.failures += 1  # the log gets no words of the rules: they could reveal a hand
            _log.error(
                "The bot of game %s could not move and tries again: %s", game, reason, exc_info=None if known else error
            )
            asyncio.get_running_loop().call_later(_RETRY_SECONDS, self.enqueue, game)
        del self._visits[game]
        if visit.changed:
            self.enqueue(game, visit.owner)

    async def _attend(self, game: str, visit: _Visit) -> None:
        """Finds out what a bot has to do at a table, and does it. What needs no thinking bypasses the queue."""
        rank = Rank.LEFT_OVER if visit.left_over else Rank.PERSON
        async with self._looks.turn(game, Work(rank, visit.owner, 0.0)):
            table = await self._open(game, visit)
        work = self.service.work_at(table, visit.owner, visit.left_over)
        if work is None:
            if len(table.persons) == len(table.seats):
                self._without_bots[game] = None
        elif self.service.needs_thought(table):
            await self._move(game, visit, work)
        else:
            await self.service.act(table, self._waited(visit))

    async def _open(self, game: str, visit: _Visit) -> Table:
        """The table as it is now: nearly always the one in memory, which needs no thread."""
        visit.changed = False
        table = await self.tables.at_hand(game)
        return table if table is not None else await in_thread(self.tables.open, game)

    def _waited(self, visit: _Visit) -> float:
        return asyncio.get_running_loop().time() - visit.since

    async def _move(self, game: str, visit: _Visit, work: Work) -> None:
        """Thinks for a bot when its turn comes, if this process is the one to do so and the move is still wanted."""
        async with AsyncExitStack() as until_played:
            async with self._thoughts.turn(game, work):
                if not await until_played.enter_async_context(self.locks.held(game)):
                    asyncio.get_running_loop().call_later(_TAKEN_SECONDS, self.enqueue, game, visit.owner)
                    return
                table = await self._open(game, visit)
                due = self.service.work_at(table, visit.owner, visit.left_over)
                if due is None or not self.service.needs_thought(table):
                    visit.changed = True
                    return
                move = await self.service.choose(table)
            waited = self._waited(visit)
            await self.service.play(table, move, waited)
            self.waits.observe(waited)
