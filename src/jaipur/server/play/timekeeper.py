"""Ends matches when a player's time is up, and makes sure that no player loses time while no server is there."""

import asyncio
import logging
from collections.abc import Callable, Container
from contextlib import suppress
from typing import TYPE_CHECKING

from jaipur.rules.errors import JaipurError
from jaipur.server.tasks import BackgroundTasks
from jaipur.store import Event, StoreError
from jaipur.store.postgres.postgres_engine import keep_connected
from jaipur.table import GameOver, Stale, Table, Tables
from jaipur.threads import in_thread

if TYPE_CHECKING:  # needs the package of an extra
    from psycopg import AsyncConnection

_log = logging.getLogger(__name__)
_START_SECONDS = 5.0
_LOOK_SECONDS = 5.0
_RETRY_SECONDS = 5.0
_FIRST = b"SELECT pg_try_advisory_lock(hashtextextended('clocks', 0))"
_THERE = b"SELECT pg_advisory_lock_shared(hashtextextended('clocks', 0))"
_BEGUN = b"SELECT pg_advisory_unlock(hashtextextended('clocks', 0))"


class Timekeeper:
    """A timer for each game whose clock is running.

    When a server starts, every running clock begins again: the time since the last event counts against nobody. Of
    servers that share a PostgreSQL database, only the first one does this. Each holds a lock for as long as it is
    connected, so a further process, or the successor of one that died, finds the others there. After an outage of the
    database nobody holds the lock, and the first to be back begins the clocks again.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.loop: asyncio.AbstractEventLoop | None = None
        self._begun = asyncio.Event()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._tasks = BackgroundTasks()
        tables.listeners.append(self.on_event)

    def on_event(self, table: Table, _event: Event | None = None) -> None:
        """Called on the thread that wrote the event."""
        if table.clock is not None and self.loop is not None:
            self.loop.call_soon_threadsafe(self._wind, table.game.id, table.clock.deadline())

    def _wind(self, game: str, deadline: int | None, least: float = 0.0) -> None:
        if game in self._timers:
            self._timers.pop(game).cancel()
        if deadline is not None:
            delay = max((deadline - self.tables.clock()) / 1000, least)
            self._timers[game] = asyncio.get_running_loop().call_later(delay, self._ring, game)

    def _ring(self, game: str) -> None:
        self._timers.pop(game, None)
        self._tasks.spawn(self._time_out(game))

    async def _time_out(self, game: str) -> None:
        try:
            table = await in_thread(self.tables.open, game)
            await in_thread(self.tables.time_out, table)
        except GameOver:
            return
        except Stale:  # the player moved in time, or the timer rang too early: it is wound again
            table = await in_thread(self.tables.open, game)
            self._wind(game, table.clock.deadline() if table.clock else None, 0.01)
        except JaipurError as error:
            _log.error("The clock of game %s could not be stopped and is tried again: %s", game, error)
            self._timers[game] = asyncio.get_running_loop().call_later(_RETRY_SECONDS, self._ring, game)

    async def start(self) -> None:
        """Begins the clocks again that were running, and winds them."""
        self.loop = asyncio.get_running_loop()
        if not self.tables.store.shared:
            await in_thread(self._begin_again)
            return
        self.tables.clocks_run = self._begun.is_set
        self._tasks.spawn(keep_connected(self.tables.store.engine, self._be_there))
        with suppress(TimeoutError):  # games with a clock wait longer, the others do not
            async with asyncio.timeout(_START_SECONDS):
                await self._begun.wait()
        self._tasks.spawn(self._keep_looking())

    async def _be_there(self, connection: "AsyncConnection") -> None:
        """Holds the lock while connected. The clocks run from the moment at which they have begun again."""
        (first,) = await (await connection.execute(_FIRST)).fetchone() or (False,)
        if first:
            await in_thread(self._begin_again)
        await connection.execute(_THERE)  # waits until the first server has begun all clocks again
        if first:
            await connection.execute(_BEGUN)
        self._begun.set()
        try:
            async for _notice in connection.notifies():  # there are none: it ends when the connection is lost
                pass
        finally:
            self._begun.clear()

    def _begin_again(self) -> None:
        self._for_each(lambda table: self.tables.resume(table) if table.clock and table.clock.running else None)

    def _for_each(self, act: Callable[[Table], object], but: Container[str] = ()) -> None:
        """Acts at each table with a clock, but for some. One where that fails does not hold up the others."""
        for game in self.tables.store.unfinished_with_clocks():
            try:
                if game not in but:
                    act(self.tables.open(game))
            except StoreError:  # not this game's fault
                raise
            except JaipurError as error:
                kind = type(error).__name__  # the sentence could reveal a hand
                _log.error("The clock of game %s could not be wound (%s).", game, kind)

    async def _keep_looking(self) -> None:
        """Winds the clocks that another server has started: it may be gone by now."""
        while True:
            try:
                await in_thread(self._for_each, self.on_event, self._timers)
            except JaipurError as error:
                _log.error("The clocks of other servers could not be wound: %s", error)
            await asyncio.sleep(_LOOK_SECONDS)

    async def stop(self) -> None:
        """Ends the timers."""
        for timer in self._timers.values():
            timer.cancel()
        await self._tasks.stop()
