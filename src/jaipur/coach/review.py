"""The review of a match: first the graph and the luck, then one task per decision, then all of it together.

`Draft` is ready at once. Its tasks can be graded anywhere and in any order (`grades.grade`); `Draft.review` takes the
grades in the order of the tasks. The same record and the same number of worlds always give the same review.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from jaipur.coach.figures import figures
from jaipur.coach.grades import Grade, Label, Task, judge_name, rounded
from jaipur.coach.round_luck import for_seat, luck_by_kind, round_luck
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

    @property
    def chances(self) -> list[float]:
        """Seat 0's chance before the first move, and after each move."""
        return [self.opening, *(ply.win for ply in self.plies)]

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

    @property
    def plies(self) -> list[Ply]:
        """All decisions of the match."""
        return [ply for part in self.rounds for ply in part.plies]


class Draft:
    """What is known about a finished match before any decision is graded: the graph and the luck.

    `ended` says that it is over although nobody has two seals. A round that was dealt but not begun is left out.
    """

    def __init__(self, match: Match, worlds: int, ended: bool = False) -> None:
        if not match.over and not ended:
            raise JaipurError(N_("This match is not over: a review would reveal what its players may not know yet."))
        played = [part for part in match.rounds if part.moves]
        if not played:
            raise JaipurError(N_("No move was played in this match, so there is nothing to review."))
        self.rounds = [(match.deal(number, part.starter), part) for number, part in enumerate(played, 1)]
        self.ungraded = Review(judge_name(), worlds, tuple(_ungraded(*pair) for pair in self.rounds))

    def tasks(self) -> list[Task]:
        """One task per move of the match, each from the mover's own view."""
        tasks = []
        for dealt, played in self.rounds:
            now = dealt.copy()
            for move in played.moves:
                tasks.append(Task(str(now.view(now.turn)), str(move), self.ungraded.worlds))
                now.play(move)
        return tasks

    def review(self, grades: Sequence[Grade]) -> Review:
        """The review, from the grades of all tasks in their order."""
        return with_grades(self.ungraded, grades)


def _ungraded(dealt: Round, played: Round) -> RoundReview:
    """A round with its graph and luck; until its moves are graded, each counts as one that lost nothing."""
    luck, start = round_luck(dealt, played), figures().start
    plies = tuple(
        Ply(seat, move, Grade(str(move), 0.0, 0.0, Label.CLOSE), then.win, then.refill + then.bonus)
        for (seat, move), then in zip(played.turns(), luck.moves, strict=True)
    )
    deal, refills, bonus = map(rounded, luck_by_kind(luck, start))
    result = luck.result if played.over else None
    total = Sum(result, rounded(for_seat(start, luck.starter)), deal, refills, bonus, 0.0, 0.0, None)
    return RoundReview(luck.starter, luck.opening, plies, with_losses(total, plies))


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
