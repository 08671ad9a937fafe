"""Are the network's probabilities true? When it says 70%, is the round won 70% of the time?"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from jaipur.brain.network import Network
from jaipur.rules.rng import Rng
from jaipur.rules.round import Round

TENTHS = 10
CHUNK = 100
"""Rounds between two reports."""
_NEWTON_STEPS = 8


@dataclass
class Tenth:
    """The moves whose probability fell into one tenth: how many, the mean prediction, and the mean result."""

    cases: int = 0
    predicted: float = 0.0
    seen: float = 0.0

    def add(self, predicted: float, seen: float) -> None:
        """Adds a move and the result of its round."""
        self.cases += 1
        self.predicted += (predicted - self.predicted) / self.cases
        self.seen += (seen - self.seen) / self.cases


def forecasts(network: Network, rounds: int, seed: int) -> Iterator[tuple[float, float]]:
    """Rounds of the network against itself: for every move, the probability it gave and the result."""
    rng = Rng(seed)
    for number in range(rounds):
        round_ = Round.deal(rng, number % 2)
        opinions: list[tuple[int, float]] = []
        while not round_.over:
            seat = round_.turn
            round_.apply(network.best(round_.view(seat)))
            opinions.append((seat, network.best_value))
            round_.stop_if_quiet()
        score = round_.score()
        for seat, value in opinions:
            yield value, score.result(seat)


def measure(network: Network, rounds: int, seed: int) -> Iterator[list[Tenth]]:
    """The table of tenths as it grows, after every few rounds."""
    tenths = [Tenth() for _ in range(TENTHS)]
    for chunk, begin in enumerate(range(0, rounds, CHUNK)):
        for predicted, seen in forecasts(network, min(CHUNK, rounds - begin), seed * 1_000_003 + chunk):
            tenths[min(int(predicted * TENTHS), TENTHS - 1)].add(predicted, seen)
        yield tenths


def correction(network: Network, rounds: int, seed: int) -> tuple[float, float]:
    """The factor and the shift for the network's log-odds that make its probabilities true.

    Neither changes which move is best. Learning leaves both a little wrong: the best of many estimates is an
    overestimate, and random moves blur the results.
    """
    cases = [(_log_odds(predicted), seen) for predicted, seen in forecasts(network, rounds, seed)]
    factor, shift = 1.0, 0.0
    for _step in range(_NEWTON_STEPS):
        gradient = [0.0, 0.0]
        curve = [0.0, 0.0, 0.0]
        for odds, seen in cases:
            chance = 1 / (1 + math.exp(-(factor * odds + shift)))
            weight = chance * (1 - chance)
            gradient[0] += (chance - seen) * odds
            gradient[1] += chance - seen
            curve[0] += weight * odds * odds
            curve[1] += weight * odds
            curve[2] += weight
        determinant = curve[0] * curve[2] - curve[1] ** 2
        factor -= (curve[2] * gradient[0] - curve[1] * gradient[1]) / determinant
        shift -= (curve[0] * gradient[1] - curve[1] * gradient[0]) / determinant
    return factor, shift


def _log_odds(chance: float) -> float:
    bounded = min(max(chance, 1e-6), 1 - 1e-6)
    return math.log(bounded / (1 - bounded))
