"""What the coach judges, given plain text. Worker processes load only this, so that they start quickly."""

from jaipur.coach.advice import Hint, Valued, analyse, hint, warning
from jaipur.coach.grades import Grade, Task, compare
from jaipur.coach.review import Draft, Review
from jaipur.notation import parse_view
from jaipur.record import Record
from jaipur.rules.move import Move

HINT_WORLDS = 600
WARNING_WORLDS = 400
EXERCISE_WORLDS = 1000
ANALYSIS_WORLDS = 1000


def advice_for(position: str) -> Hint:
    """Advice for the seat whose turn it is in this view."""
    return hint(parse_view(position), HINT_WORLDS)


def doubt_about(position: str, move: str) -> Grade | None:
    """The case against a move that is surely a blunder; None if it is not."""
    return warning(parse_view(position), Move.parse(move), WARNING_WORLDS)


def tried(position: str, best: str, move: str) -> Grade:
    """What a move loses compared with the best."""
    return compare(parse_view(position), Move.parse(best), Move.parse(move), EXERCISE_WORLDS)


def values_of(position: str) -> list[Valued]:
    """All moves of a position, the best first."""
    return analyse(parse_view(position), ANALYSIS_WORLDS)


def draft(text: str, worlds: int) -> tuple[Review, list[Task]]:
    """A review of a finished match with its graph and luck but no grades, and the decisions to grade."""
    record = Record.parse(text)
    review = Draft(record.match, worlds, record.ended is not None)
    return review.ungraded, review.tasks()
