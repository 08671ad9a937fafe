"""Are the grades right? Decisions are judged again: with more worlds, in fresh worlds, and by playing rounds out."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from jaipur.bots.levels import make_player
from jaipur.bots.player import Budget
from jaipur.brain.judge import RESULT, Count, Judge
from jaipur.coach.grades import FAULTS, LIMITS, Grade, Label, graded, judge_network, loss_of, rng_for
from jaipur.coach.reasons import Reason, all_outcomes
from jaipur.rules.move import Move
from jaipur.rules.rng import Rng
from jaipur.rules.round import Round
from jaipur.rules.view import View

_PLAYERS = ("pedlar", "trader", "broker", "merchant")
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


@dataclass
class Checked:
    """What was claimed about some decisions, and what was seen when they were judged again."""

    decisions: int = 0
    predicted: list[float] = field(default_factory=list)
    seen: list[float] = field(default_factory=list)
    seen_variances: list[float] = field(default_factory=list)
    labels: int = 0
    labels_held: int = 0
    reasons: int = 0
    reasons_held: int = 0

    def groups(self) -> list[Group]:
        """The decisions that have something to compare, grouped by predicted loss."""
        groups = []
        for low, high in pairwise((-1.0, *sorted(LIMITS.values()), 1.0)):
            chosen = [i for i, loss in enumerate(self.predicted) if low <= loss and (loss < high or high == 1.0)]
            if chosen:
                name = f"{100 * max(low, 0.0):.0f}–{100 * high:.0f}"
                predicted, seen = (
                    sum(column[i] for i in chosen) / len(chosen) for column in (self.predicted, self.seen)
                )
                error = sum(self.seen_variances[i] for i in chosen) ** 0.5 / len(chosen)
                groups.append(Group(name, len(chosen), predicted, seen, error))
        return groups

    def figures(self) -> dict[str, object]:
        """All figures, by name."""
        number = max(len(self.predicted), 1)
        return {
            "checked_decisions": self.decisions,
            "compared": len(self.predicted),
            "predicted_loss": sum(self.predicted) / number,
            "seen_loss": sum(self.seen) / number,
            "seen_error": sum(self.seen_variances) ** 0.5 / number,
            "labels": self.labels,
            "labels_held": self.labels_held,
            "reasons": self.reasons,
            "reasons_held": self.reasons_held,
        }


def cases(decisions: int, seed: int) -> Iterator[tuple[View, Move]]:
    """Decisions of several levels, taken from rounds that they play against each other."""
    rng, found = Rng(seed), 0
    players = [make_player(name) for name in _PLAYERS]
    while True:
        round_ = Round.deal(rng, rng.below(2))
        pair = players[rng.below(len(players))], players[rng.below(len(players))]
        turn = int(rng.below(_EVERY))
        while not round_.over:
            view = round_.view(round_.turn)
            move = pair[round_.turn].choose(view, Budget(worlds=100), rng)
            turn += 1
            if turn % _EVERY == 0 and len(view.legal_moves()) > 1:
                yield view, move
                found += 1
                if found == decisions:
                    return
            round_.play(move)
            round_.stop_if_quiet()


def check_grades(decisions: Iterable[tuple[View, Move]], worlds: int) -> Checked:
    """Grades decisions, then checks the grades."""
    checked = Checked()
    for view, move in decisions:
        checked.decisions += 1
        grade = graded(view, move, worlds)
        if grade.best != str(move):
            _play_out(checked, view, move, grade, worlds)
        _judge_again(checked, view, move, grade, worlds)
    return checked


def _play_out(checked: Checked, view: View, move: Move, grade: Grade, worlds: int) -> None:
    """Plays both moves on to the end of the round, in fresh worlds."""
    counted = _counts(view, move, grade, worlds)[RESULT]
    checked.predicted.append(grade.loss)
    checked.seen.append((counted.better - counted.worse) / 2)
    checked.seen_variances.append((counted.error / 2) ** 2)


def _counts(view: View, move: Move, grade: Grade, worlds: int) -> list[Count]:
    """What the best move and this one lead to in fresh worlds."""
    return Judge(view, judge_network()).counts(Move.parse(grade.best).code, move.code, worlds, rng_for(view, "check"))


def _judge_again(checked: Checked, view: View, move: Move, grade: Grade, worlds: int) -> None:
    """Checks the label with more worlds, in which the best move is chosen again, and the reasons in fresh worlds."""
    if grade.label not in {*FAULTS, Label.FINE}:
        return
    loss = loss_of(view, move, _TIMES * worlds)
    checked.labels += 1
    if grade.label is Label.FINE:
        checked.labels_held += loss < LIMITS[Label.IMPRECISE]
    else:
        checked.labels_held += loss > LIMITS[grade.label]
    if grade.reasons:
        counts = _counts(view, move, grade, max(worlds // 2, 1))
        fresh = {(reason.outcome, reason.kind): reason for reason in all_outcomes(counts)}
        checked.reasons += len(grade.reasons)
        checked.reasons_held += sum(_same_sign(reason, fresh[reason.outcome, reason.kind]) for reason in grade.reasons)


def _same_sign(said: Reason, seen: Reason) -> bool:
    return (said.best - said.played) * (seen.best - seen.played) > 0
