"""Grading a decision from the mover's own view: the best move, what the played one lost, and how sure that is."""

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from jaipur.bots.player import Budget
from jaipur.bots.vizier import Vizier
from jaipur.bots.weights import shipped_network, shipped_weights
from jaipur.brain.judge import Judge
from jaipur.brain.network import Network
from jaipur.coach.outcomes import Reason, reasons_for
from jaipur.notation import parse_view
from jaipur.rules.errors import N_, JaipurError
from jaipur.rules.move import Move, from_code
from jaipur.rules.rng import Rng
from jaipur.rules.view import View

JUDGE = "vizier"
"""The level whose network judges."""
WORLDS = 2000
"""Worlds per decision, unless another number is asked for: half are used to choose, half to measure."""
METHOD = 2
"""Increase this when something other than the network changes what a review says, such as the search, the judge's
turns, the limits of the labels or how luck is counted: earlier reviews then no longer count as the same."""
_SHOWN = 16
DIGITS = 6
"""Numbers in a review are rounded to this many decimals, so that the last bit of a sum never matters."""
_MEASURE = "measure"
SURE = 2.0
"""How many standard errors something must be clear by before it is said."""


class Label(StrEnum):
    """What a decision was like. A label claims no more than is sure: a mistake may turn out to be a blunder."""

    FINE = N_("fine")
    IMPRECISE = N_("imprecise")
    MISTAKE = N_("mistake")
    BLUNDER = N_("blunder")
    CLOSE = N_("too close to call")
    FORCED = N_("forced")


LIMITS = {Label.BLUNDER: 0.12, Label.MISTAKE: 0.05, Label.IMPRECISE: 0.02}
"""The loss above which each label is given, worst first."""
FAULTS = tuple(LIMITS)


@dataclass(frozen=True)
class Task:
    """One decision to grade: a view as text and the move that was played. It can be sent to any process."""

    view: str
    move: str
    worlds: int


@dataclass(frozen=True)
class Grade:
    """What a decision lost, in probability of winning the round. A loss below zero is noise, kept for the averages."""

    best: str
    loss: float
    error: float
    label: Label
    reasons: tuple[Reason, ...] = ()


def judge_network() -> Network:
    """The network that judges."""
    return shipped_network(JUDGE)


@cache
def judge_name() -> str:
    """Who judged: the level of the network, the first digits of the SHA-256 of its weights, and the method."""
    return f"{JUDGE} {hashlib.sha256(shipped_weights(JUDGE)).hexdigest()[:_SHOWN]}/{METHOD}"


def rng_for(view: View, purpose: str) -> Rng:
    """The random numbers for a position: always the same ones, but different for each purpose."""
    digest = hashlib.sha256(f"jaipur review / {purpose} / {view}".encode()).digest()
    return Rng(int.from_bytes(digest[:8], "big"))


def rounded(number: float) -> float:
    """A number rounded for a review, without negative zero."""
    return round(number, DIGITS) + 0.0


def label_of(loss: float, error: float) -> Label:
    """The label that is certain for a loss with this standard error."""
    for label, limit in LIMITS.items():
        if loss - SURE * error > limit:
            return label
    return Label.FINE if loss + SURE * error < LIMITS[Label.IMPRECISE] else Label.CLOSE


def check_to_move(view: View) -> None:
    """Requires that the view's own seat is to move."""
    if view.over:
        raise JaipurError(N_("This position is over: there is nothing to choose."))
    if view.turn != view.seat:
        raise JaipurError(N_("This is the view of the seat that does not move."))


def checked_view(text: str) -> View:
    """Reads a view, and requires that its own seat is to move."""
    view = parse_view(text)
    check_to_move(view)
    return view


def best_move(view: View, worlds: int) -> Move:
    """What the strongest player would do, using half of the worlds; the other half is kept for measuring."""
    network = judge_network()
    search = Vizier(network).think(view, Budget(worlds=max(worlds // 2, 1)), rng_for(view, "choose"))
    return from_code(search.best().code)


def grade(task: Task) -> Grade:
    """Grades a decision that came as text."""
    return graded(parse_view(task.view), Move.parse(task.move), task.worlds)


def graded(view: View, move: Move, worlds: int) -> Grade:
    """Chooses the best move on half of the worlds and measures the loss on the others, to avoid the winner's curse."""
    check_to_move(view)
    if (reason := view.why_illegal(move)) is not None:
        raise reason
    if len(view.legal_moves()) == 1:
        return Grade(str(move), 0.0, 0.0, Label.FORCED)
    return compare(view, best_move(view, worlds), move, worlds)


def loss_of(view: View, move: Move, worlds: int, measuring: int) -> float:
    """The loss of a legal move, as `graded` finds it, but measured on any number of worlds."""
    best = best_move(view, worlds)
    if best == move:
        return 0.0
    return Judge(view, judge_network()).gap(best.code, move.code, measuring, rng_for(view, _MEASURE)).mean


def compare(view: View, best: Move, move: Move, worlds: int) -> Grade:
    """What a move loses against another, measured on worlds that were not used to choose either."""
    if best == move:
        return Grade(str(best), 0.0, 0.0, Label.FINE)
    half, judge = max(worlds // 2, 1), Judge(view, judge_network())
    gap = judge.gap(best.code, move.code, half, rng_for(view, _MEASURE))
    loss, error = rounded(gap.mean), rounded(gap.error)
    label = label_of(loss, error)
    reasons: tuple[Reason, ...] = ()
    if label in FAULTS:
        reasons = reasons_for(judge.counts(best.code, move.code, half, rng_for(view, _MEASURE)))
    return Grade(str(best), loss, error, label, reasons)
