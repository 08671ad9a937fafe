"""Ratings: the Elo numbers that best explain the results between all pairs of players."""

from jaipur.arena.statistics import rate_of

_STEPS = 4000
_STEP = 40.0


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
