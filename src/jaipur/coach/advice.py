"""Advice from a view alone: what every move is worth, a hint, and the tutor's warning.

Nothing here has a parameter that could hold the full round, so nothing here can reveal what the seat may not know.
"""

from dataclasses import dataclass
from typing import NamedTuple

from jaipur.bots.player import Budget
from jaipur.bots.vizier import Vizier
from jaipur.brain.search import Candidate
from jaipur.coach.grades import (
    DIGITS,
    WORLDS,
    Grade,
    Label,
    check_to_move,
    compare,
    graded,
    judge_network,
    rng_for,
)
from jaipur.rules.move import Move, from_code
from jaipur.rules.view import View

_SHOWN = 3


class Valued(NamedTuple):
    """A move with its probability of winning the round, the standard error, and the number of worlds it was tried in.

    A move that was tried in no world has the network's first estimate, and no error. Like all answers of the coach it
    holds its move as text, so that it can be sent to any process.
    """

    move: str
    win: float
    error: float | None
    worlds: int


@dataclass(frozen=True)
class Hint:
    """The best moves, and a comparison of the first two: how much better the first is, how sure that is, and why."""

    best: tuple[Valued, ...]
    beside: Grade | None


def analyse(view: View, worlds: int = WORLDS) -> list[Valued]:
    """All legal moves, best first; those that fall behind early are tried in fewer worlds."""
    return [_valued(candidate) for candidate in _ranked(view, worlds)]


def _ranked(view: View, worlds: int) -> list[Candidate]:
    check_to_move(view)
    search = Vizier(judge_network()).think(view, Budget(worlds=worlds), rng_for(view, "analyse"))
    live = {candidate.code for candidate in search.live}
    return sorted(search.candidates, key=lambda tried: (tried.code in live, tried.value), reverse=True)


def _valued(tried: Candidate) -> Valued:
    worlds = len(tried.results)
    known = worlds > 1 or tried.proven >= 0
    error = round(tried.error, DIGITS) if known else None
    return Valued(str(from_code(tried.code)), round(tried.value, DIGITS), error, worlds)


def hint(view: View, worlds: int = WORLDS) -> Hint:
    """A hint for the seat of a view; it must be that seat's turn."""
    ranked = _ranked(view, max(worlds // 2, 1))
    best, *others = (from_code(tried.code) for tried in ranked[:2])
    beside = compare(view, best, others[0], worlds) if others else None
    return Hint(tuple(_valued(tried) for tried in ranked[:_SHOWN]), beside)


def warning(view: View, move: Move, worlds: int = WORLDS) -> Grade | None:
    """The grade of a move that would surely be a blunder, before it is played; None for any other move."""
    grade = graded(view, move, worlds)
    return grade if grade.label is Label.BLUNDER else None
