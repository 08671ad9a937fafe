"""Are the grades right? Decisions are judged again: with more worlds, in fresh worlds, and by playing rounds out."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise
from typing import NamedTuple

from jaipur.bots.levels import make_player
from jaipur.bots.player import Budget, Player
from jaipur.brain.judge import RESULT, Count, Judge
from jaipur.coach.grades import FAULTS, LIMITS, Grade, Label, graded, judge_network, loss_of, rng_for
from jaipur.coach.outcomes import Reason, all_outcomes
from jaipur.rules.move import Move
from jaipur.rules.rng import Rng
from jaipur.rules.round import Round
from jaipur.rules.view import View

_PLAYERS = ("pedlar", "trader", "broker", "merchant")
_THOUGHT = Budget(worlds=100)
_EVERY = 7
_TIMES = 10
"""A label is checked with this many times as many worlds."""


@dataclass(frozen=True)
class Group:
    """Decisions with similar predicted losses, in points: what was predicted, and what was seen."""

    range: str
    cases: int
    predicted: float
    seen: float
    error: float


class Compared(NamedTuple):
    """The loss of one decision as it was predicted and as it was seen, and the variance of the latter."""

    predicted: float
    seen: float
    variance: float


@dataclass
class GradeCheck:
    """What was claimed about some decisions, and what was seen when they were judged again."""

    decisions: int = 0
    losses: list[Compared] = field(default_factory=list)
    labels: int = 0
    labels_held: int = 0
    reasons: int = 0
    reasons_held: int = 0

    def groups(self) -> list[Group]:
        """The decisions that have something to compare, grouped by predicted loss."""
        groups = []
        for low, high in pairwise((-1.0, *sorted(LIMITS.values()), 1.0)):
            losses = [one for one in self.losses if low <= one.predicted and (one.predicted < high or high == 1.0)]
            if losses:
                groups.append(Group(f"{100 * max(low, 0.0):.0f}–{100 * high:.0f}", len(losses), *_means(losses)))
        return groups

    def figures(self) -> dict[str, object]:
        """All figures, by name."""
        predicted, seen, error = _means(self.losses)
        return {
            "checked_decisions": self.decisions,
            "compared": len(self.losses),
            "predicted_loss": predicted,
            "seen_loss": seen,
            "seen_error": error,
            "labels": self.labels,
            "labels_held": self.labels_held,
            "reasons": self.reasons,
            "reasons_held": self.reasons_held,
        }


def _means(losses: Sequence[Compared]) -> tuple[float, float, float]:
    """The mean predicted, the mean seen, and the standard error of the latter."""
    predicted, seen, variances = (sum(column) for column in zip(Compared(0.0, 0.0, 0.0), *losses, strict=True))
    number = max(len(losses), 1)
    return predicted / number, seen / number, variances**0.5 / number


def turns(round_: Round, players: tuple[Player, Player], rng: Rng) -> Iterator[tuple[View, Move]]:
    """Plays a round to its end: each view, with the move that was chosen in it."""
    while not round_.over:
        view = round_.view(round_.turn)
        move = players[round_.turn].choose(view, _THOUGHT, rng)
        yield view, move
        round_.play(move)
        round_.stop_if_quiet()


def cases(decisions: int, seed: int) -> Iterator[tuple[View, Move]]:
    """Decisions of several levels, taken from rounds that they play against each other."""
    return islice(_decisions(Rng(seed)), decisions)


def _decisions(rng: Rng) -> Iterator[tuple[View, Move]]:
    players = [make_player(name) for name in _PLAYERS]
    while True:
        round_ = Round.deal(rng, rng.below(2))
        pair = players[rng.below(len(players))], players[rng.below(len(players))]
        for turn, (view, move) in enumerate(turns(round_, pair, rng), 1 + rng.below(_EVERY)):
            if turn % _EVERY == 0 and len(view.legal_moves()) > 1:
                yield view, move


def check_grades(decisions: Iterable[tuple[View, Move]], worlds: int) -> GradeCheck:
    """Grades decisions, then plays both moves on in fresh worlds, and checks labels and reasons."""
    check = GradeCheck()
    for view, move in decisions:
        check.decisions += 1
        grade = graded(view, move, worlds)
        if grade.best != str(move):
            result = _counts(view, move, grade, worlds)[RESULT]
            check.losses.append(Compared(grade.loss, (result.better - result.worse) / 2, (result.error / 2) ** 2))
        if grade.label in {*FAULTS, Label.FINE}:
            _judge_again(check, view, move, grade, worlds)
    return check


def _counts(view: View, move: Move, grade: Grade, worlds: int) -> list[Count]:
    """What the best move and this one lead to in fresh worlds."""
    return Judge(view, judge_network()).counts(Move.parse(grade.best).code, move.code, worlds, rng_for(view, "check"))


def _judge_again(check: GradeCheck, view: View, move: Move, grade: Grade, worlds: int) -> None:
    """Checks the label with more worlds, in which the best move is chosen again, and the reasons in fresh worlds."""
    loss = loss_of(view, move, _TIMES * worlds, _TIMES * worlds // 2)
    check.labels += 1
    check.labels_held += loss < LIMITS[Label.IMPRECISE] if grade.label is Label.FINE else loss > LIMITS[grade.label]
    if grade.reasons:
        counts = _counts(view, move, grade, max(worlds // 2, 1))
        fresh = {(reason.outcome, reason.kind): reason for reason in all_outcomes(counts)}
        check.reasons += len(grade.reasons)
        check.reasons_held += sum(_same_sign(reason, fresh[reason.outcome, reason.kind]) for reason in grade.reasons)


def _same_sign(claimed: Reason, seen: Reason) -> bool:
    return (claimed.best - claimed.played) * (seen.best - seen.played) > 0
