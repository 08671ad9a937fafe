"""The trader: sensible, hand-written, looks at the table after its own move."""

from jaipur.core.bag import CAMEL_SHIFT, GOODS_MASK, ONE_CAMEL, count, size, tally
from jaipur.core.box import BONUS_PILES, GOODS, HAND_LIMIT, SMALLEST_BONUS_SALE, smallest_sale, worth
from jaipur.core.move import Move
from jaipur.core.rng import Rng
from jaipur.core.view import View

_HELD = 0.72
"""A card in the hand is worth less than the tokens it may bring: it must still be sold."""
_HERD = 1.1
_USEFUL_HERD = 5
_EXTRA_CAMEL = 0.3
_LEAD = 1.5
_LEFT_TO_RIVAL = 0.45
_UNKNOWN_CARD = 0.6
_CAMEL_FOR_RIVAL = 0.45
_MORE_OF_IT = 0.8
_SINGLE_PRECIOUS = 0.7
_BONUS = (0.0, 0.0, 0.0, 2.0, 5.0, 9.2, 9.2, 9.2)
_BONUS_HOPE = (0.0, 0.2, 0.9, 2.0, 4.2, 7.5, 7.5, 7.5)
"""What a set of so many cards of one good adds: in a sale, and in the hand, where it may still grow."""


class TraderBot:
    """Plays the move with the best estimate; ties are broken by chance."""

    def choose(self, view: View, rng: Rng) -> Move:
        """The move after which rupees, hand and herd look best and the market is poor for the rival."""
        best: list[Move] = []
        best_value = float("-inf")
        for move in view.legal_moves():
            value = self._value(view, move)
            if value > best_value:
                best, best_value = [move], value
            elif value == best_value:
                best.append(move)
        return best[rng.below(len(best))]

    def _value(self, view: View, move: Move) -> float:
        hand = view.me.hand + (move.take & GOODS_MASK) - (move.give & GOODS_MASK)
        if not move.take:
            return _sale(view, move.give) + _hand(view, hand) + _herd(view, view.me.herd)
        if move.take == ONE_CAMEL and not move.give:
            camels = view.market >> CAMEL_SHIFT
            left = _market(view, view.market & GOODS_MASK) + _UNKNOWN_CARD * float(camels)
            return _hand(view, hand) + _herd(view, view.me.herd + camels) - _LEFT_TO_RIVAL * left
        left = _market(view, view.market - move.take + move.give)
        return _hand(view, hand) + _herd(view, view.me.herd - (move.give >> CAMEL_SHIFT)) - _LEFT_TO_RIVAL * left


def _sale(view: View, goods: int) -> float:
    good = next(kind for kind in range(GOODS) if count(goods, kind))
    cards = count(goods, good)
    pile = min(cards - SMALLEST_BONUS_SALE, BONUS_PILES - 1)
    bonus = _BONUS[cards] if pile >= 0 and count(view.bonus_left, pile) else 0.0
    return _tokens(view, good, cards) + bonus


def _hand(view: View, hand: int) -> float:
    value = 0.0
    for good in range(GOODS):
        cards = count(hand, good)
        if cards:
            tokens = _tokens(view, good, cards)
            if cards < smallest_sale(good):
                tokens *= _SINGLE_PRECIOUS
            value += _HELD * (tokens + _BONUS_HOPE[cards])
    return value - (1.0 if size(hand) == HAND_LIMIT else 0.0)


def _tokens(view: View, good: int, cards: int) -> float:
    """What the next tokens of a good are worth."""
    sold = tally(view.discard, good)
    return float(worth(good, sold + cards) - worth(good, sold))


def _herd(view: View, herd: int) -> float:
    lead = _LEAD if herd > view.rival.herd else 0.0
    return _HERD * min(herd, _USEFUL_HERD) + _EXTRA_CAMEL * max(herd - _USEFUL_HERD, 0) + lead


def _market(view: View, market: int) -> float:
    """What the rival would gain from the best single card, or from the camels."""
    best = _CAMEL_FOR_RIVAL * float(market >> CAMEL_SHIFT)
    for good in range(GOODS):
        cards = count(market, good)
        if cards:
            best = max(best, _tokens(view, good, 1) + _MORE_OF_IT * float(cards))
    return best
