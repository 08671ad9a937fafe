"""The tables kept in memory, limited by what they cost: a game of 4,000 events costs as much as 20 ordinary ones."""

from collections import OrderedDict
from threading import Lock

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
        self._playing = _Shelf(playing)
        self._over = _Shelf(over)

    def __len__(self) -> int:
        with self._lock:
            return len(self._playing.tables) + len(self._over.tables)

    def look(self, game: str) -> Table | None:
        """The table of a game, if it is kept; it then counts as recently used."""
        with self._lock:
            return self._playing.look(game) or self._over.look(game)

    def keep(self, table: Table, written: bool = False) -> Table:
        """Keeps a table unless a newer one is already kept; returns the newer one.

        Of two with the same number, one that was just written wins over one that was read.
        """
        game = table.game.id
        with self._lock:
            kept = self._playing.look(game) or self._over.look(game)
            if kept is not None and kept.number >= table.number + written:
                return kept
            self._take(game)
            (self._over if table.over else self._playing).put(table)
        return table

    def forget(self, game: str) -> Table | None:
        """Drops a table, so that the next look reads it from the store."""
        with self._lock:
            return self._take(game)

    def _take(self, game: str) -> Table | None:
        return self._playing.take(game) or self._over.take(game)

    def held_by(self, holder: str) -> list[Table]:
        """The tables at which somebody sits."""
        with self._lock:
            kept = [*self._playing.tables.values(), *self._over.tables.values()]
        return [table for table in kept if table.held_by(holder)]

    def clear(self) -> None:
        """Forgets all tables."""
        with self._lock:
            for game in [*self._playing.tables, *self._over.tables]:
                self._take(game)


class _Shelf:
    """Tables in the order in which they were last used, with a limit on their total cost."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.tables: OrderedDict[str, Table] = OrderedDict()
        self._cost = 0

    def look(self, game: str) -> Table | None:
        table = self.tables.get(game)
        if table is not None:
            self.tables.move_to_end(game)
        return table

    def put(self, table: Table) -> None:
        self.tables[table.game.id] = table
        self._cost += _cost(table)
        while self._cost > self.most:
            self.take(next(iter(self.tables)))

    def take(self, game: str) -> Table | None:
        table = self.tables.pop(game, None)
        if table is not None:
            self._cost -= _cost(table)
        return table


def _cost(table: Table) -> int:
    return _EMPTY_TABLE + table.number
