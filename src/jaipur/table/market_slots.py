"""Where the cards of the market lie: a card that stays in the market should also stay in its place."""

from collections.abc import Iterable
from typing import NamedTuple

from jaipur.match import Match
from jaipur.rules.bag import ONE_CAMEL, count, one
from jaipur.rules.box import CAMEL, KINDS, MARKET_SIZE
from jaipur.rules.move import Move
from jaipur.rules.round import Round

Slots = tuple[int | None, ...]
"""The kind of card in each of the five slots, or None for an empty one."""
_EMPTY: Slots = (None,) * MARKET_SIZE


class MarketSlots(NamedTuple):
    """The cards that lie in the market now, and those that the last move took, each in its old slot."""

    now: Slots
    left: Slots = _EMPTY

    def after(self, move: Move, market: int) -> "MarketSlots":
        """The slots after a move. New cards fill the gaps; the others stay."""
        camels = move.take == ONE_CAMEL and not move.give
        taken = self.now.count(CAMEL) * ONE_CAMEL if camels else move.take
        stay, left = list(self.now), list(_EMPTY)
        for slot, kind in enumerate(self.now):
            if kind is not None and count(taken, kind):
                taken -= one(kind)
                stay[slot], left[slot] = None, kind
        return MarketSlots(_filled(stay, market), tuple(left))


def first_slots(market: int) -> MarketSlots:
    """The market as it is laid out at the start of a round."""
    return MarketSlots(_filled(_EMPTY, market))


def slots_of(match: Match) -> MarketSlots:
    """The slots of the current round of a match, worked out from its moves."""
    replayed: Round = match.deal(len(match.rounds), match.round.starter)
    slots = first_slots(replayed.market)
    for move in match.round.moves:
        replayed.apply(move.code)
        slots = slots.after(move, replayed.market)
    return slots


def _filled(slots: Iterable[int | None], market: int) -> Slots:
    fresh = market - sum(one(kind) for kind in slots if kind is not None)
    cards = [kind for kind in range(KINDS) for _ in range(count(fresh, kind))]
    return tuple(kind if kind is not None else (cards.pop(0) if cards else None) for kind in slots)
