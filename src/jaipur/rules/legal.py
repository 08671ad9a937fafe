"""The list of legal moves (R8 to R15)."""

from librt.vecs import append, vec
from mypy_extensions import i64

from jaipur.rules.bag import (
    BAG_BITS,
    CAMEL_SHIFT,
    GOODS_MASK,
    ONE_CAMEL,
    SUB_BAGS,
    count,
    first_sub_bag,
    kinds_mask,
    one,
    size,
)
from jaipur.rules.box import GOODS, HAND_LIMIT, MARKET_SIZE, SMALLEST_EXCHANGE, smallest_sale


def legal_codes(hand: i64, herd: i64, market: i64) -> vec[i64]:
    """All legal moves in a fixed order: takes, camels, sales, exchanges."""
    codes = vec[i64](capacity=32)
    if has_room(hand):
        for good in range(i64(GOODS)):
            if count(market, good):
                codes = append(codes, one(good))
    if market >= ONE_CAMEL:
        codes = append(codes, i64(ONE_CAMEL))
    for good in range(i64(GOODS)):
        for cards in range(smallest_sale(good), count(hand, good) + 1):
            codes = append(codes, (cards * one(good)) << BAG_BITS)
    return _append_exchanges(codes, hand, most_camels(hand, herd), market & GOODS_MASK)


def has_room(hand: i64) -> bool:
    """Whether the hand has room for one more card (R8)."""
    return size(hand) < HAND_LIMIT


def most_camels(hand: i64, herd: i64) -> i64:
    """How many camels an exchange may give: each one makes the hand a card larger (R13)."""
    return min(herd, HAND_LIMIT - size(hand))


def gives(hand: i64, take: i64, cards: i64, camels: i64) -> tuple[i64, i64]:
    """Where in SUB_BAGS the goods that may be given for a take of this many cards begin and end.

    None is of a kind that is taken (R11); where there are fewer than the take needs, camels fill the gap (R10, R13).
    """
    others = hand & ~kinds_mask(take)
    return first_sub_bag(others, max(cards - camels, 0)), first_sub_bag(others, cards + 1)


def _append_exchanges(codes: vec[i64], hand: i64, camels: i64, goods: i64) -> vec[i64]:
    for cards in range(i64(SMALLEST_EXCHANGE), i64(MARKET_SIZE + 1)):
        for i in range(first_sub_bag(goods, cards), first_sub_bag(goods, cards + 1)):
            take = i64(SUB_BAGS[i])
            first, end = gives(hand, take, cards, camels)
            for j in range(first, end):
                give = i64(SUB_BAGS[j])
                codes = append(codes, take | ((give + ((cards - size(give)) << CAMEL_SHIFT)) << BAG_BITS))
    return codes
