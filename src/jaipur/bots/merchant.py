"""The level `merchant`: the network alone."""

from jaipur.bots.player import Budget
from jaipur.brain.network import Network
from jaipur.rules.move import Move, from_code
from jaipur.rules.rng import Rng
from jaipur.rules.view import View


class Merchant:
    """Plays the move after which the network sees the best chance of winning the round."""

    def __init__(self, network: Network) -> None:
        self.network = network

    def choose(self, view: View, budget: Budget, rng: Rng) -> Move:
        """The move that looks best to the network; needs no budget."""
        return from_code(self.network.best(view))
