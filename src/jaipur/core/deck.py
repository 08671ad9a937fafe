"""The deck and the bonus piles: shuffled, face down, drawn from the top."""

from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from jaipur.core.bag import count, one
from jaipur.core.box import BONUS_LOWEST, BONUS_PILES, BONUS_TOKENS, CAMEL, CAMELS_LAID_OUT, CARDS, KINDS
from jaipur.core.rng import Rng, shuffle

DECK_SIZE: Final = 40
_WORD: Final = 20
"""Cards in one int, at 3 bits a card. A card is stored as its kind + 1, so that 0 means none."""
_PILE_BITS: Final = 16
_PILE_MASK: Final = 0xFFFF

SHUFFLED: Final = vec[i64](
    [kind for kind in range(KINDS) for _ in range(CARDS[kind] - CAMELS_LAID_OUT * (kind == CAMEL))]
)
"""The 52 cards that are shuffled (R5), in the order before the shuffle."""


@final
class Deck:
    """Up to 40 cards in two ints, the top card in the lowest bits."""

    def __init__(self, cards: vec[i64], start: i64) -> None:
        self.size: i64 = i64(len(cards)) - start
        self._top = _pack(cards, start)
        self._rest = _pack(cards, start + _WORD)

    @staticmethod
    def of(kinds: list[int]) -> "Deck":
        """A deck by its cards from the top down, given as a list: see `Network.legal_values`."""
        return Deck(vec[i64](kinds), 0)

    def draw(self) -> i64:
        """Takes the top card off; the caller has seen that there is one."""
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


_NO_CARDS: Final = vec[i64]()


def _pack(cards: vec[i64], start: i64) -> i64:
    word: i64 = 0
    for i in range(min(i64(len(cards)) - start, _WORD)):
        word |= (cards[start + i] + 1) << (3 * i)
    return word


_BONUS_COUNTS: Final = vec[i64](
    [BONUS_TOKENS[pile].count(BONUS_LOWEST[pile] + step) for pile in range(BONUS_PILES) for step in range(3)]
)


def shuffled_bonus(pile: i64, seen: i64, rng: Rng) -> vec[i64]:
    """The tokens of a bonus pile without those that were seen, in random order, as 0, 1 or 2 above the lowest."""
    tokens = vec[i64](capacity=8)
    for step in range(i64(3)):
        kind = 3 * pile + step
        for _ in range(_BONUS_COUNTS[kind] - count(seen, kind)):
            tokens = append(tokens, step)
    shuffle(tokens, 0, rng)
    return tokens


def pack_bonus(pile: i64, tokens: vec[i64], start: i64) -> i64:
    """A bonus pile as bits of the int that holds all three: 2 bits a token, stored + 1, the top one lowest."""
    bits: i64 = 0
    for i in range(i64(len(tokens)) - start):
        bits |= (tokens[start + i] + 1) << (2 * i)
    return bits << (_PILE_BITS * pile)


def top_bonus(piles: i64, pile: i64) -> i64:
    """The kind of the top token of a bonus pile, or -1 when it is empty."""
    step = ((piles >> (_PILE_BITS * pile)) & 3) - 1
    if step < 0:
        return -1
    return 3 * pile + step


def without_top_bonus(piles: i64, pile: i64) -> i64:
    """The bonus piles after the top token of one was taken."""
    tokens = (piles >> (_PILE_BITS * pile)) & _PILE_MASK
    return piles ^ ((tokens ^ (tokens >> 2)) << (_PILE_BITS * pile))


def with_bonus_on_top(piles: i64, kind: i64) -> i64:
    """The bonus piles after a token of this kind has changed places with the top one of its pile."""
    top = _PILE_BITS * (kind // 3)
    token = kind % 3 + 1
    place = top
    while (piles >> place) & 3 != token:
        place += 2
    change = token ^ ((piles >> top) & 3)
    return piles ^ (change << top) ^ (change << place)


def bonus_kinds(piles: i64, pile: i64) -> list[int]:
    """The kinds of the tokens of a bonus pile from the top down."""
    kinds: list[int] = []
    while (kind := top_bonus(piles, pile)) >= 0:
        kinds.append(kind)
        piles = without_top_bonus(piles, pile)
    return kinds


def bonus_left(piles: i64) -> i64:
    """A bag of how many tokens each bonus pile has."""
    counts: i64 = 0
    for pile in range(i64(BONUS_PILES)):
        tokens = (piles >> (_PILE_BITS * pile)) & _PILE_MASK
        while tokens:
            counts += one(pile)
            tokens >>= 2
    return counts
