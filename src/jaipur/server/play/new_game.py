"""Sets up games of all kinds, from a form or from the API."""

from dataclasses import dataclass, replace

from jaipur.bots import LEVELS, find_level
from jaipur.match import Match
from jaipur.record import Record, bot_of
from jaipur.rules.errors import N_, JaipurError
from jaipur.server.lesson.lesson_script import SEED
from jaipur.server.people.person import clean_avatar
from jaipur.server.services import Guest, Services, clean_key, clean_name, fitting_name
from jaipur.table import GameKind, Seating, Table
from jaipur.table.clock import PACES

_GUIDE = "pedlar"
_USED = {
    GameKind.BOT: {"level", "name", "watchable", "avatar"},
    GameKind.GUIDED: {"name", "watchable", "avatar"},
    GameKind.FRIEND: {"name", "watchable", "avatar", "pace"},
    GameKind.ONE_SCREEN: {"name", "name2"},
    GameKind.WATCH: {"level", "level2"},
}
"""What can be chosen for a game of each kind."""


@dataclass(frozen=True)
class GameRequest:
    """What somebody wants to play."""

    kind: str
    level: str = "trader"
    level2: str = "merchant"
    name: str = ""
    name2: str = ""
    watchable: bool = False
    key: str = ""
    avatar: str = ""
    pace: str = ""


def set_up(services: Services, guest: Guest, wanted: GameRequest) -> Table:
    """Sets up a game."""
    holder = guest.required_holder()
    known = services.people.person(holder)
    name, avatar = clean_name(wanted.name) or known.name, clean_avatar(wanted.avatar) or known.avatar
    seating = _seating(holder, replace(wanted, name=name, avatar=avatar))
    dealt = Match(SEED) if seating.kind is GameKind.GUIDED else None
    return services.tables.create(seating, guest.secret, clean_key(wanted.key) or "", dealt)


def check_used(kind: GameKind, fields: set[str]) -> None:
    """Refuses what a program sends and a game of this kind does not use. Forms send the fields of every kind."""
    unused = sorted(fields - _USED[kind])
    if unused:
        raise JaipurError(
            N_("Leave out what a game of the kind “{kind}” does not use: {fields}."),
            kind=kind,
            fields=", ".join(unused),
        )


def _seating(me: str, wanted: GameRequest) -> Seating:
    if wanted.kind not in set(GameKind):
        raise JaipurError(
            N_("There is no game of the kind “{kind}”: choose {kinds}."),
            kind=wanted.kind[:40],
            kinds=", ".join(GameKind),
        )
    name, avatars = wanted.name, (wanted.avatar, "")
    match GameKind(wanted.kind):
        case GameKind.FRIEND:
            return Seating(
                GameKind.FRIEND,
                (name, ""),
                holders=(me, None),
                watchable=wanted.watchable,
                avatars=avatars,
                pace=_clean_pace(wanted.pace),
            )
        case GameKind.ONE_SCREEN:
            names = name, clean_name(wanted.name2)
            return Seating(GameKind.ONE_SCREEN, names, holders=(me, me))
        case GameKind.WATCH:
            first, second = find_level(wanted.level), find_level(wanted.level2)
            return Seating(GameKind.WATCH, ("", ""), (first.name, second.name), watchable=True)
        case kind:
            level = find_level(_GUIDE if kind is GameKind.GUIDED else wanted.level)
            return Seating(kind, (name, ""), (None, level.name), (me, None), wanted.watchable, avatars)


def _clean_pace(pace: str) -> str:
    if pace and pace not in PACES:
        raise JaipurError(N_("There is no such clock: choose one of {paces}."), paces=", ".join(PACES))
    return pace


def sit_down(services: Services, guest: Guest, token: str, name: str = "", avatar: str = "") -> Table:
    """Takes the free seat of an invitation, under the given name or the one already known."""
    holder = guest.required_holder()
    known = services.people.person(holder)
    name, avatar = clean_name(name) or known.name, clean_avatar(avatar) or known.avatar
    return services.tables.join(token, name, holder, avatar)


def take_in(services: Services, guest: Guest, text: str, key: str) -> Table:
    """A game from a record: to replay if it is over, however it ended; otherwise to continue."""
    record = Record.parse(text)
    me = guest.required_holder()
    levels = _bot_level(record.players[0]), _bot_level(record.players[1])
    names = _seat_name(record.players[0]), _seat_name(record.players[1])
    holders = None if levels[0] else me, None if levels[1] else me
    kind = GameKind.WATCH if all(levels) else GameKind.BOT if any(levels) else GameKind.ONE_SCREEN
    seating = Seating(kind, names, levels, holders, watchable=all(levels))
    own_key = clean_key(key)  # the same key may also set up a game without a record
    return services.tables.create(seating, guest.secret, f"record {own_key}" if own_key else "", record)


def _seat_name(name: str) -> str:
    return fitting_name(name[:30]) if _bot_level(name) is None else ""


def _bot_level(name: str) -> str | None:
    level = bot_of(name)
    return level if level in LEVELS else None
