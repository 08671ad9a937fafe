"""One player's side of the table, and what the other player may know of it (R18 to R20)."""

from typing import final

from mypy_extensions import i64

from jaipur.rules.bag import count, kinds_mask, one, size
from jaipur.rules.bonus import BONUS_KINDS, bonus_value, pile_counts
from jaipur.rules.box import GOODS


@final
class Side:
    """A player's cards and tokens.

    `hidden` is the part of the hand that the opponent has never seen: cards from the deal. The rest of the hand was
    taken openly (R18). `bonus` is a bag of bonus tokens, counted by their nine kinds.
    """

    def __init__(self, hand: i64, herd: i64) -> None:
        self.hand = hand
        self.hidden = hand
        self.herd = herd
        self.goods_rupees: i64 = 0
        self.goods_tokens: i64 = 0
        self.bonus: i64 = 0

    def copy(self) -> "Side":
        """A copy that can be played on independently."""
        other = Side(self.hand, self.herd)
        other.become(self)
        return other

    def become(self, other: "Side") -> None:
        """Copies everything from another side."""
        self.hand = other.hand
        self.hidden = other.hidden
        self.herd = other.herd
        self.goods_rupees = other.goods_rupees
        self.goods_tokens = other.goods_tokens
        self.bonus = other.bonus

    def lose(self, goods: i64) -> None:
        """Gives or sells goods from the hand. Known cards go first: only what they cannot account for was hidden."""
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
        """How many bonus tokens this side has."""
        return size(pile_counts(self.bonus))

    def key(self) -> tuple[i64, ...]:
        """All its contents, for comparison."""
        return (self.hand, self.hidden, self.herd, self.goods_rupees, self.goods_tokens, self.bonus)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Side) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __reduce__(self) -> tuple[object, ...]:
        """How it is copied and pickled."""
        return side_of_key, self.key()


@final
class Rival:
    """What a player may know of the opponent.

    `known` is the part of the hand that was taken openly; the other cards of the hand are from the deal.
    `bonus_taken` counts the bonus tokens that came from each pile, as a bag.
    """

    def __init__(
        self, *, hand_size: i64, known: i64, herd: i64, goods_rupees: i64, goods_tokens: i64, bonus_taken: i64
    ) -> None:
        self.hand_size = hand_size
        self.known = known
        self.herd = herd
        self.goods_rupees = goods_rupees
        self.goods_tokens = goods_tokens
        self.bonus_taken = bonus_taken

    def see(self, side: Side) -> None:
        """Copies everything that the opponent of this side may know of it."""
        self.hand_size = size(side.hand)
        self.known = side.known
        self.herd = side.herd
        self.goods_rupees = side.goods_rupees
        self.goods_tokens = side.goods_tokens
        self.bonus_taken = pile_counts(side.bonus)

    def key(self) -> tuple[i64, ...]:
        """All its contents, for comparison."""
        return (self.hand_size, self.known, self.herd, self.goods_rupees, self.goods_tokens, self.bonus_taken)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rival) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __reduce__(self) -> tuple[object, ...]:
        """How it is copied and pickled."""
        return rival_of_key, self.key()


def side_of_key(hand: i64, hidden: i64, herd: i64, goods_rupees: i64, goods_tokens: i64, bonus: i64) -> Side:
    """The side with this key."""
    side = Side(hand, herd)
    side.hidden = hidden
    side.goods_rupees = goods_rupees
    side.goods_tokens = goods_tokens
    side.bonus = bonus
    return side


def rival_of_key(hand_size: i64, known: i64, herd: i64, goods_rupees: i64, goods_tokens: i64, bonus: i64) -> Rival:
    """The rival with this key."""
    return Rival(
        hand_size=hand_size,
        known=known,
        herd=herd,
        goods_rupees=goods_rupees,
        goods_tokens=goods_tokens,
        bonus_taken=bonus,
    )


def seen_by_opponent(side: Side) -> Rival:
    """What the opponent of this side may know of it."""
    return Rival(
        hand_size=size(side.hand),
        known=side.known,
        herd=side.herd,
        goods_rupees=side.goods_rupees,
        goods_tokens=side.goods_tokens,
        bonus_taken=pile_counts(side.bonus),
    )
