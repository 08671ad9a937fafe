"""The tables kept in memory, limited by what they cost: a game of 4,000 events costs as much as 20 ordinary ones."""

from contextlib import suppress
from threading import Lock

from cachetools import LRUCache

from jaipur.table.table import Table

PLAYING_EVENTS = 100_000
"""About a kilobyte each. A player needs the table for every move, and reading it again takes milliseconds."""
OVER_EVENTS = 5_000
"""A finished game is looked at for a few minutes; one that many people look at stays."""
_EMPTY_TABLE = 4
"""What a table costs before anything has happened, in events."""


class KeptTables:
    """The most recently used tables, separately for games in progress and finished ones. Thread-safe."""

    def __init__(self, playing: int = PLAYING_EVENTS, over: int = OVER_EVENTS) -> None:
        self._lock = Lock()
        self._playing: LRUCache[str, Table] = LRUCache(playing, _cost)
        self._over: LRUCache[str, Table] = LRUCache(over, _cost)

    def __len__(self) -> int:
        with self._lock:
            return len(self._playing) + len(self._over)

    def look(self, game: str) -> Table | None:
        """The table of a game, if it is kept; it then counts as recently used."""
        with self._lock:
            return self._look(game)

    def keep(self, table: Table, written: bool = False) -> Table:
        """Keeps a table unless a newer one is already kept; returns the newer one.

        Of two with the same number, one that was just written wins over one that was read.
        """
        game = table.game.id
        with self._lock:
            kept = self._look(game)
            if kept is not None and kept.number >= table.number + written:
                return kept
            self._take(game)
            with suppress(ValueError):  # it costs more than all tables together may
                (self._over if table.over else self._playing)[game] = table
        return table

    def forget(self, game: str) -> Table | None:
        """Drops a table, so that the next look reads it from the store."""
        with self._lock:
            return self._take(game)

    def held_by(self, holder: str) -> list[Table]:
        """The tables at which this holder sits."""
        with self._lock:
            kept = [*self._playing.values(), *self._over.values()]
        return [table for table in kept if table.held_by(holder)]

    def clear(self) -> None:
        """Forgets all tables."""
        with self._lock:
            self._playing.clear()
            self._over.clear()

    def _look(self, game: str) -> Table | None:
        return self._playing.get(game) or self._over.get(game)

    def _take(self, game: str) -> Table | None:
        return self._playing.pop(game, None) or self._over.pop(game, None)


def _cost(table: Table) -> int:
    return _EMPTY_TABLE + table.number
