"""Search on top of the network: try the best moves in many worlds that agree with the view.

For every world each candidate is played, then some more turns: this seat plays the network's moves, the other one
those of the network that the rival is believed to play like. The network values what it sees last; where the round
ends, the result is exact. All candidates meet the same worlds and the same luck, so they are compared world by world,
and those that are surely worse are dropped.
"""

import math
from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from jaipur.core.beliefs import likely_world
from jaipur.core.legal import legal_codes
from jaipur.core.network import Network
from jaipur.core.rng import Rng
from jaipur.core.round import Round
from jaipur.core.view import View

_PRIOR_WORLDS: Final = 4.0
_SURE: Final = 3.0
_BATCH: Final = 16
_FEW: Final = 2.0


@final
class Candidate:
    """A move under study: what the network thought at first, and how it did in each world."""

    def __init__(self, code: i64, prior: float) -> None:
        self.code = code
        self.prior = prior
        self.total = 0.0
        self.results = vec[float]()

    def add(self, result: float) -> None:
        """One more world."""
        self.total += result
        self.results = append(self.results, result)

    @property
    def value(self) -> float:
        """The probability to win the round, by now."""
        worlds = float(i64(len(self.results)))
        return (self.total + _PRIOR_WORLDS * self.prior) / (worlds + _PRIOR_WORLDS)

    @property
    def error(self) -> float:
        """The standard error of the value; that of a move which was never tried is not known and given as 1."""
        worlds = float(i64(len(self.results)))
        if worlds < _FEW:
            return 1.0
        mean = self.total / worlds
        squares = 0.0
        for result in self.results:
            squares += (result - mean) * (result - mean)
        return math.sqrt(max(squares / worlds, 1e-6) / worlds)

    def behind(self, other: "Candidate") -> float:
        """How many standard errors it is behind another one in the same worlds."""
        worlds = i64(len(self.results))
        total = 0.0
        squares = 0.0
        for i in range(worlds):
            gap = other.results[i] - self.results[i]
            total += gap
            squares += gap * gap
        number = float(worlds)
        mean = total / number
        variance = max(squares / number - mean * mean, 1e-6)
        return mean / math.sqrt(variance / number)


@final
class Search:
    """Thinks about one view. `run` may be called again and again; `best` is the answer so far."""

    def __init__(self, view: View, network: Network, rival: Network, rng: Rng, width: i64, depth: i64) -> None:
        self.view = view
        self.network = network
        self.rival = rival
        self.rng = rng
        self.depth = depth
        self.candidates: list[Candidate] = []
        codes = legal_codes(view.me.hand, view.me.herd, view.market)
        values = network.values(view, codes)
        for i in range(i64(len(codes))):
            self.candidates.append(Candidate(codes[i], values[i]))
        self.candidates.sort(key=_prior, reverse=True)
        self.live = self.candidates[:width]
        self.worlds: i64 = 0

    def run(self, worlds: i64) -> None:
        """Tries the live candidates in some more worlds."""
        for _ in range(worlds):
            if len(self.live) == 1:
                return
            world = likely_world(self.view, self.rng)
            for candidate in self.live:
                candidate.add(self._follow(world.copy(), candidate.code))
            self.worlds += 1
            if self.worlds % _BATCH == 0:
                self._drop()

    def best(self) -> Candidate:
        """The candidate with the highest value."""
        best = self.live[0]
        for candidate in self.live:
            if candidate.value > best.value:
                best = candidate
        return best

    def _drop(self) -> None:
        best = self.best()
        self.live = [candidate for candidate in self.live if candidate is best or candidate.behind(best) < _SURE]

    def _follow(self, table: Round, code: i64) -> float:
        me = self.view.seat
        table.apply(code)
        value = 0.5
        for _ in range(self.depth):
            if table.over:
                break
            if table.turn == me:
                code = self.network.best(table.view(me))
                value = self.network.best_value
            else:
                code = self.rival.best(table.view(1 - me))
                value = 1.0 - self.rival.best_value
            table.apply(code)
        if not table.over:
            return value
        winner = table.score().winner
        if winner is None:
            return 0.5
        return 1.0 if i64(winner) == me else 0.0


def _prior(candidate: Candidate) -> float:
    return candidate.prior
