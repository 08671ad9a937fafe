"""Where a match stood before a move that is taken back later: whoever reads the game need not play to it again."""

from collections.abc import Iterable
from dataclasses import dataclass

from jaipur.match import Match
from jaipur.rules.move import Move
from jaipur.table.market_slots import Slots


@dataclass(frozen=True)
class Place:
    """A position. The moves that led to it are not kept: of a long game with many undos, the lists would be large."""

    bare: Match
    market_slots: Slots
    left_slots: Slots

    @classmethod
    def of(cls, match: Match, market_slots: Slots, left_slots: Slots) -> "Place":
        """Keeps a position."""
        bare = match.copy()
        bare.round.moves = []
        return cls(bare, market_slots, left_slots)

    @property
    def round(self) -> int:
        """The number of its round."""
        return len(self.bare.rounds)

    def match_after(self, moves: Iterable[Move]) -> Match:
        """The match again, with the moves of its round."""
        match = self.bare.copy()
        match.round.moves = list(moves)
        return match
