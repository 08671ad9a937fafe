"""What is in the box (R1 to R4), and the numbers that the rules give."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

DIAMOND: Final = 0
GOLD: Final = 1
SILVER: Final = 2
CLOTH: Final = 3
SPICE: Final = 4
LEATHER: Final = 5
CAMEL: Final = 6

GOODS: Final = 6
"""Kinds 0 to 5 are goods; the camel is kind 6."""
KINDS: Final = 7
LETTERS: Final = "DGSCPLM"

CARDS: Final = vec[i64]([6, 6, 6, 8, 8, 10, 11])
"""R1: how many cards of each kind there are, 55 in all."""

GOODS_TOKENS: Final = (
    (7, 7, 5, 5, 5),
    (6, 6, 5, 5, 5),
    (5, 5, 5, 5, 5),
    (5, 3, 3, 2, 2, 1, 1),
    (5, 3, 3, 2, 2, 1, 1),
    (4, 3, 2, 1, 1, 1, 1, 1, 1),
)
"""R2: the tokens of each good, the next one to take first."""

BONUS_TOKENS: Final = ((1, 1, 2, 2, 2, 3, 3), (4, 4, 5, 5, 6, 6), (8, 8, 9, 10, 10))
"""R3: the tokens for 3 cards, for 4, and for 5 or more."""
BONUS_PILES: Final = 3
BONUS_LOWEST: Final = vec[i64]([1, 4, 8])
"""Each bonus pile has three consecutive values, starting here."""
SMALLEST_BONUS_SALE: Final = 3

CAMEL_TOKEN: Final = 5
SEALS_TO_WIN: Final = 2

HAND_LIMIT: Final = 7
MARKET_SIZE: Final = 5
DEALT: Final = 5
DECK_SIZE: Final = 40
"""Cards in the deck after the deal."""
CAMELS_LAID_OUT: Final = 3
"""R5: this many camels go to the market before the shuffle."""
SMALLEST_EXCHANGE: Final = 2
PILES_TO_END: Final = 3
"""R22: the round ends when this many goods have no token left."""
QUIET_LIMIT: Final = 200
"""R25: a program may stop a round after this many turns without a sale or a card from the deck."""

PILE_SIZE: Final = vec[i64]([len(tokens) for tokens in GOODS_TOKENS])
_SPAN: Final = 11
_WORTH: Final = vec[i64]([sum(tokens[:n]) for tokens in GOODS_TOKENS for n in range(_SPAN)])


def worth(good: i64, tokens: i64) -> i64:
    """What the first `tokens` tokens of a good are worth together, as long as they last (R16)."""
    return _WORTH[good * _SPAN + tokens]


def bonus_pile(cards: i64) -> i64:
    """R17: the bonus pile that a sale of this many cards takes from, 0 to 2, or -1 for a sale that earns no bonus."""
    if cards < SMALLEST_BONUS_SALE:
        return -1
    return min(cards - SMALLEST_BONUS_SALE, BONUS_PILES - 1)


def smallest_sale(good: i64) -> i64:
    """R15: diamond, gold and silver are sold at least two at a time."""
    if good <= SILVER:
        return 2
    return 1
