"""What can be done at a table besides a move: the API and the forms make their routes from one list."""

from collections.abc import Callable
from dataclasses import dataclass

from jaipur.server.play.viewer import Viewer
from jaipur.server.services import clean_key
from jaipur.table import Table, Tables


@dataclass(frozen=True)
class Action:
    """What a seat does, given an idempotency key, and what the API's document says about it."""

    act: Callable[[Tables, Table, int, str | None], Table]
    about: str


ACTIONS = {
    "ready": Action(Tables.ready, "You have seen the score sheet; the next round is dealt when both have."),
    "resign": Action(Tables.resign, "Gives up the match."),
    "undo": Action(Tables.undo, "Takes your last move back against a bot; against a person, asks for it."),
    "redo": Action(Tables.redo, "Plays again what your last undo took back, until you play another move."),
    "rematch": Action(
        Tables.rematch, "Plays again: the view's `rematch` is the new game. Against a person, asks for it."
    ),
    "share": Action(Tables.share, "Shows the finished game to whoever has its address."),
    "agree": Action(
        lambda tables, table, seat, key: tables.answer(table, seat, True, key),
        "Says yes to what the other player asks: an undo or a rematch.",
    ),
    "decline": Action(
        lambda tables, table, seat, key: tables.answer(table, seat, False, key),
        "Says no to what the other player asks.",
    ),
}
"""All of them by name. A new one needs nothing else here."""


def act(viewer: Viewer, name: str, key: str) -> Table:
    """Does one of these things for the seat that acts."""
    return ACTIONS[name].act(viewer.services.tables, viewer.table, viewer.acting_seat, clean_key(key))


def say(viewer: Viewer, emote: str, key: str) -> Table:
    """Says something polite. Nothing is written, so the table stays the same."""
    viewer.services.presence.say(viewer.table, viewer.acting_seat, emote, clean_key(key) or "")
    return viewer.table
