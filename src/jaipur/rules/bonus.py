"""Bonus tokens (R3, R17, R19): their kinds and values, and the three face-down piles in one int.

A pile has 16 bits, 2 per token, the top one lowest.
"""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from jaipur.rules.bag import count, one, size
from jaipur.rules.box import BONUS_LOWEST, BONUS_PILES, BONUS_TOKENS
from jaipur.rules.rng import Rng, shuffle

BONUS_KINDS: Final = 9
"""There are nine kinds of bonus token, three values in each of three piles: kind = 3 * pile + value - lowest."""
_PILE_BITS: Final = 16
_PILE_MASK: Final = 0xFFFF
_TOKENS: Final = 0x5555_5555_5555
_PAIRS: Final = 0x3333_3333_3333
_FOURS: Final = 0x0F0F_0F0F_0F0F
"""Masks that count the tokens of all piles at once: one by one, in pairs, in fours."""


def bonus_value(kind: i64) -> i64:
    """What a kind of bonus token is worth, in rupees."""
    return BONUS_LOWEST[kind // 3] + kind % 3


def bonus_values(bonus: i64) -> list[i64]:
    """What each token in a bag of bonus tokens is worth, lowest first."""
    return [bonus_value(kind) for kind in range(i64(BONUS_KINDS)) for _ in range(count(bonus, kind))]


def pile_counts(bonus: i64) -> i64:
    """How many tokens came from each of the three bonus piles, as a bag: what the opponent sees (R19)."""
    counts: i64 = 0
    for pile in range(i64(BONUS_PILES)):
        counts += size((bonus >> (9 * pile)) & 0o777) << (3 * pile)
    return counts


_BONUS_COUNTS: Final = vec[i64](
    [BONUS_TOKENS[pile].count(BONUS_LOWEST[pile] + step) for pile in range(BONUS_PILES) for step in range(3)]
)


def bonus_counts(seen: i64) -> i64:
    """How many bonus tokens of each kind have not been seen, as a bag."""
    counts: i64 = 0
    for kind in range(i64(BONUS_KINDS)):
        counts += (_BONUS_COUNTS[kind] - count(seen, kind)) * one(kind)
    return counts


def shuffled_bonus(pile: i64, seen: i64, rng: Rng) -> vec[i64]:
    """The tokens of a bonus pile except those already seen, in random order, as 0, 1 or 2 above the lowest."""
    tokens = vec[i64](capacity=8)
    for step in range(i64(3)):
        kind = 3 * pile + step
        for _ in range(_BONUS_COUNTS[kind] - count(seen, kind)):
            tokens = append(tokens, step)
    shuffle(tokens, 0, rng)
    return tokens


def pack_bonus(pile: i64, tokens: vec[i64], start: i64) -> i64:
    """A bonus pile as bits of the int that holds all three: 2 bits per token, stored plus 1, the top one lowest."""
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
    """The bonus piles after the top token of one of them is taken."""
    tokens = (piles >> (_PILE_BITS * pile)) & _PILE_MASK
    return piles ^ ((tokens ^ (tokens >> 2)) << (_PILE_BITS * pile))


def with_bonus_on_top(piles: i64, kind: i64) -> i64:
    """The bonus piles with a token of this kind swapped to the top of its pile."""
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
    """How many tokens each bonus pile has left, as a bag."""
    tokens = (piles | (piles >> 1)) & _TOKENS
    pairs = (tokens & _PAIRS) + ((tokens >> 2) & _PAIRS)
    fours = (pairs + (pairs >> 4)) & _FOURS
    counts = fours + (fours >> 8)
    return (counts & 7) | ((counts >> 13) & 0o70) | ((counts >> 26) & 0o700)
