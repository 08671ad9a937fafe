"""The level `random`: every legal move is equally likely. For measuring."""

from jaipur.bots.player import Budget
from jaipur.rules.move import Move
from jaipur.rules.rng import Rng
from jaipur.rules.view import View


class RandomBot:
    """Knows the rules and nothing else."""

    def choose(self, view: View, budget: Budget, rng: Rng) -> Move:
        """Any legal move."""
        moves = view.legal_moves()
        return moves[rng.below(len(moves))]
