"""Random rounds, every legal move equally likely: the benchmark of the rules, and their fingerprint."""

from typing import Final, NamedTuple, final

from librt.vecs import vec
from mypy_extensions import i64

from jaipur.rules.bag import (
    BAG_BITS,
    CAMEL_SHIFT,
    GOODS_MASK,
    ONE_CAMEL,
    SUB_BAGS,
    count,
    count_sub_bags,
    first_sub_bag,
    kinds_mask,
    one,
    size,
)
from jaipur.rules.box import GOODS, HAND_LIMIT, MARKET_SIZE, SMALLEST_EXCHANGE, smallest_sale
from jaipur.rules.legal import most_camels
from jaipur.rules.rng import Rng
from jaipur.rules.round import Round

_TAKES: Final = 26
"""How many takes an exchange can choose from when all five goods in the market differ: sub-bags of 2 to 5 cards."""


@final
class RandomMover:
    """Plays random legal moves, all equally likely, found by counting the moves instead of listing them.

    `moves_seen` adds up how many moves it chose from.
    """

    def __init__(self, rng: Rng) -> None:
        self.rng = rng
        self.moves_seen: i64 = 0
        self._ways = vec[i64]([0] * _TAKES)

    def choose(self, hand: i64, herd: i64, market: i64) -> i64:
        """The code of a legal move, each equally likely."""
        room = HAND_LIMIT - size(hand)
        singles: i64 = 0
        sales: i64 = 0
        for good in range(i64(GOODS)):
            if room and count(market, good):
                singles += 1
            sales += _ways_to_sell(hand, good)
        others = sales + singles
        if market >= ONE_CAMEL:
            others += 1
        camels = most_camels(hand, herd)
        total = others + self._count_exchanges(hand, camels, market & GOODS_MASK)
        self.moves_seen += total
        pick = self.rng.below(total)
        if pick >= others:
            return self._exchange(hand, camels, market & GOODS_MASK, pick - others)
        if pick < sales:
            return _nth_sale(hand, pick)
        if pick < sales + singles:
            return _nth_single(market, pick - sales)
        return ONE_CAMEL

    def _count_exchanges(self, hand: i64, camels: i64, goods: i64) -> i64:
        ways = self._ways
        total: i64 = 0
        slot: i64 = 0
        i = first_sub_bag(goods, SMALLEST_EXCHANGE)
        for cards in range(i64(SMALLEST_EXCHANGE), i64(MARKET_SIZE + 1)):
            fewest = max(cards - camels, 0)
            end = first_sub_bag(goods, cards + 1)
            while i < end:
                number = count_sub_bags(hand & ~kinds_mask(i64(SUB_BAGS[i])), fewest, cards)
                ways[slot] = number
                total += number
                slot += 1
                i += 1
        return total

    def _exchange(self, hand: i64, camels: i64, goods: i64, pick: i64) -> i64:
        slot: i64 = 0
        while pick >= self._ways[slot]:
            pick -= self._ways[slot]
            slot += 1
        take = i64(SUB_BAGS[first_sub_bag(goods, SMALLEST_EXCHANGE) + slot])
        cards = size(take)
        others = hand & ~kinds_mask(take)
        give = i64(SUB_BAGS[first_sub_bag(others, max(cards - camels, 0)) + pick])
        return take | ((give + ((cards - size(give)) << CAMEL_SHIFT)) << BAG_BITS)


def _ways_to_sell(hand: i64, good: i64) -> i64:
    return max(count(hand, good) - smallest_sale(good) + 1, 0)


def _nth_sale(hand: i64, pick: i64) -> i64:
    good: i64 = 0
    while pick >= _ways_to_sell(hand, good):
        pick -= _ways_to_sell(hand, good)
        good += 1
    return ((pick + smallest_sale(good)) * one(good)) << BAG_BITS


def _nth_single(market: i64, pick: i64) -> i64:
    good: i64 = 0
    while True:
        if count(market, good):
            if pick == 0:
                return one(good)
            pick -= 1
        good += 1


class Playouts(NamedTuple):
    """Totals over some random rounds."""

    turns: int
    moves_seen: int


def random_turns(round_: Round, mover: RandomMover) -> i64:
    """Plays a round to its end and returns the number of turns."""
    turns: i64 = 0
    while not round_.over:
        me = round_.second if round_.turn else round_.first
        round_.apply(mover.choose(me.hand, me.herd, round_.market))
        turns += 1
    return turns


def random_rounds(rounds: i64, rng: Rng) -> Playouts:
    """Plays whole rounds from the deal to the end."""
    mover = RandomMover(rng)
    turns: i64 = 0
    for _ in range(rounds):
        turns += random_turns(Round.deal(rng), mover)
    return Playouts(turns, mover.moves_seen)
