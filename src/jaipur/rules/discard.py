"""The discard pile: every card sold, 4 bits per good, since it can hold ten leather.

It also tells how many tokens of a good are gone: each card sold takes one, as long as they last (R16).
"""

from mypy_extensions import i64

from jaipur.rules.box import GOODS, GOODS_TOKENS, PILE_SIZE, worth


def discarded(discard: i64, good: i64) -> i64:
    """How many cards of a good have been sold."""
    return (discard >> (4 * good)) & 15


def with_discarded(discard: i64, good: i64, cards: i64) -> i64:
    """The discard pile with more cards of a good on top."""
    return discard + (cards << (4 * good))


def sale_rupees(discard: i64, good: i64, cards: i64) -> i64:
    """What a sale brings in goods tokens, its bonus token left aside (R16)."""
    before = discarded(discard, good)
    return worth(good, before + cards) - worth(good, before)


def tokens_left(discard: i64, good: i64) -> tuple[int, ...]:
    """The tokens left of a good, the next one to take first (R2)."""
    return GOODS_TOKENS[good][discarded(discard, good) :]


def piles_gone(discard: i64) -> i64:
    """How many goods have no token left (R22)."""
    gone: i64 = 0
    for good in range(i64(GOODS)):
        if discarded(discard, good) >= PILE_SIZE[good]:
            gone += 1
    return gone
