"""The review of a match: first the graph and the luck, then one task per decision, then all of it together.

`Draft` is ready at once. Its tasks can be graded anywhere and in any order (`grades.grade`); `Draft.review` takes the
grades in the order of the tasks. The same record and the same number of worlds always give the same review.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from jaipur.coach.figures import figures
from jaipur.coach.grades import WORLDS, Grade, Label, Task, grade, judge_name, rounded
from jaipur.coach.luck import Position, positions, round_luck
from jaipur.match import Match
from jaipur.rules.errors import N_, JaipurError
from jaipur.rules.move import Move
from jaipur.rules.round import Round


@dataclass(frozen=True)
class Ply:
    """One decision with its grade. `win` and `luck` are seat 0's, after the move and the cards or token it drew."""

    seat: int
    move: Move
    grade: Grade
    win: float
    luck: float

    @property
    def decided(self) -> bool:
        """Whether there was anything to decide."""
        return self.grade.label is not Label.FORCED


@dataclass(frozen=True)
class Sum:
    """A round as a sum, for one seat: the other parts add up to `result - start`.

    `rest` is what the network and the judge disagree on, plus whatever neither of them sees. A round that was broken
    off has no result, so there is nothing for its parts to add up to.
    """

    result: float | None
    start: float
    deal: float
    refills: float
    bonus: float
    own_losses: float
    rival_losses: float
    rest: float | None

    def seen_from(self, seat: int) -> "Sum":
        """The same from one side of the table."""
        if seat == 0:
            return self
        return Sum(
            None if self.result is None else 1 - self.result,
            1 - self.start,
            -self.deal,
            -self.refills,
            -self.bonus,
            self.rival_losses,
            self.own_losses,
            None if self.rest is None else -self.rest,
        )


@dataclass(frozen=True)
class RoundReview:
    """One round: who started it, seat 0's chance before the first move, its decisions, and its sum for seat 0."""

    starter: int
    opening: float
    plies: tuple[Ply, ...]
    sum: Sum

    def seen_from(self, seat: int) -> "RoundReview":
        """The round with its chances, luck and sum from one side of the table."""
        if seat == 0:
            return self
        plies = tuple(replace(ply, win=1 - ply.win, luck=-ply.luck) for ply in self.plies)
        return replace(self, opening=1 - self.opening, plies=plies, sum=self.sum.seen_from(seat))


@dataclass(frozen=True)
class Review:
    """A whole match, with the judge and the number of worlds it had for each decision."""

    judge: str
    worlds: int
    rounds: tuple[RoundReview, ...]


class Draft:
    """What is known about a finished match before any decision is graded: the graph and the luck.

    `ended` says that it is over although nobody has two seals. A round that was dealt but not begun is left out.
    """

    def __init__(self, match: Match, worlds: int = WORLDS, ended: bool = False) -> None:
        if not match.over and not ended:
            raise JaipurError(N_("This match is not over: a review would reveal what its players may not know yet."))
        self.played = [played for played in match.rounds if played.moves]
        if not self.played:
            raise JaipurError(N_("No move was played in this match, so there is nothing to review."))
        self.worlds = worlds
        self.positions = [
            positions(match.deal(number, played.starter), played) for number, played in enumerate(self.played, 1)
        ]
        rounds = [_ungraded(*pair) for pair in zip(self.positions, self.played, strict=True)]
        self.ungraded = Review(judge_name(), worlds, tuple(rounds))

    def tasks(self) -> list[Task]:
        """One task per move of the match, each from the mover's own view."""
        return [
            Task(str(before.view(before.turn)), str(move), self.worlds)
            for way in self.positions
            for before, move, _after in way
        ]

    def review(self, grades: Sequence[Grade]) -> Review:
        """The review, from the grades of all tasks in their order."""
        return with_grades(self.ungraded, grades)


def _ungraded(way: Sequence[Position], played: Round) -> RoundReview:
    """A round with its graph and luck; until its moves are graded, each counts as one that lost nothing."""
    luck = round_luck(way, played)
    plies = tuple(
        Ply(before.turn, move, Grade(str(move), 0.0, 0.0, Label.CLOSE), step.win, step.luck)
        for (before, move, _after), step in zip(way, luck.steps, strict=True)
    )
    start = figures().start if played.starter == 0 else 1 - figures().start
    total = Sum(
        result=luck.result if played.over else None,
        start=rounded(start),
        deal=rounded(luck.opening - start),
        refills=rounded(sum(step.refill for step in luck.steps)),
        bonus=rounded(sum(step.bonus for step in luck.steps)),
        own_losses=0.0,
        rival_losses=0.0,
        rest=None,
    )
    return RoundReview(played.starter, luck.opening, plies, with_losses(total, plies))


def with_grades(ungraded: Review, grades: Sequence[Grade]) -> Review:
    """A review with new grades, in the order of its moves; what remains unexplained changes with them."""
    waiting = iter(grades)
    rounds = []
    for part in ungraded.rounds:
        plies = tuple(replace(ply, grade=next(waiting)) for ply in part.plies)
        rounds.append(replace(part, plies=plies, sum=with_losses(part.sum, plies)))
    return replace(ungraded, rounds=tuple(rounds))


def with_losses(total: Sum, plies: Sequence[Ply]) -> Sum:
    """A sum with the losses of these moves; `rest` is whatever is then missing."""
    own, rival = (rounded(sum(ply.grade.loss for ply in plies if ply.seat == seat)) for seat in (0, 1))
    rest = None
    if total.result is not None:
        luck = total.deal + total.refills + total.bonus
        rest = rounded(total.result - total.start - luck + own - rival)
    return replace(total, own_losses=own, rival_losses=rival, rest=rest)


def review_match(match: Match, worlds: int = WORLDS, ended: bool = False) -> Review:
    """The whole review at once, in this process."""
    draft = Draft(match, worlds, ended)
    return draft.review([grade(task) for task in draft.tasks()])
