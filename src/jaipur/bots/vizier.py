"""The players that search: the level `vizier` on top of its network, and `uct` without one."""

from jaipur.bots.player import Budget
from jaipur.brain.network import Network
from jaipur.brain.search import Search
from jaipur.brain.tree import Tree
from jaipur.rules.move import Move, from_code
from jaipur.rules.rng import Rng
from jaipur.rules.view import View

_WIDTH = 14
_DEPTH = 10
"""Turns played after the move under study, beyond a glance: an even number, so that this seat has the last word."""

_NODES_PER_WORLD = 50
_NODES_PER_SECOND = 250_000
"""Positions that a proof may look at: about a quarter of the thinking time."""

_BATCH = 8
"""Tries between two looks at the clock."""


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
        if budget.worlds is not None:
            search.prove(_NODES_PER_WORLD * budget.worlds)
            search.run(budget.worlds)
            return search
        search.prove(int(_NODES_PER_SECOND * (budget.seconds or 0.0)))
        now, slowest = budget.clock.now(), 0.0
        while len(search.live) > 1 and now + slowest < deadline:
            search.run(1)
            before, now = now, budget.clock.now()
            slowest = max(slowest, now - before)
        return search


class TreeSearcher:
    """Classic tree search with rollouts: no network, nothing learned."""

    def choose(self, view: View, budget: Budget, rng: Rng) -> Move:
        """The move tried most often; each world in the budget is one try."""
        deadline = budget.clock.now() + (budget.seconds or 0.0)
        tree = Tree(view, rng)
        tree.run(budget.worlds or _BATCH)
        while budget.worlds is None and budget.clock.now() < deadline:
            tree.run(_BATCH)
        return from_code(tree.best())
