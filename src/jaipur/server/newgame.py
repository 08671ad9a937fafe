"""Sets up games of all kinds, from a form or from the API."""

from dataclasses import dataclass

from jaipur.bots import LEVELS, find_level
from jaipur.core.errors import N_, JaipurError
from jaipur.i18n import _
from jaipur.record import Record, bot_of
from jaipur.server.house import Guest, House, clean_key, clean_name, fitting_name
from jaipur.table import Company, GameKind
from jaipur.words import level_name

_GUIDE = "pedlar"


@dataclass(frozen=True)
class Wish:
    """What somebody wants to play."""

    kind: str
    level: str = "trader"
    level2: str = "merchant"
    name: str = ""
    name2: str = ""
    watchable: bool = False
    key: str = ""


def set_up(house: House, guest: Guest, wish: Wish) -> str:
    """The id of the game that was set up."""
    return house.tables.create(_company(guest.sit(), wish), guest.token, clean_key(wish.key) or "")


def _company(me: str, wish: Wish) -> Company:
    if wish.kind not in set(GameKind):
        raise JaipurError(
            N_("There is no game of the kind “{kind}”: choose {kinds}."),
            kind=wish.kind[:40],
            kinds=", ".join(GameKind),
        )
    name = clean_name(wish.name, _("Guest"))
    match GameKind(wish.kind):
        case GameKind.FRIEND:
            return Company(GameKind.FRIEND, (name, ""), holders=(me, None), watchable=wish.watchable)
        case GameKind.ONE_SCREEN:
            names = clean_name(wish.name, _("Player 1")), clean_name(wish.name2, _("Player 2"))
            return Company(GameKind.ONE_SCREEN, names, holders=(me, me))
        case GameKind.WATCH:
            levels = find_level(wish.level).name, find_level(wish.level2).name
            return Company(GameKind.WATCH, (level_name(levels[0]), level_name(levels[1])), levels, watchable=True)
        case kind:
            level = _GUIDE if kind is GameKind.GUIDED else find_level(wish.level).name
            return Company(kind, (name, level_name(level)), (None, level), (me, None), wish.watchable)


def take_in(house: House, guest: Guest, text: str, key: str) -> str:
    """A game from a record: to replay when it is over, to go on with otherwise."""
    record = Record.parse(text)
    me = guest.sit()
    levels = _bot_level(record.players[0]), _bot_level(record.players[1])
    names = _seat_name(record.players[0], _("Player 1")), _seat_name(record.players[1], _("Player 2"))
    holders = None if levels[0] else me, None if levels[1] else me
    kind = GameKind.WATCH if all(levels) else GameKind.BOT if any(levels) else GameKind.ONE_SCREEN
    company = Company(kind, names, levels, holders, watchable=all(levels))
    return house.tables.create(company, guest.token, clean_key(key) or "", record.match)


def _seat_name(name: str, otherwise: str) -> str:
    level = _bot_level(name)
    return fitting_name(name[:30], otherwise) if level is None else level_name(level)


def _bot_level(name: str) -> str | None:
    level = bot_of(name)
    return level if level in LEVELS else None
