"""The tables of a store as they are now: kept in memory, or rebuilt from their events."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from jaipur.rules.errors import JaipurError
from jaipur.store import Event, Store
from jaipur.store.postgres.freshness import Freshness
from jaipur.table.enums import EventKind
from jaipur.table.errors import Damaged, NoSuchGame
from jaipur.table.kept import KeptTables
from jaipur.table.table import Table

_log = logging.getLogger(__name__)
_FAULTS = (JaipurError, LookupError, TypeError, ValueError)
"""What playing back unplayable events can raise."""


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
        """The table of a game as it is now."""
        kept = self._kept.look(game)
        if kept is None:
            return self._read(game)
        return self._caught_up(kept) if self.store.shared else kept

    async def at_hand(self, game: str) -> Table | None:
        """The table as it is now, if it is kept and no other process has changed it; this needs no thread."""
        kept = self._kept.look(game)
        if kept is None or not self.store.shared or await self.freshness.holds(game, kept.number, kept.seats):
            return kept
        return None

    def heard(self, event: Event) -> None:
        """Another process wrote this event. If it comes next, the kept table follows; else the next look reads it."""
        kept = self._kept.look(event.game)
        if kept is not None and event.number == kept.number + 1 and event.kind != EventKind.JOIN:
            with suppress(*_FAULTS):  # the next look reports it
                self._kept.keep(kept.after(event))

    def kept(self, game: str) -> Table | None:
        """The table in memory, if there is one. It may lack events that other processes have written."""
        return self._kept.look(game)

    def known_with_people(self, game: str) -> bool:
        """Whether a game is kept and has people playing in it."""
        kept = self._kept.look(game)
        return kept is not None and bool(kept.persons)

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

    def _caught_up(self, kept: Table) -> Table:
        """A kept table, brought up to date with what other processes have written since."""
        game = kept.game.id
        seats, events = self.store.fresh(game, kept.number)
        if seats != [row for row in kept.seats if row is not None]:
            self._kept.forget(game)
            return self._read(game)
        with _sound(game):
            for event in events:
                kept = kept.after(event)
        return self._kept.keep(kept) if events else kept


@contextmanager
def _sound(game: str) -> Iterator[None]:
    """Events were checked when they were written, so a fault in them is ours, not the reader's."""
    try:
        yield
    except _FAULTS as error:
        kind = type(error).__name__  # the message could give away a hand
        _log.error("Game %s is damaged: its events cannot be played again (%s).", game, kind)
        raise Damaged from error
