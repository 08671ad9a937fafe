"""Full rounds that agree with a view, for players that think by trying moves out (R18 to R21)."""

from librt.vecs import append, vec
from mypy_extensions import i64

from jaipur.rules.bag import count, one, size
from jaipur.rules.bonus import pack_bonus, shuffled_bonus
from jaipur.rules.box import BONUS_PILES, CAMEL, CARDS, GOODS
from jaipur.rules.deck import Deck
from jaipur.rules.discard import discarded
from jaipur.rules.rng import Rng, shuffle
from jaipur.rules.round import Round
from jaipur.rules.score import Ending
from jaipur.rules.side import Side
from jaipur.rules.view import View


def determinize(view: View, rng: Rng) -> Round:
    """A full round that this seat cannot tell from the real one, every hidden arrangement equally likely.

    The opponent's unseen cards are goods from the deal (R6); the rest of the box is the deck, in any order.
    """
    cards = vec[i64](capacity=64)
    for good in range(i64(GOODS)):
        for _ in range(unseen(view, good)):
            cards = append(cards, good)
    shuffle(cards, 0, rng)
    return world_with(view, cards, rng)


def world_with(view: View, cards: vec[i64], rng: Rng) -> Round:
    """A full round from the unseen goods: the first ones fill up the opponent's hand, the others go into the deck."""
    rival = Side(view.rival.known, view.rival.herd)
    rival.hidden = 0
    start = view.rival.hand_size - size(rival.hand)
    for i in range(start):
        rival.hidden += one(cards[i])
    rival.hand += rival.hidden
    rival.goods_rupees = view.rival.goods_rupees
    rival.goods_tokens = view.rival.goods_tokens
    for _ in range(unseen(view, CAMEL)):
        cards = append(cards, CAMEL)
    shuffle(cards, start, rng)
    piles: i64 = 0
    for pile in range(i64(BONUS_PILES)):
        tokens = shuffled_bonus(pile, view.me.bonus, rng)
        taken = count(view.rival.bonus_taken, pile)
        for i in range(taken):
            rival.bonus += one(3 * pile + tokens[i])
        piles |= pack_bonus(pile, tokens, taken)
    return _round(view, rival, Deck(cards, start), piles)


def unseen(view: View, kind: i64) -> i64:
    """How many cards of a kind the seat has not seen: they are in the deck or in the opponent's hand."""
    number = CARDS[kind] - count(view.market, kind)
    if kind == CAMEL:
        return number - view.me.herd - view.rival.herd
    return number - count(view.me.hand, kind) - count(view.rival.known, kind) - discarded(view.discard, kind)


def _round(view: View, rival: Side, deck: Deck, piles: i64) -> Round:
    first = view.me.copy()
    second = rival
    if view.seat == 1:
        first, second = second, first
    world = Round(first, second, view.market, deck, piles, view.starter)
    world.turn = view.turn
    world.discard = view.discard
    world.quiet = view.quiet
    if view.over:
        world.ending = Ending.STOPPED
    return world
