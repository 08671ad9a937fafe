"""Ends matches when a player's time is up, and makes sure that no player loses time while play is impossible."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

from jaipur.rules.errors import JaipurError
from jaipur.server.tasks import BackgroundTasks
from jaipur.store import Event, StoreError
from jaipur.store.heartbeats import Heartbeats
from jaipur.table import GameOver, Stale, Table, Tables

_log = logging.getLogger(__name__)
_BEAT_SECONDS = 5.0
_ASLEEP_MS = 20_000
"""After this long without a heartbeat, no server was awake; machines' clocks may differ by half of it."""
_RETRY_SECONDS = 5.0


class Timekeeper:
    """A timer for each game whose clock is running.

    While there is one, a heartbeat is written every few seconds. A server that starts finds the last one, and notes in
    each game that time has stood still since then; so does a server that could not write for a while.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.heartbeats = Heartbeats(tables.store)
        self.loop: asyncio.AbstractEventLoop | None = None
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._tasks = BackgroundTasks()
        self._awake: int | None = None
        """The time of this server's last heartbeat."""
        tables.asleep_since = self._asleep_since
        tables.listeners.append(self.on_event)

    def on_event(self, table: Table, _event: Event | None) -> None:
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
            table = await asyncio.to_thread(self.tables.open, game)
            await asyncio.to_thread(self.tables.time_out, table)
        except GameOver:
            return
        except Stale:  # somebody moved in time, or the timer rang too early: it is wound again
            table = await asyncio.to_thread(self.tables.open, game)
            self._wind(game, table.clock.deadline() if table.clock else None, 0.01)
        except JaipurError as error:
            _log.error("The clock of game %s could not be stopped and is tried again: %s", game, error)
            self._timers[game] = asyncio.get_running_loop().call_later(_RETRY_SECONDS, self._ring, game)

    async def start(self) -> None:
        """Winds the clocks that an earlier server left running."""
        self.loop = asyncio.get_running_loop()
        await asyncio.to_thread(self._resume)
        self._tasks.spawn(self._beat())

    def _resume(self) -> None:
        awake, now = self.heartbeats.last(), self.tables.clock()
        self._awake = now
        if self.tables.store.shared and awake and now - awake < _ASLEEP_MS:
            self._wind_missing()  # time did not stand still: another server is awake
            return
        self._for_each(lambda game: self._resume_game(game, awake or 0))

    def _resume_game(self, game: str, awake: int) -> None:
        table = self.tables.open(game)
        if table.clock is not None and table.clock.running:
            # Without a heartbeat, time has stood still since the last event.
            self.tables.resume(table, max(awake, table.clock.since))

    def _asleep_since(self, since: int) -> int | None:
        """The time of the last heartbeat or later event, if that is so long ago that no server was awake since."""
        now = self.tables.clock()
        if self._awake is None or now - max(self._awake, since) <= _ASLEEP_MS:
            return None
        last = max(self.heartbeats.last() or 0, since)
        return last if now - last > _ASLEEP_MS else None

    def _live(self) -> None:
        """Writes a heartbeat. If none could be written for a while, all games are looked at first."""
        now = self.tables.clock()
        if self._awake is not None and now - self._awake > _ASLEEP_MS:
            self._for_each(self._look_at)
        self.heartbeats.beat(now)
        self._awake = now
        if self.tables.store.shared:
            self._wind_missing()

    def _look_at(self, game: str) -> None:
        with suppress(Stale, GameOver):
            self.tables.time_out(self.tables.open(game))

    def _wind_missing(self) -> None:
        """Winds the clocks that another server has started: it may be gone by now."""
        self._for_each(lambda game: None if game in self._timers else self.on_event(self.tables.open(game), None))

    def _for_each(self, act: Callable[[str], None]) -> None:
        """Acts in each game with a clock. One in which that fails does not hold up the others."""
        for game in self.heartbeats.games():
            try:
                act(game)
            except StoreError:  # not this game's fault
                raise
            except JaipurError as error:
                kind = type(error).__name__  # the sentence could reveal a hand
                _log.error("The clock of game %s could not be wound (%s).", game, kind)

    async def _beat(self) -> None:
        while True:
            if self._timers or self.tables.store.shared:
                try:
                    await asyncio.to_thread(self._live)
                except JaipurError as error:
                    _log.error("No sign of life could be written: %s", error)
            await asyncio.sleep(_BEAT_SECONDS)

    async def stop(self) -> None:
        """Writes the last heartbeat: from here on, time stands still."""
        kept = bool(self._timers)
        for timer in self._timers.values():
            timer.cancel()
        await self._tasks.stop()
        if kept:
            await asyncio.to_thread(self.heartbeats.beat, self.tables.clock())
