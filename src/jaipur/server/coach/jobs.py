"""What the coach judges, given plain text. Worker processes load only this, so that they start quickly."""

from dataclasses import dataclass

from jaipur.coach.advice import analyse, hint, warning
from jaipur.coach.grades import Grade, Label, Task, compare
from jaipur.coach.review import Draft
from jaipur.coach.saved import review_to_text
from jaipur.coach.style import Kind
from jaipur.notation import parse_view
from jaipur.record import Record
from jaipur.rules.move import Move

HINT_WORLDS = 600
WARNING_WORLDS = 400
EXERCISE_WORLDS = 1000
ANALYSIS_WORLDS = 1000

Values = list[tuple[str, float, float | None, int]]
"""Moves with their chance of winning, its error, and in how many worlds each was tried."""


@dataclass(frozen=True)
class Advice:
    """A hint as plain text and numbers: moves in notation, the best few with their chance and its error."""

    kind: Kind
    move: str
    best: tuple[tuple[str, float, float | None], ...]
    beside: Grade | None


def advice_for(position: str) -> Advice:
    """Advice for the seat whose turn it is in this view."""
    found = hint(parse_view(position), HINT_WORLDS)
    best = tuple((str(one.move), one.win, one.error) for one in found.best)
    return Advice(found.kind, str(found.move), best, found.beside)


def doubt_about(position: str, move: str) -> Grade | None:
    """The case against a move that is surely a blunder; None if it is not."""
    return warning(parse_view(position), Move.parse(move), WARNING_WORLDS)


def tried(position: str, best: str, move: str) -> Grade:
    """What a move loses compared with the best."""
    if move == best:
        return Grade(best, 0.0, 0.0, Label.FINE)
    return compare(parse_view(position), Move.parse(best), Move.parse(move), EXERCISE_WORLDS)


def values_of(position: str) -> Values:
    """All moves of a position, the best first."""
    return [(str(one.move), one.win, one.error, one.worlds) for one in analyse(parse_view(position), ANALYSIS_WORLDS)]


def draft(record: str, worlds: int) -> tuple[str, list[Task]]:
    """A review of a finished match with its graph and luck but no grades, as text, and the decisions to grade."""
    read = Record.parse(record)
    made = Draft(read.match, worlds, read.ended is not None)
    return review_to_text(made.ungraded), made.tasks()
