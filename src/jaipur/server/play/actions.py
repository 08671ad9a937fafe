"""What can be done at a table besides a move: one list, from which the API and the forms make their routes."""

from collections.abc import Callable
from dataclasses import dataclass

from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

from jaipur.server.live.presence import EMOTES
from jaipur.server.play.viewer import Viewer
from jaipur.server.services import clean_key
from jaipur.table import Speed, Table, Tables
from jaipur.table.secrets import id_for

_EMOTES: JsonDict = {"enum": list(EMOTES)}


class Body(BaseModel):
    """What a program sends. Unknown fields are refused: one may be a known field, misspelt."""

    model_config = ConfigDict(extra="forbid")


class Saying(Body):
    """Something polite."""

    emote: str = Field(max_length=20, json_schema_extra=_EMOTES)


@dataclass(frozen=True)
class Action:
    """An action. `about` is what the API's document says; the API lacks an action without it.

    `act` takes the viewer, the word that goes with the action, and an idempotency key; both may be empty. A form sends
    the word in a field named like the action, a program in the field of that name in `body`.
    """

    name: str
    act: Callable[[Viewer, str, str], Table]
    about: str = ""
    body: type[Body] | None = None


def _by_seat(act: Callable[[Tables, Table, int, str | None], Table]) -> Callable[[Viewer, str, str], Table]:
    """An action that only needs to know whose it is."""
    return lambda viewer, _word, key: act(viewer.services.tables, viewer.table, viewer.acting_seat, clean_key(key))


def _say(viewer: Viewer, emote: str, key: str) -> Table:
    """Nothing is written, so the table stays the same."""
    viewer.services.presence.say(viewer.table, viewer.acting_seat, emote, clean_key(key) or "")
    return viewer.table


def _set_speed(viewer: Viewer, speed: str, key: str) -> Table:
    """Nobody holds a seat where bots play each other, so keys are kept apart by who sent them."""
    if speed not in set(Speed):
        raise RequestValidationError([{"loc": ("body", "speed")}])
    own = id_for(viewer.guest.holder or "", key) if clean_key(key) else None
    return viewer.services.tables.set_speed(viewer.table, Speed(speed), own)


_LISTED = (
    Action(
        "emote",
        _say,
        "Says something polite to the other player, who hears it as an event named `emote`. It is not kept.",
        Saying,
    ),
    Action(
        "ready",
        _by_seat(Tables.ready),
        "You have seen the score sheet; the next round is dealt when both have.",
    ),
    Action("resign", _by_seat(Tables.resign), "Gives up the match."),
    Action(
        "undo",
        _by_seat(Tables.undo),
        "Takes your last move back against a bot; against a person, asks for it.",
    ),
    Action(
        "redo",
        _by_seat(Tables.redo),
        "Plays again what your last undo took back, until you play another move.",
    ),
    Action(
        "rematch",
        _by_seat(Tables.rematch),
        "Plays again: the view's `rematch` is the new game. Against a person, asks for it.",
    ),
    Action("share", _by_seat(Tables.share), "Shows the finished game to whoever has its address."),
    Action(
        "agree",
        _by_seat(lambda tables, table, seat, key: tables.answer(table, seat, True, key)),
        "Says yes to what the other player asks: an undo or a rematch.",
    ),
    Action(
        "decline",
        _by_seat(lambda tables, table, seat, key: tables.answer(table, seat, False, key)),
        "Says no to what the other player asks.",
    ),
    Action("speed", _set_speed),
)
ACTIONS = {action.name: action for action in _LISTED}
"""All of them by name. A new one needs nothing else here."""
