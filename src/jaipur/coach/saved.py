"""A review as text that can be stored and read again, and as plain data for programs."""

import json
from typing import Any

from jaipur.coach.coach_words import reason_in_words
from jaipur.coach.grades import Grade, Label
from jaipur.coach.outcomes import Outcome, Reason
from jaipur.coach.review import Ply, Review, RoundReview, Sum
from jaipur.coach.summary import player_summary
from jaipur.rules.box import LETTERS
from jaipur.rules.move import Move


def review_to_text(review: Review) -> str:
    """The whole review: all of its numbers, none of the sentences."""
    return json.dumps(review, default=_plain, separators=(",", ":"))


def review_from_text(text: str) -> Review:
    """`review_from_text(review_to_text(review))` is the same review."""
    data = json.loads(text)
    return Review(data["judge"], data["worlds"], tuple(_round(part) for part in data["rounds"]))


def _plain(value: object) -> object:
    return str(value) if isinstance(value, Move) else vars(value)


def _round(data: dict[str, Any]) -> RoundReview:
    plies = tuple(_ply(ply) for ply in data["plies"])
    return RoundReview(data["starter"], data["opening"], plies, Sum(**data["sum"]))


def _ply(data: dict[str, Any]) -> Ply:
    reasons = tuple(Reason(**reason | {"outcome": Outcome(reason["outcome"])}) for reason in data["grade"]["reasons"])
    grade = Grade(**data["grade"] | {"label": Label(data["grade"]["label"]), "reasons": reasons})
    return Ply(**data | {"move": Move.parse(data["move"]), "grade": grade})


def review_data(review: Review) -> dict[str, object]:
    """The whole review (docs/coach.md names every key). Probabilities go from 0 to 1."""
    return {
        "judge": review.judge,
        "worlds": review.worlds,
        "rounds": [{"plies": [_ply_data(ply) for ply in part.plies], "sum": vars(part.sum)} for part in review.rounds],
        "players": [_player_data(review, seat) for seat in (0, 1)],
    }


def _ply_data(ply: Ply) -> dict[str, object]:
    grade = ply.grade
    return {
        "seat": ply.seat,
        "move": str(ply.move),
        "best": grade.best,
        "loss": grade.loss,
        "error": grade.error,
        "label": str(grade.label),
        "win": ply.win,
        "luck": ply.luck,
        "reasons": [_reason_data(reason) for reason in grade.reasons],
    }


def _reason_data(reason: Reason) -> dict[str, object]:
    kind = None if reason.kind is None else LETTERS[reason.kind]
    return vars(reason) | {"kind": kind, "text": reason_in_words(reason)}


def _player_data(review: Review, seat: int) -> dict[str, object]:
    summary = player_summary(review, seat)
    return {
        "loss_per_decision": summary.loss,
        "error": summary.error,
        "level_like": summary.level_like,
        "luck": summary.luck,
    }
