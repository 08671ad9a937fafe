"""A review as plain data for programs (docs/coach.md names every key). Probabilities go from 0 to 1."""

from dataclasses import asdict

from jaipur.coach.reasons import Reason
from jaipur.coach.review import Ply, Review
from jaipur.coach.summary import player_summary
from jaipur.coach.words import reason_in_words
from jaipur.rules.box import LETTERS


def review_data(review: Review) -> dict[str, object]:
    """The whole review."""
    return {
        "judge": review.judge,
        "worlds": review.worlds,
        "rounds": [{"plies": [_ply(ply) for ply in part.plies], "sum": asdict(part.sum)} for part in review.rounds],
        "players": [_player(review, seat) for seat in (0, 1)],
    }


def _ply(ply: Ply) -> dict[str, object]:
    grade = ply.grade
    return {
        "seat": ply.seat,
        "move": ply.move,
        "best": grade.best,
        "loss": grade.loss,
        "error": grade.error,
        "label": str(grade.label),
        "win": ply.win,
        "luck": ply.luck,
        "reasons": [_reason(reason) for reason in grade.reasons],
    }


def _reason(reason: Reason) -> dict[str, object]:
    return {
        "outcome": str(reason.outcome),
        "kind": None if reason.kind is None else LETTERS[reason.kind],
        "best": reason.best,
        "played": reason.played,
        "error": reason.error,
        "text": reason_in_words(reason),
    }


def _player(review: Review, seat: int) -> dict[str, object]:
    summary = player_summary(review, seat)
    return {
        "loss_per_decision": summary.loss,
        "error": summary.error,
        "level_like": summary.level_like,
        "luck": summary.luck,
    }
