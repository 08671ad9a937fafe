"""What results prove: win rates with their intervals, the sequential test, ratings."""

import math
from dataclasses import dataclass

Z95 = 1.96
_ERROR_RATE = 0.05
_STEPS = 4000
_STEP = 40.0
"""Of the corrections from which ratings come."""


@dataclass(frozen=True)
class Estimate:
    """A win rate with its 95% interval."""

    rate: float
    low: float
    high: float

    @property
    def elo(self) -> float:
        """The difference in Elo points that gives this win rate."""
        bounded = min(max(self.rate, 1e-4), 1 - 1e-4)
        return 400 * math.log10(bounded / (1 - bounded))


def estimate(pairs: list[float]) -> Estimate:
    """An estimate from the scores of pairs (the mean of both games): pairs, not games, are independent.

    The interval is Wilson's, for the number of games that the spread of the pairs is worth.
    """
    number = len(pairs)
    if number == 0:
        return Estimate(0.5, 0.0, 1.0)
    rate = sum(pairs) / number
    variance = sum((pair - rate) ** 2 for pair in pairs) / max(number - 1, 1)
    games = number * min(max(rate * (1 - rate) / variance, 1.0), 4.0) if variance > 0 else float(number)
    shift = Z95**2 / games
    centre = (rate + shift / 2) / (1 + shift)
    reach = Z95 * math.sqrt(rate * (1 - rate) / games + shift / (4 * games)) / (1 + shift)
    return Estimate(rate, max(centre - reach, 0.0), min(centre + reach, 1.0))


def normal_estimate(pairs: list[float]) -> Estimate:
    """An estimate from scores of pairs that may lie outside 0 to 1; the rate and its interval do not."""
    number = len(pairs)
    rate = sum(pairs) / number
    variance = sum((pair - rate) ** 2 for pair in pairs) / max(number - 1, 1)
    reach = Z95 * math.sqrt(variance / number)
    return Estimate(*(min(max(value, 0.0), 1.0) for value in (rate, rate - reach, rate + reach)))


def rate_of(elo: float) -> float:
    """The win rate that an Elo difference predicts."""
    return 1 / (1 + 10 ** (-elo / 400))


def decided(pairs: list[float], low_elo: float, high_elo: float) -> str:
    """The sequential test: `high` once the difference is clearly nearer to high_elo, `low` for low_elo, else `""`."""
    number = len(pairs)
    mean = sum(pairs) / number if number else 0.5
    variance = sum((pair - mean) ** 2 for pair in pairs) / number if number else 0.0
    low, high = rate_of(low_elo), rate_of(high_elo)
    variance = max(variance, 0.25 / max(number, 1))
    ratio = number * (high - low) * (2 * mean - low - high) / (2 * variance)
    bound = math.log((1 - _ERROR_RATE) / _ERROR_RATE)
    return "high" if ratio >= bound else "low" if ratio <= -bound else ""


def ratings(names: list[str], results: dict[tuple[str, str], tuple[float, int]]) -> dict[str, float]:
    """Elo by repeated small corrections, from win rates and numbers of games; the first name has 0."""
    elo = dict.fromkeys(names, 0.0)
    games = {name: sum(n for pair, (_rate, n) in results.items() if name in pair) for name in names}
    for _step in range(_STEPS):
        pull = dict.fromkeys(names, 0.0)
        for (first, second), (rate, number) in results.items():
            # Half a game each way keeps a clean sweep finite.
            seen = (rate * number + 0.5) / (number + 1)
            surprise = number * (seen - rate_of(elo[first] - elo[second]))
            pull[first] += surprise
            pull[second] -= surprise
        elo = {name: elo[name] + _STEP * pull[name] / games[name] for name in names}
    return {name: elo[name] - elo[names[0]] for name in names}
