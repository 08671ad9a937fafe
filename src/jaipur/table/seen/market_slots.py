"""Where the cards of the market lie: a card that stays in the market should also stay in its place."""

from jaipur.match import Match
from jaipur.rules.bag import CAMEL_SHIFT, ONE_CAMEL, count, one
from jaipur.rules.box import KINDS, MARKET_SIZE
from jaipur.rules.move import Move
from jaipur.rules.round import Round

Slots = tuple[int | None, ...]
"""The kind of card in each of the five slots, or None for an empty one."""
NOTHING_LEFT: Slots = (None,) * MARKET_SIZE


def first_slots(market: int) -> Slots:
    """The market as it is laid out at the start of a round."""
    return _filled(NOTHING_LEFT, market)


def slots_after(slots: Slots, before: int, move: Move, after: int) -> tuple[Slots, Slots]:
    """The slots after a move, and the cards it took, each in its old slot. New cards fill the gaps; the others stay."""
    camels = move.take == ONE_CAMEL and not move.give
    taken = before >> CAMEL_SHIFT << CAMEL_SHIFT if camels else move.take
    emptied = _emptied(slots, taken)
    left = tuple(card if now is None else None for card, now in zip(slots, emptied, strict=True))
    return _filled(emptied, after), left


def slots_of(match: Match) -> tuple[Slots, Slots]:
    """The slots of the current round of a match, and what its last move took, worked out from the moves."""
    played = match.round
    replayed: Round = match.deal(len(match.rounds), played.starter)
    slots, left = first_slots(replayed.market), NOTHING_LEFT
    for move in played.moves:
        before = replayed.market
        replayed.apply(move.code)
        slots, left = slots_after(slots, before, move, replayed.market)
    return slots, left


def _emptied(slots: Slots, taken: int) -> Slots:
    left: list[int | None] = []
    for kind in slots:
        if kind is not None and count(taken, kind):
            taken -= one(kind)
            left.append(None)
        else:
            left.append(kind)
    return tuple(left)


def _filled(slots: Slots, market: int) -> Slots:
    fresh = market - sum(one(kind) for kind in slots if kind is not None)
    cards = [kind for kind in range(KINDS) for _ in range(count(fresh, kind))]
    return tuple(kind if kind is not None else (cards.pop(0) if cards else None) for kind in slots)
