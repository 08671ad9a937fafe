"""The control variate: a result with the luck taken off has the same mean and less noise.

Luck has mean zero whoever plays, since it is measured against everything the true deck could have brought. So any
weights are unbiased as long as they were fixed before the games they are used on; those in `figures.json` are a
least-squares fit to other games.
"""

from collections.abc import Sequence

from jaipur.coach.figures import KINDS, figures
from jaipur.coach.luck import RoundLuck


def luck_by_kind(luck: RoundLuck, starter: int, start: float) -> tuple[float, float, float]:
    """The luck of seat 0 in a round: from the deal, the refills and the bonus tokens."""
    opening = luck.opening - (start if starter == 0 else 1 - start)
    return opening, sum(step.refill for step in luck.steps), sum(step.bonus for step in luck.steps)


def weighed_luck(luck: RoundLuck, starter: int) -> float:
    """What luck gave seat 0 in a round, by the weights that ship with the package."""
    kinds = luck_by_kind(luck, starter, figures().start)
    return sum(figures().weights[name] * amount for name, amount in zip(KINDS, kinds, strict=True))


def least_squares(rows: Sequence[Sequence[float]], results: Sequence[float]) -> list[float]:
    """The column weights that best explain the results, without a constant term."""
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
