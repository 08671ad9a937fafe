"""One player's side of the table."""

from typing import Final, final

from mypy_extensions import i64

from jaipur.core.bag import count, kinds_mask, one, size
from jaipur.core.box import BONUS_LOWEST, BONUS_PILES, GOODS

BONUS_KINDS: Final = 9
"""A bonus token is of one of nine kinds, three values in each of three piles: kind = 3 * pile + value - lowest."""


@final
class Trader:
    """A player's cards and tokens.

    `hidden` is the part of the hand that the opponent has never seen: cards of the deal. The rest of the hand was
    taken in the open (R18). `bonus` is a bag of bonus tokens, counted by their nine kinds.
    """

    def __init__(self, hand: i64, herd: i64) -> None:
        self.hand = hand
        self.hidden = hand
        self.herd = herd
        self.goods_rupees: i64 = 0
        self.goods_tokens: i64 = 0
        self.bonus: i64 = 0

    def copy(self) -> "Trader":
        """The same side of the table, to be played on separately."""
        other = Trader(self.hand, self.herd)
        other.hidden = self.hidden
        other.goods_rupees = self.goods_rupees
        other.goods_tokens = self.goods_tokens
        other.bonus = self.bonus
        return other

    def lose(self, goods: i64) -> None:
        """Gives or sells goods of the hand. Whatever the open cards cannot explain was hidden until now."""
        self.hand -= goods
        if self.hidden & kinds_mask(goods):
            for good in range(i64(GOODS)):
                shown = count(self.hidden, good) - count(self.hand, good)
                if shown > 0:
                    self.hidden -= shown * one(good)

    @property
    def known(self) -> i64:
        """The part of the hand that the opponent knows."""
        return self.hand - self.hidden

    @property
    def bonus_rupees(self) -> i64:
        """What the bonus tokens are worth."""
        rupees: i64 = 0
        for kind in range(i64(BONUS_KINDS)):
            rupees += count(self.bonus, kind) * bonus_value(kind)
        return rupees

    @property
    def bonus_tokens(self) -> i64:
        """How many bonus tokens there are."""
        return size(pile_counts(self.bonus))

    def key(self) -> tuple[i64, ...]:
        """All that it holds, to compare."""
        return (self.hand, self.hidden, self.herd, self.goods_rupees, self.goods_tokens, self.bonus)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trader) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())


def bonus_value(kind: i64) -> i64:
    """The rupees of a kind of bonus token."""
    return BONUS_LOWEST[kind // 3] + kind % 3


def bonus_values(bonus: i64) -> list[i64]:
    """The rupees of each token in a bag of bonus tokens, the lowest first."""
    return [bonus_value(kind) for kind in range(i64(BONUS_KINDS)) for _ in range(count(bonus, kind))]


def pile_counts(bonus: i64) -> i64:
    """A bag of how many tokens came from each of the three bonus piles: what the opponent sees (R19)."""
    counts: i64 = 0
    for pile in range(i64(BONUS_PILES)):
        counts += size((bonus >> (9 * pile)) & 0o777) << (3 * pile)
    return counts
