"""Players to measure against that are not levels: no search uses any of them as its model (`jaipur league`)."""

from collections.abc import Callable

from jaipur.bots.merchant import Merchant
from jaipur.bots.player import Budget, Player
from jaipur.bots.weights import shipped_network
from jaipur.brain.tree import Tree
from jaipur.rules.move import Move, from_code
from jaipur.rules.rng import Rng
from jaipur.rules.view import View

_BATCH = 8
"""Tries between two looks at the clock."""


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


OUTSIDERS: dict[str, Callable[[], Player]] = {
    "uct": TreeSearcher,
    "stranger": lambda: Merchant(shipped_network("stranger")),
    "hunter": lambda: Merchant(shipped_network("hunter")),
}
"""By name: the tree search, a network trained separately, and one that learned only to beat the vizier's."""
