"""Saves the position before a move that is taken back later, so that loading a game need not replay up to it."""

from collections.abc import Iterable
from dataclasses import dataclass

from jaipur.match import Match
from jaipur.rules.move import Move
from jaipur.table.seen.market_slots import Slots


@dataclass(frozen=True)
class Place:
    """A position, without the moves that led to it: in a long game with many undos, those lists would be large."""

    bare: Match
    market_slots: Slots
    left_slots: Slots

    @classmethod
    def of(cls, match: Match, market_slots: Slots, left_slots: Slots) -> "Place":
        """Saves a position."""
        bare = match.copy()
        bare.round.moves = []
        return cls(bare, market_slots, left_slots)

    @property
    def round(self) -> int:
        """The number of its round."""
        return len(self.bare.rounds)

    def match_after(self, moves: Iterable[Move]) -> Match:
        """The match at this position, given the moves of its round."""
        match = self.bare.copy()
        match.round.moves = list(moves)
        return match
