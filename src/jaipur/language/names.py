"""What the two players of a match are called."""

from jaipur.language.words import deed_in_words, own_deed_in_words
from jaipur.rules.move import Move


class Names:
    """Both players' names on their own (`Trader`) and inside a sentence (`the Trader`); `you` is a seat called so."""

    def __init__(self, shown: tuple[str, str], inside: tuple[str, str], you: int | None = None) -> None:
        self.shown = shown
        self._inside = inside
        self._you = you

    def is_you(self, seat: int) -> bool:
        """Whether sentences address this player as `you`."""
        return seat == self._you

    def called(self, seat: int) -> str:
        """The name within a sentence: `the Trader`, `Ann`."""
        return self._inside[seat]

    def rival(self, seat: int) -> str:
        """What sentences about this player's moves call the other player; empty where that would be `you`."""
        return "" if self.is_you(1 - seat) else self.called(1 - seat)

    def deed(self, seat: int, move: Move) -> str:
        """What this player did: `You take the gold`, `The Trader takes the gold`."""
        return own_deed_in_words(move) if self.is_you(seat) else deed_in_words(self.called(seat), move)
