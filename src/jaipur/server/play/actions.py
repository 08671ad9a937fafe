"""What somebody can do at a table, for forms and for the API alike. Each action answers with the table after it."""

from collections.abc import Callable

from jaipur.rules.move import Move
from jaipur.server.play.viewer import Viewer
from jaipur.server.services import clean_key
from jaipur.table import Speed, Table
from jaipur.table.secrets import id_for

Action = Callable[[Viewer, str], Table]
"""Takes whoever acts and an idempotency key, which may be empty."""


def move(viewer: Viewer, ply: int, read: Callable[[], Move], key: str) -> Table:
    """Plays a move for a ply. The move is read last, so that somebody who may not act is told that first."""
    seat = viewer.acting_seat
    return viewer.services.tables.move(viewer.table, seat, ply, read(), clean_key(key))


def ready(viewer: Viewer, key: str) -> Table:
    """The score sheet was seen."""
    return viewer.services.tables.ready(viewer.table, viewer.acting_seat, clean_key(key))


def resign(viewer: Viewer, key: str) -> Table:
    """Gives up the match."""
    return viewer.services.tables.resign(viewer.table, viewer.acting_seat, clean_key(key))


def undo(viewer: Viewer, key: str) -> Table:
    """Takes a move back, or asks the other player to allow it."""
    return viewer.services.tables.undo(viewer.table, viewer.acting_seat, clean_key(key))


def redo(viewer: Viewer, key: str) -> Table:
    """Replays what was taken back."""
    return viewer.services.tables.redo(viewer.table, viewer.acting_seat, clean_key(key))


def rematch(viewer: Viewer, key: str) -> Table:
    """Starts a rematch, or asks for one."""
    return viewer.services.tables.rematch(viewer.table, viewer.acting_seat, clean_key(key))


def agree(viewer: Viewer, key: str) -> Table:
    """Says yes to the other player's request."""
    return viewer.services.tables.answer(viewer.table, viewer.acting_seat, True, clean_key(key))


def share(viewer: Viewer, key: str) -> Table:
    """Shows the finished game to others."""
    return viewer.services.tables.share(viewer.table, viewer.acting_seat, clean_key(key))


def set_speed(viewer: Viewer, speed: Speed, key: str) -> Table:
    """Tells two bots how fast to play. Nobody holds a seat there, so keys are kept apart by who sent them."""
    own = id_for(viewer.guest.holder or "", key) if clean_key(key) else None
    return viewer.services.tables.set_speed(viewer.table, speed, own)


def say(viewer: Viewer, emote: str, key: str) -> Table:
    """Says something polite to the other player. Nothing is written, so the table stays the same."""
    viewer.services.presence.say(viewer.table, viewer.acting_seat, emote, clean_key(key) or "")
    return viewer.table


def decline(viewer: Viewer, key: str) -> Table:
    """Says no to the other player's request."""
    return viewer.services.tables.answer(viewer.table, viewer.acting_seat, False, clean_key(key))
