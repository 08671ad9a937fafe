"""The levels, from easy to strong, and all other players by name. To add a level, add it to `LEVELS`."""

from collections.abc import Callable
from dataclasses import dataclass

from jaipur.bots.external import ExternalBot
from jaipur.bots.merchant import Broker, Merchant
from jaipur.bots.outsiders import OUTSIDERS
from jaipur.bots.player import Player
from jaipur.bots.shopkeeper import PEDLAR, TRADER, RandomBot, Shopkeeper
from jaipur.bots.vizier import Vizier
from jaipur.bots.weights import load_network, shipped_network
from jaipur.brain.network import Network
from jaipur.language import _
from jaipur.rules.errors import N_, JaipurError

EXEC = "exec:"


@dataclass(frozen=True)
class Level:
    """An opponent: its name in the code, its title, what a sentence calls it, a line about it, and how to make it.

    The words are in English and translated when shown. `with_network` makes the same player with other weights, if the
    level uses a network. Without `for_people`, a level is not offered to people as an opponent.
    """

    name: str
    title: str
    called: str
    character: str
    make: Callable[[], Player]
    with_network: Callable[[Network], Player] | None = None
    for_people: bool = True

    @property
    def shown_title(self) -> str:
        """The title in the current language."""
        return _(self.title)

    @property
    def shown_name(self) -> str:
        """What a sentence calls it, in the current language: `the Trader`."""
        return _(self.called)

    @property
    def shown_character(self) -> str:
        """The line about it, in the current language."""
        return _(self.character)


def shipped_vizier() -> Vizier:
    """The strongest level, which also gives the hints."""
    return Vizier(shipped_network("vizier"))


LEVELS = {
    level.name: level
    for level in (
        Level(
            "random",
            N_("Dice"),
            N_("the Dice"),
            N_("Rolls dice: any legal move. For measuring."),
            RandomBot,
            for_people=False,
        ),
        Level(
            "pedlar",
            N_("Pedlar"),
            N_("the Pedlar"),
            N_("Loves big sets, waits too long, and overlooks half the market."),
            lambda: Shopkeeper(PEDLAR),
        ),
        Level(
            "trader",
            N_("Trader"),
            N_("the Trader"),
            N_("Sensible: counts rupees and minds what it leaves you."),
            lambda: Shopkeeper(TRADER),
        ),
        Level(
            "broker",
            N_("Broker"),
            N_("the Broker"),
            N_("Knows what things are worth, but forgets what you took."),
            lambda: Broker(shipped_network("merchant")),
        ),
        Level(
            "merchant",
            N_("Merchant"),
            N_("the Merchant"),
            N_("Learned by playing against itself. Answers at once."),
            lambda: Merchant(shipped_network("merchant")),
            Merchant,
        ),
        Level(
            "vizier",
            N_("Vizier"),
            N_("the Vizier"),
            N_("Thinks ahead in hundreds of imagined markets. The strongest."),
            shipped_vizier,
            Vizier,
        ),
    )
}


def find_level(name: str) -> Level:
    """The level with this name."""
    if name not in LEVELS:
        raise JaipurError(N_("There is no opponent “{name}”: choose {names}."), name=name[:40], names=", ".join(LEVELS))
    return LEVELS[name]


def make_player(name: str) -> Player:
    """The player of this name: a level, an outsider, a level with other weights (`merchant:FILE`) or `exec:COMMAND`."""
    if name.startswith(EXEC):
        return ExternalBot(name.removeprefix(EXEC))
    level, colon, file = name.partition(":")
    if level in LEVELS and not colon:
        return LEVELS[level].make()
    if name in OUTSIDERS:
        return OUTSIDERS[name]()
    if level in LEVELS and (with_network := LEVELS[level].with_network) is not None:
        return with_network(load_network(file))
    raise JaipurError(
        N_("There is no player “{name}”: choose {names}, merchant:FILE, vizier:FILE or exec:COMMAND."),
        name=name[:40],
        names=", ".join((*LEVELS, *OUTSIDERS)),
    )
