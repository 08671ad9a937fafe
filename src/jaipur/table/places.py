"""Where the cards of the market lie: people do not want a card to move that stays."""

from jaipur.core.bag import count, one
from jaipur.core.box import KINDS

MARKET_PLACES = 5


def without(places: list[int | None], taken: int) -> list[int | None]:
    """The market after cards were taken from their places."""
    left: list[int | None] = []
    for kind in places:
        if kind is not None and count(taken, kind):
            taken -= one(kind)
            left.append(None)
        else:
            left.append(kind)
    return left


def laid_out(places: list[int | None], market: int) -> list[int | None]:
    """Puts the new cards of the market on free places, so that no card moves that stays."""
    fresh = market - sum(one(kind) for kind in places if kind is not None)
    cards = [kind for kind in range(KINDS) for _ in range(count(fresh, kind))]
    laid = [*places, *[None] * (MARKET_PLACES - len(places))]
    return [kind if kind is not None else (cards.pop(0) if cards else None) for kind in laid]
