"""The deck: shuffled, face down, drawn from the top."""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from jaipur.rules.box import CAMEL, CAMELS_LAID_OUT, CARDS, KINDS

_WORD: Final = 20
"""Cards in one int, at 3 bits per card. A card is stored as its kind + 1, so that 0 means none."""

SHUFFLED: Final = vec[i64](
    [kind for kind in range(KINDS) for _ in range(CARDS[kind] - CAMELS_LAID_OUT * (kind == CAMEL))]
)
"""The 52 cards that are shuffled (R5), in their order before the shuffle."""


@final
class Deck:
    """Up to 40 cards in two ints, the top card in the lowest bits."""

    def __init__(self, cards: vec[i64], start: i64) -> None:
        self.size: i64 = i64(len(cards)) - start
        self._top = _pack(cards, start)
        self._rest = _pack(cards, start + _WORD)

    @staticmethod
    def of(kinds: list[int]) -> "Deck":
        """A deck from a list of cards, top first, for callers that are not compiled: see `Network.legal_values`."""
        return Deck(vec[i64](kinds), 0)

    def draw(self) -> i64:
        """Takes off the top card; the caller has made sure that there is one."""
        kind = (self._top & 7) - 1
        self._top >>= 3
        self.size -= 1
        if self._top == 0:
            self._top = self._rest
            self._rest = 0
        return kind

    def copy(self) -> "Deck":
        """The same cards in the same order."""
        other = Deck(_NO_CARDS, 0)
        other.size = self.size
        other._top = self._top
        other._rest = self._rest
        return other

    def kinds(self) -> list[int]:
        """The cards from the top down."""
        other = self.copy()
        return [other.draw() for _ in range(self.size)]

    def __reduce__(self) -> tuple[object, ...]:
        """How it is copied and pickled."""
        return _deck_of, (self.kinds(),)


_NO_CARDS: Final = vec[i64]()


def _deck_of(kinds: list[int]) -> Deck:
    return Deck.of(kinds)


def _pack(cards: vec[i64], start: i64) -> i64:
    word: i64 = 0
    for i in range(min(i64(len(cards)) - start, _WORD)):
        word |= (cards[start + i] + 1) << (3 * i)
    return word
