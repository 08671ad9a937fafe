"""A review as text that can be stored and read again: all of its numbers, none of the sentences."""

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from jaipur.coach.grades import Grade, Label
from jaipur.coach.reasons import Outcome, Reason
from jaipur.coach.review import Ply, Review, RoundReview, Sum, with_losses


def review_to_text(review: Review) -> str:
    """The whole review."""
    return json.dumps(asdict(review), separators=(",", ":"))


def review_from_text(text: str) -> Review:
    """`review_from_text(review_to_text(review))` is the same review."""
    data = json.loads(text)
    return Review(data["judge"], data["worlds"], tuple(_round(part) for part in data["rounds"]))


def with_grades(ungraded: Review, grades: Sequence[Grade]) -> Review:
    """A review with new grades, in the order of its moves; what remains unexplained changes with them."""
    waiting = iter(grades)
    rounds = []
    for part in ungraded.rounds:
        plies = tuple(replace(ply, grade=next(waiting)) for ply in part.plies)
        rounds.append(replace(part, plies=plies, sum=with_losses(part.sum, plies)))
    return replace(ungraded, rounds=tuple(rounds))


def _round(data: dict[str, Any]) -> RoundReview:
    plies = tuple(_ply(ply) for ply in data["plies"])
    return RoundReview(data["starter"], data["opening"], plies, Sum(**data["sum"]))


def _ply(data: dict[str, Any]) -> Ply:
    grade = data["grade"]
    reasons = tuple(Reason(**{**reason, "outcome": Outcome(reason["outcome"])}) for reason in grade["reasons"])
    graded = Grade(grade["best"], grade["loss"], grade["error"], Label(grade["label"]), reasons)
    return Ply(data["seat"], data["move"], graded, data["win"], data["luck"])
