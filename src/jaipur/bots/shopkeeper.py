"""The players without a network: random, pedlar and trader. They look no further than their own move."""

from dataclasses import dataclass

from jaipur.bots.player import Budget
from jaipur.rules.bag import CAMEL_SHIFT, GOODS_MASK, ONE_CAMEL, count, kind_of, size
from jaipur.rules.box import GOODS, HAND_LIMIT, bonus_pile, smallest_sale
from jaipur.rules.discard import sale_rupees
from jaipur.rules.move import Move
from jaipur.rules.rng import Rng
from jaipur.rules.view import View

_SALE_BONUS = (0.0, 0.0, 0.0, 2.0, 5.0, 9.2, 9.2, 9.2)
"""The average bonus of a sale, by number of cards (R3)."""


@dataclass(frozen=True)
class Temperament:
    """What a hand-written player believes things are worth, in rupees."""

    held: float
    """The value of a rupee that the hand may still bring."""
    hope: tuple[float, ...]
    """What a set in the hand is worth beyond its tokens, by size: the bonus it may bring."""
    single_precious: float
    """What fraction of its token a single diamond, gold or silver is worth: it cannot be sold alone (R15)."""
    full_hand: float
    camel: float
    useful_herd: int
    spare_camel: float
    camel_lead: float
    left_to_rival: float
    """What fraction of the best that the market then offers the rival counts against a move."""
    rival_camel: float
    rival_pair: float
    unknown_card: float
    """What each card that the deck will turn up is worth to the rival."""
    overlooks: float = 0.0
    """The fraction of exchanges that it overlooks."""


TRADER = Temperament(
    held=0.72,
    hope=(0.0, 0.2, 0.9, 2.0, 4.2, 7.5, 7.5, 7.5),
    single_precious=0.7,
    full_hand=1.0,
    camel=1.1,
    useful_herd=5,
    spare_camel=0.3,
    camel_lead=1.5,
    left_to_rival=0.45,
    rival_camel=0.45,
    rival_pair=0.8,
    unknown_card=0.6,
)
PEDLAR = Temperament(
    held=0.95,
    hope=(0.0, 0.5, 1.5, 4.0, 7.0, 10.0, 10.0, 10.0),
    single_precious=1.0,
    full_hand=0.0,
    camel=0.5,
    useful_herd=3,
    spare_camel=0.1,
    camel_lead=0.0,
    left_to_rival=0.0,
    rival_camel=0.0,
    rival_pair=0.0,
    unknown_card=0.0,
    overlooks=0.6,
)


class RandomBot:
    """Knows the rules and nothing else. For measuring."""

    def choose(self, view: View, budget: Budget, rng: Rng) -> Move:
        """Any legal move, each equally likely."""
        moves = view.legal_moves()
        return moves[rng.below(len(moves))]


class Shopkeeper:
    """Plays the move after which rupees, hand and herd look best to its temperament; ties are broken at random."""

    def __init__(self, temper: Temperament) -> None:
        self.temper = temper

    def choose(self, view: View, budget: Budget, rng: Rng) -> Move:
        """The best of the moves it notices."""
        best: list[Move] = []
        best_value = float("-inf")
        for move in view.legal_moves():
            if best and move.take and move.give and self._overlooks(rng):
                continue
            value = self._value(view, move)
            if value > best_value:
                best, best_value = [move], value
            elif value == best_value:
                best.append(move)
        return best[rng.below(len(best))]

    def _overlooks(self, rng: Rng) -> bool:
        return self.temper.overlooks > 0 and float(rng.below(1000)) < 1000 * self.temper.overlooks

    def _value(self, view: View, move: Move) -> float:
        hand = self._hand(view, view.me.hand + (move.take & GOODS_MASK) - (move.give & GOODS_MASK))
        if not move.take:
            return _sale(view, move.give) + hand + self._herd(view, view.me.herd)
        if move.take == ONE_CAMEL:
            camels = view.market >> CAMEL_SHIFT
            left = self._market(view, view.market & GOODS_MASK) + self.temper.unknown_card * float(camels)
            return hand + self._herd(view, view.me.herd + camels) - self.temper.left_to_rival * left
        left = self._market(view, view.market - move.take + move.give)
        herd = self._herd(view, view.me.herd - (move.give >> CAMEL_SHIFT))
        return hand + herd - self.temper.left_to_rival * left

    def _hand(self, view: View, hand: int) -> float:
        value = 0.0
        for good in range(GOODS):
            cards = count(hand, good)
            if cards:
                tokens = _tokens(view, good, cards)
                if cards < smallest_sale(good):
                    tokens *= self.temper.single_precious
                value += self.temper.held * (tokens + self.temper.hope[cards])
        return value - (self.temper.full_hand if size(hand) == HAND_LIMIT else 0.0)

    def _herd(self, view: View, herd: int) -> float:
        temper = self.temper
        lead = temper.camel_lead if herd > view.rival.herd else 0.0
        spare = max(herd - temper.useful_herd, 0)
        return temper.camel * float(herd - spare) + temper.spare_camel * float(spare) + lead

    def _market(self, view: View, market: int) -> float:
        """What the best offer in the market would bring the rival: one kind of good, or the camels."""
        best = self.temper.rival_camel * float(market >> CAMEL_SHIFT)
        for good in range(GOODS):
            cards = count(market, good)
            if cards:
                best = max(best, _tokens(view, good, 1) + self.temper.rival_pair * float(cards))
        return best


def _sale(view: View, goods: int) -> float:
    good = kind_of(goods)
    cards = count(goods, good)
    pile = bonus_pile(cards)
    bonus = _SALE_BONUS[cards] if pile >= 0 and count(view.bonus_left, pile) else 0.0
    return _tokens(view, good, cards) + bonus


def _tokens(view: View, good: int, cards: int) -> float:
    """What the next tokens of a good are worth."""
    return float(sale_rupees(view.discard, good, cards))
