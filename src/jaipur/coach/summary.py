"""Summaries: of one player in a match, of a person over many matches, and what a round is worth in the match.

The headline is the points lost per open decision, which tells levels apart whoever the opponent is. Two things hide
skill in the plain mean of all losses. Whoever is far behind, or far ahead, has little left to lose, so the mean depends
on the opponent. And a few disasters of fifty points or more outweigh all the rest. So a decision counts only if the
round is still open before the move, and a blunder counts the same however large it is.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from jaipur.coach.figures import KINDS, figures, level_like
from jaipur.coach.grades import FAULTS, LIMITS, Label, rounded
from jaipur.coach.review import Ply, Review, RoundReview, Sum
from jaipur.rules.box import SEALS_TO_WIN

DEAREST = 3
_LOW, _HIGH = 0.1, 0.9
MOST = LIMITS[Label.BLUNDER]
"""The most that one decision counts."""


@dataclass(frozen=True)
class PlayerSummary:
    """One player: decisions, loss per open decision with its standard error, luck by kind, and the share of rounds won.

    The error is that of the mean over decisions, so it includes the judge's noise and the player's own ups and downs.
    `open_decisions` is how many the mean is taken over (see above); `lost` is the plain sum of all losses.
    `rounds` counts the rounds that were played, finished or not; `won` is a share of those with a result.
    `adjusted` is the share of rounds won with the luck taken off: meaningful over many rounds, not for one.
    """

    decisions: int
    loss: float
    error: float
    labels: dict[Label, int]
    luck: dict[str, float]
    rounds: int
    won: float
    adjusted: float
    open_decisions: int
    lost: float

    @property
    def level_like(self) -> str:
        """The level that loses about as much per open decision."""
        return level_like(self.loss)


@dataclass(frozen=True)
class Dear:
    """A costly move, with its round and its number in the round, both from 1."""

    round: int
    number: int
    ply: Ply


def player_summary(review: Review, seat: int) -> PlayerSummary:
    """What one seat did in a match."""
    return person_summary([(review, seat)])


def person_summary(matches: Iterable[tuple[Review, int]]) -> PlayerSummary:
    """What a person did in several matches, each given with their seat."""
    chosen = list(matches)
    plies = [ply for review, seat in chosen for ply in decisions(review, seat)]
    sums = [part.sum.seen_from(seat) for review, seat in chosen for part in review.rounds]
    losses = [loss for review, seat in chosen for part in review.rounds for loss in _open_losses(part, seat)]
    mean, error = mean_and_error(losses)
    won, adjusted = _won(sums)
    return PlayerSummary(
        decisions=len(plies),
        loss=rounded(mean),
        error=rounded(error),
        labels={label: sum(ply.grade.label is label for ply in plies) for label in Label},
        luck={kind: rounded(sum(getattr(part, kind) for part in sums)) for kind in KINDS},
        rounds=len(sums),
        won=rounded(won),
        adjusted=rounded(adjusted),
        open_decisions=len(losses),
        lost=rounded(sum(part.own_losses for part in sums)),
    )


def _won(sums: Sequence[Sum]) -> tuple[float, float]:
    """The share won of the rounds with a result, and the same with the luck taken off."""
    results = [(part.result, part) for part in sums if part.result is not None]
    number = max(len(results), 1)
    won = sum(result for result, _part in results) / number
    start = sum(part.start for _result, part in results) / number - 0.5
    luck = sum(figures().weights[kind] * getattr(part, kind) for _result, part in results for kind in KINDS) / number
    return won, won - start - luck


def _open_losses(part: RoundReview, seat: int) -> list[float]:
    """What the headline counts in a round. The chance before a move is the chance after the previous one."""
    before = (part.opening, *(ply.win for ply in part.plies))
    return [
        counted(ply.grade.loss)
        for chance, ply in zip(before, part.plies, strict=False)
        if ply.seat == seat and ply.decided and is_open(chance)
    ]


def decisions(review: Review, seat: int) -> list[Ply]:
    """The moves of a seat in which it had a choice."""
    return [ply for part in review.rounds for ply in part.plies if ply.seat == seat and ply.decided]


def mean_and_error(numbers: Sequence[float]) -> tuple[float, float]:
    """The mean and its standard error."""
    if not numbers:
        return 0.0, 0.0
    mean = sum(numbers) / len(numbers)
    variance = sum((number - mean) ** 2 for number in numbers) / max(len(numbers) - 1, 1)
    return mean, math.sqrt(variance / len(numbers))


def dearest(review: Review, seat: int | None = None) -> list[Dear]:
    """The costliest certain faults, of one seat or of both."""
    moves = [
        Dear(number, at, ply)
        for number, part in enumerate(review.rounds, 1)
        for at, ply in enumerate(part.plies, 1)
        if ply.grade.label in FAULTS and seat in {None, ply.seat}
    ]
    moves.sort(key=lambda dear: -dear.ply.grade.loss)
    return moves[:DEAREST]


def is_open(chance: float) -> bool:
    """Whether the round is still open for a player with this chance before the move."""
    return _LOW <= chance <= _HIGH


def counted(loss: float) -> float:
    """What a loss counts in the headline. A negative loss is noise but stays: without it the mean would be too high."""
    return min(loss, MOST)


def match_chance(mine: int, theirs: int, starts: bool, start: float) -> float:
    """The probability of winning the match between equals, before a round that this seat does or does not start.

    `start` is what starting a round is worth: the starter's probability of winning it.
    """
    if SEALS_TO_WIN in {mine, theirs}:
        return float(mine == SEALS_TO_WIN)
    win = start if starts else 1 - start
    won = match_chance(mine + 1, theirs, False, start)
    lost = match_chance(mine, theirs + 1, True, start)
    return win * won + (1 - win) * lost


def round_worth(mine: int, theirs: int, start: float) -> float:
    """How much winning the round instead of losing it changes the chance of winning the match: 1 if it decides it."""
    won = match_chance(mine + 1, theirs, False, start)
    return won - match_chance(mine, theirs + 1, True, start)
