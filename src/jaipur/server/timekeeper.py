"""Ends the matches of those whose time is up, and sees to it that nobody loses time while the server is down."""

import asyncio
import logging

from jaipur.rules.errors import JaipurError
from jaipur.server.background import BackgroundTasks
from jaipur.store import Event
from jaipur.store.heartbeats import Heartbeats
from jaipur.table import GameOver, Stale, Tables

_log = logging.getLogger(__name__)
_BEAT_SECONDS = 10.0
_ASLEEP_MS = 30_000
_RETRY_SECONDS = 5.0


class Timekeeper:
    """A timer for each game whose clock runs.

    While there is one, a sign of life is written every few seconds. A server that starts finds the last one and writes
    into each game that time stood still from then on.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.heartbeats = Heartbeats(tables.store)
        self.loop: asyncio.AbstractEventLoop | None = None
        self._clocked: set[str] = set()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._tasks = BackgroundTasks()
        tables.listeners.append(self._told)

    def _told(self, game: str, event: Event | None) -> None:
        """Called on the thread that wrote the event. Most games have no clock, so only new ones are looked at."""
        if event is not None and game not in self._clocked:
            return
        table = self.tables.open(game)
        if table.over or table.clock is None:
            self._clocked.discard(game)
        else:
            self._clocked.add(game)
        if table.clock is not None and self.loop is not None:
            self.loop.call_soon_threadsafe(self._wind, game, table.clock.deadline())

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
            table = await asyncio.to_thread(self.tables.open, game)
            await asyncio.to_thread(self.tables.time_out, table)
        except GameOver:
            return
        except Stale:  # somebody was quicker, or the timer was: it is wound again
            table = await asyncio.to_thread(self.tables.open, game)
            self._wind(game, table.clock.deadline() if table.clock else None, 0.01)
        except JaipurError as error:
            _log.error("The clock of game %s could not be stopped and is tried again: %s", game, error)
            self._timers[game] = asyncio.get_running_loop().call_later(_RETRY_SECONDS, self._ring, game)

    async def start(self) -> None:
        """Winds the clocks that a server before this one left running."""
        self.loop = asyncio.get_running_loop()
        await asyncio.to_thread(self._resume)
        self._tasks.spawn(self._beat())

    def _resume(self) -> None:
        awake = self.heartbeats.last()
        if self.tables.store.shared and awake and self.tables.clock() - awake < _ASLEEP_MS:
            self._wind_missing()  # time did not stand still: another server is awake
            return
        for game in self.heartbeats.games():
            self._clocked.add(game)
            table = self.tables.open(game)
            if table.clock is not None and table.clock.running:
                # Without a sign of life, time stood still since the last event.
                self.tables.resume(table, max(awake or 0, table.clock.since))

    def _wind_missing(self) -> None:
        """The clocks that another server, which may be gone now, has started."""
        for game in self.heartbeats.games():
            if game not in self._timers:
                self._told(game, None)

    async def _beat(self) -> None:
        while True:
            if self._timers or self.tables.store.shared:
                try:
                    await asyncio.to_thread(self.heartbeats.beat, self.tables.clock())
                    if self.tables.store.shared:
                        await asyncio.to_thread(self._wind_missing)
                except JaipurError as error:
                    _log.error("No sign of life could be written: %s", error)
            await asyncio.sleep(_BEAT_SECONDS)

    async def stop(self) -> None:
        """The last sign of life: from here on time stands still."""
        kept = bool(self._timers)
        for timer in self._timers.values():
            timer.cancel()
        await self._tasks.stop()
        if kept:
            await asyncio.to_thread(self.heartbeats.beat, self.tables.clock())
