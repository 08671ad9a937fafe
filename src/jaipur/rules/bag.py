"""A bag: how many cards of each kind, in one int, 3 bits per kind.

The count of kind k sits in bits 3k to 3k+2, so the camels are on top. Adding puts cards into a bag, subtracting takes
them out. Three bits are enough: a hand holds at most 7 cards and a market 5.

The table at the end lists the sub-bags of every possible hand, grouped by size: the exchanges are slices of it.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i32, i64

from jaipur.rules.box import GOODS, HAND_LIMIT, KINDS, LETTERS

GOODS_MASK: Final = 0o777777
BAG_MASK: Final = 0o7777777
BAG_BITS: Final = 21
CAMEL_SHIFT: Final = 18
ONE_CAMEL: Final = 0o1000000
_LOWEST_BITS: Final = 0o1111111
_EVEN_KINDS: Final = 0o7070707


def one(kind: i64) -> i64:
    """The bag with a single card of this kind."""
    card: i64 = 1
    return card << (3 * kind)


def count(bag: i64, kind: i64) -> i64:
    """How many cards of this kind the bag holds."""
    return (bag >> (3 * kind)) & 7


def size(bag: i64) -> i64:
    """How many cards the bag holds."""
    pairs = (bag & _EVEN_KINDS) + ((bag >> 3) & _EVEN_KINDS)
    halves = pairs + (pairs >> 12)
    return (halves + (halves >> 6)) & 63


def kinds_mask(bag: i64) -> i64:
    """A mask with all three bits set for each kind in the bag."""
    return ((bag | (bag >> 1) | (bag >> 2)) & _LOWEST_BITS) * 7


def kind_of(bag: i64) -> i64:
    """The first kind in a bag that is not empty. In a sale it is the only one."""
    kind: i64 = 0
    while bag & 7 == 0:
        bag >>= 3
        kind += 1
    return kind


def letters(bag: int) -> str:
    """The cards as letters in the order of the notation: `DDGM`."""
    return "".join([LETTERS[kind] * count(bag, kind) for kind in range(KINDS)])


def all_hands() -> list[int]:
    """Every possible hand as a bag, 1,716 of them, ordered by number of diamonds, then of gold, and so on."""
    hands = [0]
    for good in range(GOODS):
        hands = [hand + n * one(good) for hand in hands for n in range(HAND_LIMIT + 1 - size(hand))]
    return hands


def _sub_bags_by_size(hand: int) -> list[list[int]]:
    sub_bags = [0]
    for good in range(GOODS):
        sub_bags = [bag + n * one(good) for bag in sub_bags for n in range(count(hand, good) + 1)]
    by_size: list[list[int]] = [[] for _ in range(HAND_LIMIT + 1)]
    for bag in sub_bags:
        by_size[size(bag)].append(bag)
    return by_size


def _tables() -> tuple[vec[i32], vec[i32], vec[i32]]:
    row = [0] * (GOODS_MASK + 1)
    first: list[int] = []
    sub_bags: list[int] = []
    for hand in all_hands():
        row[hand] = len(first)
        for group in _sub_bags_by_size(hand):
            first.append(len(sub_bags))
            sub_bags += group
        first.append(len(sub_bags))
    return vec[i32](row), vec[i32](first), vec[i32](sub_bags)


_TABLES: Final = _tables()
_ROW: Final = _TABLES[0]
_FIRST: Final = _TABLES[1]
SUB_BAGS: Final = _TABLES[2]


def first_sub_bag(hand: i64, cards: i64) -> i64:
    """Where a hand's sub-bags of this many cards begin in SUB_BAGS; they end where the next size begins."""
    return i64(_FIRST[i64(_ROW[hand]) + cards])


def count_sub_bags(hand: i64, fewest: i64, most: i64) -> i64:
    """How many sub-bags of a hand have from `fewest` to `most` cards."""
    row = i64(_ROW[hand])
    return i64(_FIRST[row + most + 1]) - i64(_FIRST[row + fewest])
