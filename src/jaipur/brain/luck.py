"""Luck, computed exactly: what the deck and the bonus piles gave, against the mean of what they could have given.

It needs the full round, so it is for after the end, never for a player at the table. Values here are seat 0's: what
the network thinks of the best move of the seat to move, or the result once the round is over.
"""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from jaipur.brain.network import Network
from jaipur.rules.bag import BAG_BITS, BAG_MASK, CAMEL_SHIFT, ONE_CAMEL, count, kind_of, one, size
from jaipur.rules.bonus import bonus_kinds, with_bonus_on_top
from jaipur.rules.box import KINDS, bonus_pile
from jaipur.rules.deck import Deck
from jaipur.rules.round import Round

_NO_MOVE: Final = vec[i64]([0])


def value(round_: Round, network: Network) -> float:
    """The probability that seat 0 wins the round, as the seat to move sees it."""
    if round_.over:
        return round_.score().result(0)
    network.best(round_.view(round_.turn))
    return _for_first(network.best_value, round_.turn)


def _for_first(chance: float, seat: i64) -> float:
    return chance if seat == 0 else 1.0 - chance


def refill_outcomes(round_: Round, code: i64, network: Network) -> list[tuple[int, int, float]]:
    """What the deck could have turned up after a move: each bag of cards, in how many ways, and the value then.

    The first outcome is what it did turn up. A move after which nothing is drawn has no outcomes.
    """
    counts = vec[i64]([0] * KINDS)
    cards = round_.deck.kinds()
    for kind in cards:
        counts[kind] += 1
    number = min(_drawn_cards(round_, code), i64(len(cards)))
    brought: i64 = 0
    for i in range(number):
        brought += one(cards[i])
    outcomes: list[tuple[int, int, float]] = []
    for bag in _bags(counts, number):
        outcome = (bag, _ways(counts, bag), _value_with(round_, code, counts, bag, network))
        if bag == brought:
            outcomes.insert(0, outcome)
        else:
            outcomes.append(outcome)
    return outcomes if number else []


def _drawn_cards(round_: Round, code: i64) -> i64:
    if code >> BAG_BITS:
        return 0
    return round_.market >> CAMEL_SHIFT if code == ONE_CAMEL else 1


def _value_with(round_: Round, code: i64, counts: vec[i64], bag: i64, network: Network) -> float:
    """The value after a move, if these cards come off the deck."""
    cards = vec[i64](capacity=40)
    for kind in range(i64(KINDS)):
        for _ in range(count(bag, kind)):
            cards = append(cards, kind)
    for kind in range(i64(KINDS)):
        for _ in range(counts[kind] - count(bag, kind)):
            cards = append(cards, kind)
    after = round_.copy()
    after.deck = Deck(cards, 0)
    after.apply(code)
    return value(after, network)


def _bags(counts: vec[i64], number: i64) -> vec[i64]:
    """Every bag of this many cards that the deck holds."""
    bags = append(vec[i64](capacity=8), i64(0))
    for kind in range(i64(KINDS)):
        longer = vec[i64](capacity=64)
        for bag in bags:
            left = number - size(bag)
            fewest = left if kind == KINDS - 1 else 0
            for more in range(fewest, min(counts[kind], left) + 1):
                longer = append(longer, bag + more * one(kind))
        bags = longer
    return bags


def _ways(counts: vec[i64], bag: i64) -> i64:
    """How many ways there are to draw these cards."""
    ways: i64 = 1
    for kind in range(i64(KINDS)):
        for i in range(count(bag, kind)):
            ways = ways * (counts[kind] - i)
        for i in range(count(bag, kind)):
            ways = ways // (i + 1)
    return ways


def bonus_outcomes(round_: Round, code: i64, network: Network) -> list[tuple[int, int, float]]:
    """The same for the bonus token of a sale: each kind of token, how many of them the pile had, and the value then.

    The rival does not see the token (R19), so the values are as its owner sees the table right after the sale.
    """
    if code & BAG_MASK:
        return []
    give = code >> BAG_BITS
    pile = bonus_pile(count(give, kind_of(give)))
    if pile < 0:
        return []
    tokens = bonus_kinds(round_.bonus_piles, pile)
    outcomes: list[tuple[int, int, float]] = []
    for kind in range(3 * pile, 3 * pile + 3):
        number = tokens.count(kind)
        if number:
            outcome = (kind, number, _value_with_token(round_, code, kind, network))
            if kind == tokens[0]:
                outcomes.insert(0, outcome)
            else:
                outcomes.append(outcome)
    return outcomes


def _value_with_token(round_: Round, code: i64, kind: i64, network: Network) -> float:
    owner = round_.turn
    after = round_.copy()
    after.bonus_piles = with_bonus_on_top(after.bonus_piles, kind)
    after.apply(code)
    if after.over:
        return after.score().result(0)
    return _for_first(network.values(after.view(owner), _NO_MOVE)[0], owner)
