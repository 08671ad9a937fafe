"""The tables of a store as they are now: kept in memory, or rebuilt from their events."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import reduce
from threading import RLock

from cachetools import LRUCache

from jaipur.rules.errors import JaipurError
from jaipur.store import Event, Store
from jaipur.store.postgres.freshness import Freshness
from jaipur.table.errors import Damaged, NoSuchGame
from jaipur.table.events import EventKind
from jaipur.table.table import Table

PLAYING_EVENTS = 100_000
"""About a kilobyte each. A player needs the table for every move, and reading it again takes milliseconds."""
OVER_EVENTS = 5_000
"""A finished game is looked at for a few minutes; one that many people look at stays."""
_EMPTY_TABLE = 4
"""What a table costs before anything has happened, in events."""
_FAULTS = (JaipurError, LookupError, TypeError, ValueError)
"""What playing back unplayable events can raise."""
_log = logging.getLogger(__name__)


class KeptTables:
    """The most recently used tables, separately for games in progress and finished ones. Thread-safe.

    They are limited by what they cost: a game of 4,000 events costs as much as 20 ordinary ones.
    """

    def __init__(self, playing: int = PLAYING_EVENTS, over: int = OVER_EVENTS) -> None:
        self._lock = RLock()
        self._playing: LRUCache[str, Table] = LRUCache(playing, _cost)
        self._over: LRUCache[str, Table] = LRUCache(over, _cost)

    def look(self, game: str) -> Table | None:
        """The table of a game, if it is kept; it then counts as recently used."""
        with self._lock:
            return self._playing.get(game) or self._over.get(game)

    def keep(self, table: Table, written: bool = False) -> Table:
        """Keeps the newer of two tables, and returns it; of two with the same number, one that was just written."""
        with self._lock:
            kept = self.look(table.game.id)
            if kept is not None and kept.number >= table.number + written:
                return kept
            self.forget(table.game.id)
            with suppress(ValueError):  # it costs more than all tables together may
                (self._over if table.over else self._playing)[table.game.id] = table
        return table

    def forget(self, game: str) -> Table | None:
        """Drops a table, so that the next look reads it from the store."""
        with self._lock:
            return self._playing.pop(game, None) or self._over.pop(game, None)

    def held_by(self, holder: str) -> list[Table]:
        """The tables at which this holder sits."""
        with self._lock:
            kept = [*self._playing.values(), *self._over.values()]
        return [table for table in kept if table.held_by(holder)]


def _cost(table: Table) -> int:
    return _EMPTY_TABLE + table.number


@dataclass
class OpenTables:
    """A kept table is already stored and never changes: once the next event is written, a new table replaces it.

    So a table can be looked at without waiting.
    """

    store: Store
    freshness: Freshness = field(init=False)
    _kept: KeptTables = field(default_factory=KeptTables, init=False)

    def __post_init__(self) -> None:
        self.freshness = Freshness(self.store)

    def open(self, game: str) -> Table:
        """The table of a game as it is now, with what other processes have written since it was kept."""
        kept = self._kept.look(game)
        if kept is None:
            return self._read(game)
        if not self.store.shared:
            return kept
        seats, events = self.store.fresh(game, kept.number)
        if seats != [row for row in kept.seats if row is not None]:
            self._kept.forget(game)
            return self._read(game)
        with _sound(game):
            return self._kept.keep(reduce(Table.after, events, kept))

    async def at_hand(self, game: str) -> Table | None:
        """The table as it is now, if it is kept and no other process has changed it; this needs no thread."""
        kept = self._kept.look(game)
        if kept is None or not self.store.shared or await self.freshness.holds(game, kept.number, kept.seats):
            return kept
        return None

    def follow(self, event: Event) -> None:
        """Another process wrote this event. If it comes next, the kept table follows; else the next look reads it."""
        kept = self._kept.look(event.game)
        if kept is not None and event.number == kept.number + 1 and event.kind != EventKind.JOIN:
            with suppress(*_FAULTS):  # the next look reports it
                self._kept.keep(kept.after(event))

    def kept(self, game: str) -> Table | None:
        """The table in memory, if there is one. It may lack events that other processes have written."""
        return self._kept.look(game)

    def _read(self, game: str) -> Table:
        """The game row never changes. Seats and events come in one query: between two, a player could join."""
        row = self.store.game(game)
        if row is None:
            raise NoSuchGame
        seats, events = self.store.fresh(game, 0)
        if not seats:  # the game has just been deleted
            raise NoSuchGame
        with _sound(game):
            return self._kept.keep(Table(row, seats, events))


@contextmanager
def _sound(game: str) -> Iterator[None]:
    """Events were checked when they were written, so a fault in them is ours, not the reader's."""
    try:
        yield
    except _FAULTS as error:
        kind = type(error).__name__  # the message could give away a hand
        _log.error("Game %s is damaged: its events cannot be played again (%s).", game, kind)
        raise Damaged from error
