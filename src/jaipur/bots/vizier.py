"""The level `vizier`: a search on top of the network."""

from jaipur.bots.player import Budget
from jaipur.brain.network import Network
from jaipur.brain.search import Search
from jaipur.rules.move import Move, from_code
from jaipur.rules.rng import Rng
from jaipur.rules.view import View

_WIDTH = 14
_DEPTH = 10
"""Turns played after the move under study, beyond a glance: an even number, so that this seat has the last word."""

_NODES_PER_WORLD = 50
_NODES_PER_SECOND = 250_000
"""Positions that a proof may look at: about a quarter of the thinking time."""


class Vizier:
    """Tries its network's best moves in many worlds that agree with the view; the rival plays by that network, too."""

    def __init__(self, network: Network) -> None:
        self.network = network

    def choose(self, view: View, budget: Budget, rng: Rng) -> Move:
        """The move that did best within the budget."""
        return from_code(self.think(view, budget, rng).best().code)

    def think(self, view: View, budget: Budget, rng: Rng) -> Search:
        """The finished search, with a value for every move, as hints and reviews show them."""
        deadline = budget.clock.now() + (budget.seconds or 0.0)
        search = Search(view, self.network, self.network, rng, _WIDTH, _DEPTH)
        search.prove(_nodes(budget))
        if budget.worlds is not None:
            search.run(budget.worlds)
            return search
        now, slowest = budget.clock.now(), 0.0
        while len(search.live) > 1 and now + slowest < deadline:
            search.run(1)
            before, now = now, budget.clock.now()
            slowest = max(slowest, now - before)
        return search


def _nodes(budget: Budget) -> int:
    """How many positions a proof may look at."""
    if budget.worlds is not None:
        return _NODES_PER_WORLD * budget.worlds
    return int(_NODES_PER_SECOND * (budget.seconds or 0.0))
