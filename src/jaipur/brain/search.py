"""Search on top of the network: tries the best moves in many worlds that agree with the view.

In every world each candidate is played, and then a few more turns: this seat follows its own network, the other the
network that the rival is assumed to play like. A try is worth what the network thinks at this seat's last two turns;
if the round ends, the result is exact. All candidates meet the same worlds and the same luck, so they are compared
world by world, and those that are clearly worse are dropped.

The first worlds get only a glance: two turns, for all candidates. The rest go to the moves that are still close. A
glance depends little on how the rival really plays, and is useful even when there is little time; a longer try sees
what the network does not. Its opinions along the way do not count: they are too close to the one being checked.
"""

import math
from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from jaipur.brain.beliefs import likely_world
from jaipur.brain.endgame import Endgame, can_be_listed
from jaipur.brain.network import Network
from jaipur.rules.legal import legal_codes
from jaipur.rules.rng import Rng
from jaipur.rules.round import Round
from jaipur.rules.view import View

_PRIOR_WORLDS: Final = 4.0
_SURE: Final = 3.0
_BATCH: Final = 16
_FEW: Final = 2.0
GLANCES: Final = 32
"""Worlds that get only a glance."""
_GLANCE: Final = 2
"""Turns in a glance: the rival's reply, and what this seat sees then."""
_OPINIONS: Final = 2
"""How many of this seat's last turns count: a single opinion is noisier."""
_CLOSE: Final = 0.03
"""A move closer to the best than this is not dropped after a glance, however certain the gap."""


@final
class Candidate:
    """A move under study: what the network thought of it at first, and how it did in each world."""

    def __init__(self, code: i64, prior: float) -> None:
        self.code = code
        self.prior = prior
        self.total = 0.0
        self.results = vec[float]()
        self.proven = -1.0

    def add(self, result: float) -> None:
        """Adds the result in one more world."""
        self.total += result
        self.results = append(self.results, result)

    @property
    def value(self) -> float:
        """The probability of winning the round, as estimated so far; exact where proven."""
        if self.proven >= 0.0:
            return self.proven
        worlds = float(i64(len(self.results)))
        return (self.total + _PRIOR_WORLDS * self.prior) / (worlds + _PRIOR_WORLDS)

    @property
    def error(self) -> float:
        """The standard error of the value: 0 where proven, 1 for a move tried in fewer than two worlds."""
        if self.proven >= 0.0:
            return 0.0
        worlds = float(i64(len(self.results)))
        if worlds < _FEW:
            return 1.0
        mean = self.total / worlds
        squares = 0.0
        for result in self.results:
            squares += (result - mean) * (result - mean)
        return math.sqrt(max(squares / worlds, 1e-6) / worlds)

    def behind(self, other: "Candidate") -> float:
        """How many standard errors it is behind another candidate in the same worlds."""
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
            turns = _GLANCE if self.worlds < GLANCES else self.depth
            for candidate in self.live:
                candidate.add(self._follow(world.copy(), candidate.code, turns))
            self.worlds += 1
            if self.worlds % _BATCH == 0:
                self._drop()

    def prove(self, nodes: i64) -> None:
        """Where the rest of the round can be listed, looks for a proof and drops moves that are certainly beaten.

        If several moves are proven best, the network's favourite is played. If all is lost, nothing counts as proven:
        the rival may still go wrong.
        """
        if len(self.live) == 1 or not can_be_listed(self.view):
            return
        endgame = Endgame(self.view, nodes)
        endgame.solve()
        proven = endgame.proven()
        if proven < 0:
            kept = [candidate for candidate in self.live if not endgame.beaten(candidate.code)]
            self.live = kept if kept else self.live
        elif endgame.low[proven] > 0.0:
            for candidate in self.candidates:
                if endgame.at_least(candidate.code) == endgame.low[proven]:
                    candidate.proven = endgame.low[proven]
                    self.live = [candidate]
                    return

    def best(self) -> Candidate:
        """The candidate with the highest value."""
        best = self.live[0]
        for candidate in self.live:
            if candidate.value > best.value:
                best = candidate
        return best

    def _drop(self) -> None:
        best = self.best()
        close = _CLOSE if self.worlds <= GLANCES else 0.0
        self.live = [
            candidate
            for candidate in self.live
            if candidate is best or best.value - candidate.value < close or candidate.behind(best) < _SURE
        ]

    def _follow(self, world: Round, code: i64, turns: i64) -> float:
        """Plays a move and some more turns: the mean of this seat's last opinions, with the result for missing ones."""
        me = self.view.seat
        total = 0.0
        world.apply(code)
        opinions: i64 = min(turns // 2, _OPINIONS)
        left = opinions
        for turn in range(i64(1), turns + 1):
            if world.over:
                break
            if world.turn == me:
                code = self.network.best(world.view(me))
                if turn > turns - 2 * opinions:
                    total += self.network.best_value
                    left -= 1
            else:
                code = self.rival.best(world.view(1 - me))
            world.apply(code)
        if left:
            total += float(left) * world.score().result(me)
        return total / float(opinions)


def _prior(candidate: Candidate) -> float:
    return candidate.prior
