"""The levels by name, from gentle to strong."""

from collections.abc import Callable
from dataclasses import dataclass

from jaipur.bots.dice import RandomBot
from jaipur.bots.merchant import Broker, Merchant, Vizier
from jaipur.bots.player import Player
from jaipur.bots.shopkeeper import PEDLAR, TRADER, Shopkeeper
from jaipur.bots.weights import shipped_network
from jaipur.core.errors import N_, JaipurError

_UNSURE = 0.06


@dataclass(frozen=True)
class Level:
    """An opponent: its name, one line about it, and how to make it."""

    name: str
    character: str
    make: Callable[[], Player]


def shipped_vizier() -> Vizier:
    """The strongest level, which also gives the hints."""
    return Vizier(shipped_network("vizier"), shipped_network("merchant"))


LEVELS = {
    level.name: level
    for level in (
        Level("random", N_("Rolls dice: any legal move. For measuring."), RandomBot),
        Level(
            "pedlar", N_("Loves big sets, waits too long, and overlooks half the market."), lambda: Shopkeeper(PEDLAR)
        ),
        Level("trader", N_("Sensible: counts rupees and minds what it leaves you."), lambda: Shopkeeper(TRADER)),
        Level(
            "broker",
            N_("Knows what things are worth, but forgets what you took."),
            lambda: Broker(shipped_network("merchant"), _UNSURE),
        ),
        Level(
            "merchant",
            N_("Learned by playing against itself. Answers at once."),
            lambda: Merchant(shipped_network("merchant")),
        ),
        Level(
            "vizier",
            N_("Thinks ahead in hundreds of imagined markets. The strongest."),
            shipped_vizier,
        ),
    )
}


def find_level(name: str) -> Level:
    """The level of this name."""
    if name not in LEVELS:
        raise JaipurError(N_("There is no opponent “{name}”: choose {names}."), name=name[:40], names=", ".join(LEVELS))
    return LEVELS[name]


def make_player(name: str) -> Player:
    """The player of a level."""
    return find_level(name).make()
