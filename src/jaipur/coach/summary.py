"""Summaries: of one player in a match, and what a round is worth in the match.

The headline is the points lost per open decision, which tells levels apart against any opponent. Two things hide
skill in the plain mean of all losses. A player far behind, or far ahead, has little left to lose, so the mean depends
on the opponent. And a few disasters of fifty points or more outweigh all the rest. So a decision counts only if the
round is still open before the move, and a blunder counts the same however large it is.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from jaipur.coach.figures import KINDS, figures, level_like
from jaipur.coach.grades import FAULTS, LIMITS, Label, rounded
from jaipur.coach.review import Review, RoundReview, Sum
from jaipur.rules.box import SEALS_TO_WIN

_DEAREST = 3
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


def player_summary(review: Review, seat: int) -> PlayerSummary:
    """What one seat did in a match."""
    sums = [part.sum.seen_from(seat) for part in review.rounds]
    losses = [loss for part in review.rounds for loss in _open_losses(part, seat)]
    mean, error = mean_and_error(losses)
    won, adjusted = _won(sums)
    return PlayerSummary(
        decisions=sum(ply.seat == seat and ply.decided for ply in review.plies),
        loss=rounded(mean),
        error=rounded(error),
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
    return [
        counted(ply.grade.loss)
        for chance, ply in zip(part.chances, part.plies, strict=False)
        if ply.seat == seat and ply.decided and is_open(chance)
    ]


def mean_and_error(numbers: Sequence[float]) -> tuple[float, float]:
    """The mean and its standard error."""
    if not numbers:
        return 0.0, 0.0
    mean = sum(numbers) / len(numbers)
    variance = sum((number - mean) ** 2 for number in numbers) / max(len(numbers) - 1, 1)
    return mean, math.sqrt(variance / len(numbers))


def dearest(review: Review, seat: int | None = None) -> list[int]:
    """Where in the match, from 1, the costliest certain faults are, of one seat or of both."""
    plies = dict(enumerate(review.plies, 1))
    faults = [at for at, ply in plies.items() if ply.grade.label in FAULTS and seat in {None, ply.seat}]
    return sorted(faults, key=lambda at: -plies[at].grade.loss)[:_DEAREST]


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
