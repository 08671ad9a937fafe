"""What may happen at a table next. Each check raises the reason if something is not allowed."""

from jaipur.match import MOST_PLIES
from jaipur.rules.errors import N_, IllegalMove
from jaipur.table.enums import Speed, Status
from jaipur.table.errors import GameOver, NotAllowed, Stale
from jaipur.table.table import Table

MOST_EVENTS = 2 * MOST_PLIES
HINT_STEPS = 3
"""First the kind of move, then the cards, then the numbers."""


def check_move(table: Table, seat: int, ply: int) -> None:
    """Whether a seat may move at this ply. Whether the move is legal is up to the rules, when it is played."""
    check_going(table)
    if ply != table.ply:
        raise Stale
    check_dealt(table)
    if table.speed is Speed.PAUSE:
        raise NotAllowed(N_("The bots are paused."))
    if table.turn is None:
        raise NotAllowed(N_("The next round has not begun yet."))
    if seat != table.turn:
        raise IllegalMove(N_("It is not your turn."))
    table.match.check_length()


def check_hint(table: Table, seat: int) -> None:
    """Whether a seat may ask for one more step of a hint: on its turn against a bot, up to three per position."""
    check_going(table)
    if not table.coached:
        raise NotAllowed(N_("Hints are for games against bots."))
    if seat != table.turn:
        raise IllegalMove(N_("It is not your turn."))
    if table.hint_step >= HINT_STEPS:
        raise Stale


def check_room(table: Table) -> None:
    """Whether the log has room for one more event: otherwise undos and requests could go on without end."""
    if table.number >= MOST_EVENTS:
        raise NotAllowed(N_("This game has become too long: resign, or start a new one."))


def check_dealt(table: Table) -> None:
    """Whether the cards are on the table, which they are once both players have sat down."""
    if table.status is Status.WAITING:
        raise NotAllowed(N_("The other seat is free."))


def check_going(table: Table) -> None:
    """Whether the match is still being played."""
    if table.over:
        raise GameOver


def check_ready(table: Table, seat: int) -> None:
    """Whether a seat may ask for the next round."""
    check_going(table)
    if table.speed is Speed.PAUSE:
        raise NotAllowed(N_("The bots are paused."))
    if table.status is not Status.SHEET or seat in table.ready:
        raise Stale


def check_speed(table: Table, speed: Speed) -> None:
    """Whether the speed may be changed: two bots play for their audience, so any onlooker may control them."""
    check_going(table)
    if table.persons:
        raise NotAllowed(N_("Only a game of two bots can be paused or sped up."))
    if speed is table.speed:
        raise Stale


def check_share(table: Table) -> None:
    """Whether a player may show the game to anybody with its address: only once it is over, when nothing is secret."""
    if not table.over:
        raise NotAllowed(N_("A game can be shared when it is over."))
    if table.shared:
        raise Stale


def check_quiet(table: Table) -> None:
    """Whether the round should be stopped."""
    if not table.stalled:
        raise Stale


def check_undo(table: Table, seat: int) -> int:
    """How many moves remain when this seat takes its move back."""
    to = table.undo_to
    if to is None or (len(table.persons) > 1 and table.log[-1].seat != seat and not table.one_screen):
        raise NotAllowed(N_("This move cannot be taken back: it showed something new, or it is not yours."))
    return to


def check_redo(table: Table, seat: int) -> None:
    """Whether there is a move to redo: until a new move is played, and only where nobody else must agree."""
    check_going(table)
    if not table.undone or not table.needs_no_consent or seat not in table.persons:
        raise NotAllowed(N_("There is no move to play again."))


def check_rematch(table: Table) -> None:
    """Whether there can be a new match."""
    if not table.over:
        raise NotAllowed(N_("A rematch begins when the match is over."))
    if not table.full:
        raise NotAllowed(N_("Nobody joined this game: start a new one."))
    if table.rematch is not None:
        raise Stale


def check_no_offer(table: Table) -> None:
    """Whether a player may make an offer: there must be none open."""
    if table.offer is not None:
        raise NotAllowed(N_("There is a question on the table already: answer it first."))


def check_answer(table: Table, seat: int) -> None:
    """Whether this seat has an offer to answer."""
    if table.offer is None or table.offer.seat == seat:
        raise NotAllowed(N_("There is no question to answer."))


def check_join(table: Table, holder: str) -> None:
    """Whether somebody may take the free seat."""
    if table.full or table.over:
        raise NotAllowed(N_("This invitation was used already, or the host has left: ask for a new game."))
    if table.held_by(holder):
        raise NotAllowed(N_("This is your own invitation: send the link to a friend."))
