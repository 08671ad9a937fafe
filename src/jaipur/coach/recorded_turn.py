"""A turn of a recorded match: what the player saw, and what they played."""

from dataclasses import dataclass

from jaipur.match import Match
from jaipur.record import Record
from jaipur.rules.errors import N_, JaipurError
from jaipur.rules.move import Move
from jaipur.rules.view import View


@dataclass(frozen=True)
class RecordedTurn:
    """The view of the player to move, what they played, if anything, and the round and move number, both from 1."""

    round: int
    number: int
    view: View
    played: Move | None


def turn_after(record: Record, ply: int) -> RecordedTurn:
    """The turn after this many moves of a finished match; after a round's last move, the next round's first."""
    if not record.match.over and record.ended is None:
        raise JaipurError(N_("This match is not over: an analysis would tell what its players may not know yet."))
    now = record.match.until(ply)
    if now.over:
        raise JaipurError(N_("The match is over after {ply} moves: there is nothing to choose."), ply=ply)
    if now.round.over:
        now.next_round()
    moves = [move for part in record.match.rounds for move in part.moves]
    played = moves[ply] if ply < len(moves) else None
    return RecordedTurn(len(now.rounds), len(now.round.moves) + 1, now.round.view(now.round.turn), played)


def ply_before(match: Match, number: int, move: int) -> int:
    """How many moves of the match came before this move; rounds and moves are counted from 1."""
    if not 1 <= number <= len(match.rounds):
        raise JaipurError(N_("This match has rounds 1 to {last}."), last=len(match.rounds))
    lengths = [len(part.moves) for part in match.rounds]
    if not 1 <= move <= lengths[number - 1]:
        raise JaipurError(N_("Round {round} has moves 1 to {last}."), round=number, last=lengths[number - 1])
    return sum(lengths[: number - 1]) + move - 1
