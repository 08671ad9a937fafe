"""The league: one contender against players that it does not model, and one figure for all of them."""

import math
from collections.abc import Iterator
from statistics import fmean, variance

from jaipur.arena.duel import Duel, Standing, run
from jaipur.arena.play import Contender
from jaipur.arena.statistics import Z95, Estimate
from jaipur.processes import Workers

FIELD = ("trader", "broker", "merchant", "uct", "stranger", "hunter")
"""Few, and as different from each other as possible; the weakest levels would tell us nothing."""


class League:
    """A contender, its opponents, and the standings so far.

    The opponents are the field and some more, without the contender itself; all think as long as it does.
    """

    def __init__(self, contender: Contender, also: list[str], pairs: int, seed: int) -> None:
        names = [name for name in (*FIELD, *also) if name != contender.name]
        self.contender = contender
        self.opponents = [Contender(name, contender.budget) for name in names]
        self.pairs = pairs
        self.seed = seed
        self.standings: dict[str, Standing] = {}

    def play(self, workers: Workers) -> Iterator[str]:
        """Plays one opponent after the other on the same deals; yields the opponent's name after each pair."""
        for opponent in self.opponents:
            for standing in run(Duel(self.contender, opponent, self.pairs, self.seed), workers):
                self.standings[opponent.name] = standing
                yield opponent.name

    @property
    def games(self) -> int:
        """Games played so far."""
        return sum(standing.games for standing in self.standings.values())

    @property
    def overall(self) -> Estimate:
        """The mean of the win rates; every opponent counts the same, however many games it has played."""
        return mean([standing.pairs for standing in self.standings.values()])

    def figures(self) -> dict[str, object]:
        """Everything by name, for programs."""
        now = self.overall
        return {
            "contender": self.contender.name,
            "win_rate": now.rate,
            "low": now.low,
            "high": now.high,
            "opponents": {name: standing.figures() for name, standing in self.standings.items()},
        }


def mean(opponents: list[list[float]]) -> Estimate:
    """The mean of several win rates, from the scores of pairs against each opponent, with its 95% interval.

    For the interval, each opponent is given one more pair won and one more lost, so that a few pairs or a clean sweep
    do not look certain.
    """
    rate = fmean(fmean(pairs) for pairs in opponents)
    errors = [variance([*pairs, 0.0, 1.0]) / (len(pairs) + 2) for pairs in opponents]
    reach = Z95 * math.sqrt(sum(errors)) / len(opponents)
    return Estimate(rate, max(rate - reach, 0.0), min(rate + reach, 1.0))
