"""The control variate: a result with its luck taken off has the same mean and less noise.

Luck has the mean zero whoever plays, since it is counted against all that the true deck could have brought. So any
weights are honest as long as they were fixed before the games that they are used on; those in `figures.json` are the
least squares of other games.
"""

from collections.abc import Sequence

from jaipur.review.figures import KINDS, figures
from jaipur.review.luck import RoundLuck


def luck_by_kind(luck: RoundLuck, starter: int, start: float) -> tuple[float, float, float]:
    """Deal, refills and bonus tokens of seat 0 in a round."""
    opening = luck.opening - (start if starter == 0 else 1 - start)
    return opening, sum(step.refill for step in luck.steps), sum(step.bonus for step in luck.steps)


def weighed_luck(luck: RoundLuck, starter: int) -> float:
    """What luck gave seat 0 in a round, by the weights that ship."""
    kinds = luck_by_kind(luck, starter, figures().start)
    return sum(figures().weights[name] * amount for name, amount in zip(KINDS, kinds, strict=True))


def least_squares(rows: Sequence[Sequence[float]], results: Sequence[float]) -> list[float]:
    """The weights of the columns that explain the results best, without a constant."""
    size = len(rows[0])
    table = [
        [sum(row[i] * row[j] for row in rows) for j in range(size)]
        + [sum(row[i] * result for row, result in zip(rows, results, strict=True))]
        for i in range(size)
    ]
    for pivot in range(size):
        for other in range(size):
            if other != pivot:
                factor = table[other][pivot] / table[pivot][pivot]
                table[other] = [a - factor * b for a, b in zip(table[other], table[pivot], strict=True)]
    return [table[i][size] / table[i][i] for i in range(size)]
