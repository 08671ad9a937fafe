"""Sets up games of all kinds, from a form or from the API."""

from dataclasses import replace
from typing import Annotated

from pydantic import BaseModel, Field

from jaipur.bots import LEVELS, find_level
from jaipur.match import Match
from jaipur.record import Record, bot_of
from jaipur.rules.errors import N_, JaipurError
from jaipur.server.lesson.lesson_script import SEED
from jaipur.server.people.person import clean_avatar
from jaipur.server.services import Guest, Services, clean_key, clean_name, fitting_name
from jaipur.table import GameKind, Seating, Table
from jaipur.table.clock import PACES

Text = Annotated[str, Field(max_length=2000)]
_GUIDE = "pedlar"
_USED = {
    GameKind.BOT: {"level", "name", "watchable", "avatar"},
    GameKind.GUIDED: {"name", "watchable", "avatar"},
    GameKind.FRIEND: {"name", "watchable", "avatar", "pace"},
    GameKind.ONE_SCREEN: {"name", "name2"},
    GameKind.WATCH: {"level", "level2"},
}
"""What can be chosen for a game of each kind."""


class GameRequest(BaseModel):
    """What a player wants to play, as a form sends it."""

    kind: Text = "bot"
    level: Text = "trader"
    level2: Text = "merchant"
    name: Text = ""
    name2: Text = ""
    watchable: bool = False
    key: Text = ""
    avatar: Text = ""
    pace: Text = ""


def set_up(services: Services, guest: Guest, request: GameRequest) -> Table:
    """Sets up a game."""
    holder = guest.required_holder()
    known = services.people.person(holder)
    name, avatar = clean_name(request.name) or known.name, clean_avatar(request.avatar) or known.avatar
    seating = _seating(holder, request.model_copy(update={"name": name, "avatar": avatar}))
    dealt = Match(SEED) if seating.kind is GameKind.GUIDED else None
    return services.tables.create(seating, guest.secret, clean_key(request.key) or "", dealt)


def check_used(kind: GameKind, fields: set[str]) -> None:
    """Refuses what a program sends and a game of this kind does not use. Forms send the fields of every kind."""
    unused = sorted(fields - _USED[kind])
    if unused:
        raise JaipurError(
            N_("Leave out what a game of the kind “{kind}” does not use: {fields}."),
            kind=kind,
            fields=", ".join(unused),
        )


def _seating(me: str, request: GameRequest) -> Seating:
    if request.kind not in set(GameKind):
        raise JaipurError(
            N_("There is no game of the kind “{kind}”: choose {kinds}."),
            kind=request.kind[:40],
            kinds=", ".join(GameKind),
        )
    kind, avatars = GameKind(request.kind), (request.avatar, "")
    mine = Seating(kind, (request.name, ""), holders=(me, None), watchable=request.watchable, avatars=avatars)
    match kind:
        case GameKind.FRIEND:
            if request.pace and request.pace not in PACES:
                raise JaipurError(N_("There is no such clock: choose one of {paces}."), paces=", ".join(PACES))
            return replace(mine, pace=request.pace)
        case GameKind.ONE_SCREEN:
            return Seating(kind, (request.name, clean_name(request.name2)), holders=(me, me))
        case GameKind.WATCH:
            levels = find_level(request.level).name, find_level(request.level2).name
            return Seating(kind, ("", ""), levels, watchable=True)
        case _:
            level = find_level(_GUIDE if kind is GameKind.GUIDED else request.level)
            return replace(mine, levels=(None, level.name))


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
    first, second = record.players
    levels = _bot_level(first), _bot_level(second)
    names = "" if levels[0] else fitting_name(first[:30]), "" if levels[1] else fitting_name(second[:30])
    holders = None if levels[0] else me, None if levels[1] else me
    kind = GameKind.WATCH if all(levels) else GameKind.BOT if any(levels) else GameKind.ONE_SCREEN
    seating = Seating(kind, names, levels, holders, watchable=all(levels))
    own_key = clean_key(key)  # the same key may also set up a game without a record
    return services.tables.create(seating, guest.secret, f"record {own_key}" if own_key else "", record)


def _bot_level(name: str) -> str | None:
    level = bot_of(name)
    return level if level in LEVELS else None
