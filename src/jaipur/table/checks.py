"""What a request to a table leads to: an event, or the reason why nothing may happen. The table is as it is now."""

from jaipur.match import MOST_PLIES
from jaipur.rules.errors import N_, IllegalMove
from jaipur.rules.move import Move
from jaipur.table.errors import GameOver, NotAllowed, Stale
from jaipur.table.events import EventKind, Question, Speed, Status
from jaipur.table.table import Table

Cause = tuple[EventKind, str]
"""The kind and the text of an event to write."""
MOST_EVENTS = 2 * MOST_PLIES
HINT_STEPS = 3
"""First the kind of move, then the cards, then the numbers."""


def check_going(table: Table) -> None:
    """Whether the match is still being played."""
    if table.over:
        raise GameOver


def check_dealt(table: Table) -> None:
    """Whether the cards are on the table, which they are once both players have sat down."""
    if table.status is Status.WAITING:
        raise NotAllowed(N_("The other seat is free."))


def check_room(table: Table) -> None:
    """Whether the log has room for one more event: otherwise undos and requests could go on without end."""
    if table.number >= MOST_EVENTS:
        raise NotAllowed(N_("This game has become too long: resign, or start a new one."))


def check_join(table: Table, holder: str) -> None:
    """Whether somebody may take the free seat."""
    if table.full or table.over:
        raise NotAllowed(N_("This invitation was used already, or the host has left: ask for a new game."))
    if table.held_by(holder):
        raise NotAllowed(N_("This is your own invitation: send the link to a friend."))


def move(table: Table, seat: int, ply: int, chosen: Move) -> Cause:
    """A move at a ply. Whether it is legal is up to the rules, when it is played."""
    check_going(table)
    if ply != table.ply:
        raise Stale
    check_dealt(table)
    _check_running(table)
    if table.turn is None:
        raise NotAllowed(N_("The next round has not begun yet."))
    _check_turn(table, seat)
    table.match.check_length()
    return EventKind.MOVE, str(chosen)


def hint(table: Table, seat: int, ply: int) -> Cause:
    """One more step of a hint: on the seat's turn against a bot, up to three per position."""
    check_going(table)
    if not table.coached:
        raise NotAllowed(N_("Hints are for games against bots."))
    _check_turn(table, seat)
    if table.hint_step >= HINT_STEPS or ply != table.ply:
        raise Stale
    return EventKind.HINT, str(table.hint_step + 1)


def ready(table: Table, seat: int) -> Cause:
    """The next round, when every person has seen the score sheet."""
    check_going(table)
    _check_running(table)
    if table.status is not Status.SHEET or seat in table.ready:
        raise Stale
    return EventKind.READY, ""


def resign(table: Table, _seat: int) -> Cause:
    """The end of a match that is still being played."""
    check_going(table)
    return EventKind.RESIGN, ""


def resume(table: Table, _seat: int) -> Cause:
    """The clock begins again: the time since the last event counts against nobody."""
    check_going(table)
    return EventKind.RESUME, str(table.changed)


def set_speed(table: Table, speed: Speed) -> Cause:
    """Two bots play for their audience, so any onlooker may control them."""
    check_going(table)
    if table.persons:
        raise NotAllowed(N_("Only a game of two bots can be paused or sped up."))
    if speed is table.speed:
        raise Stale
    return EventKind.SPEED, speed


def share(table: Table, _seat: int) -> Cause:
    """A look for anybody with the game's address: only once it is over, when nothing is secret."""
    if not table.over:
        raise NotAllowed(N_("A game can be shared when it is over."))
    if table.shared:
        raise Stale
    return EventKind.SHARE, ""


def stop(table: Table, _seat: int) -> Cause:
    """The end of a round between bots that is going nowhere (R25)."""
    if not table.stalled:
        raise Stale
    return EventKind.STOP, ""


def undo(table: Table, seat: int) -> Cause:
    """The seat's last move is taken back; against another person, this asks first."""
    if not table.may_undo(seat):
        raise NotAllowed(N_("This move cannot be taken back: it showed something new, or it is not yours."))
    return _by_consent(table, EventKind.UNDO, str(table.undo_to), Question.UNDO)


def redo(table: Table, seat: int) -> Cause:
    """What was taken back is played again: until a new move is played, and only where nobody else must agree."""
    check_going(table)
    if not table.may_redo(seat):
        raise NotAllowed(N_("There is no move to play again."))
    return EventKind.REDO, ""


def rematch(table: Table, _seat: int) -> Cause:
    """A new match, in a game that is still to be named; against another person, this asks first."""
    if not table.over:
        raise NotAllowed(N_("A rematch begins when the match is over."))
    if not table.full:
        raise NotAllowed(N_("Nobody joined this game: start a new one."))
    if table.rematch is not None:
        raise Stale
    return _by_consent(table, EventKind.REMATCH, "", Question.REMATCH)


def agree(table: Table, seat: int) -> Cause:
    """What the other seat has asked for."""
    if _offered(table, seat) is Question.UNDO:
        return EventKind.UNDO, str(table.undo_to)
    return EventKind.REMATCH, ""


def decline(table: Table, seat: int) -> Cause:
    """No to what the other seat has asked for."""
    _offered(table, seat)
    return EventKind.DECLINE, ""


def _by_consent(table: Table, kind: EventKind, text: str, question: Question) -> Cause:
    """What is done at once where nobody else must agree, and otherwise asked; there is one question at a time."""
    if table.needs_no_consent:
        return kind, text
    if table.offer is not None:
        raise NotAllowed(N_("There is a question on the table already: answer it first."))
    return EventKind.ASK, question


def _offered(table: Table, seat: int) -> Question:
    """The question that this seat has to answer."""
    if table.offer is None or table.offer.seat == seat:
        raise NotAllowed(N_("There is no question to answer."))
    return table.offer.what


def _check_turn(table: Table, seat: int) -> None:
    if seat != table.turn:
        raise IllegalMove(N_("It is not your turn."))


def _check_running(table: Table) -> None:
    if table.speed is Speed.PAUSE:
        raise NotAllowed(N_("The bots are paused."))
