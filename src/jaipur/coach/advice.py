"""Advice from a view alone: what every move is worth, a hint in three steps, and the tutor's warning.

Nothing here has a parameter that could hold the full round, so nothing here can reveal what the seat may not know.
"""

from dataclasses import dataclass

from jaipur.bots.levels import vizier_with
from jaipur.bots.player import Budget
from jaipur.brain.search import Candidate
from jaipur.coach.grades import DIGITS, WORLDS, Grade, Label, Task, checked_view, compare, grade, judge_network, rng_for
from jaipur.coach.style import Kind, kind_of_move
from jaipur.rules.move import Move, from_code
from jaipur.rules.view import View

_SHOWN = 3


@dataclass(frozen=True)
class Valued:
    """A move with its probability of winning the round, the standard error, and the number of worlds it was tried in.

    A move that was tried in no world has the network's first estimate, and no error.
    """

    move: Move
    win: float
    error: float | None
    worlds: int


@dataclass(frozen=True)
class Hint:
    """The best move in three steps: its kind, the move itself, and the numbers.

    `beside` compares it with the second-best move: how much better it is, how sure that is, and why.
    """

    kind: Kind
    move: Move
    best: tuple[Valued, ...]
    beside: Grade | None


def analyse(view: View, worlds: int = WORLDS) -> list[Valued]:
    """All legal moves, best first; those that fall behind early are tried in fewer worlds."""
    checked = checked_view(str(view))
    search = vizier_with(judge_network()).think(checked, Budget(worlds=worlds), rng_for(checked, "analyse"))
    live = {candidate.code for candidate in search.live}
    ranked = sorted(search.candidates, key=lambda tried: (tried.code in live, tried.value), reverse=True)
    return [_valued(tried) for tried in ranked]


def _valued(tried: Candidate) -> Valued:
    worlds = len(tried.results)
    known = worlds > 1 or tried.proven >= 0
    return Valued(
        from_code(tried.code), round(tried.value, DIGITS), round(tried.error, DIGITS) if known else None, worlds
    )


def hint(view: View, worlds: int = WORLDS) -> Hint:
    """A hint for the seat of a view; it must be that seat's turn."""
    ranked = analyse(view, max(worlds // 2, 1))
    best = ranked[0].move
    beside = compare(view, best, ranked[1].move, worlds) if len(ranked) > 1 else None
    return Hint(kind_of_move(best), best, tuple(ranked[:_SHOWN]), beside)


def warning(view: View, move: Move, worlds: int = WORLDS) -> Grade | None:
    """The grade of a move that would surely be a blunder, before it is played; None for any other move."""
    graded = grade(Task(str(view), str(move), worlds))
    return graded if graded.label is Label.BLUNDER else None
