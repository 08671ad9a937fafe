"""The levels `merchant` and `broker`: the network alone, and the network with a bad memory."""

from copy import copy

from jaipur.bots.player import Budget
from jaipur.brain.network import Network
from jaipur.rules.legal import legal_codes
from jaipur.rules.move import Move, from_code
from jaipur.rules.rng import Rng
from jaipur.rules.view import View

_UNSURE = 0.045


class Merchant:
    """Plays the move after which the network sees the best chance of winning the round."""

    def __init__(self, network: Network) -> None:
        self.network = network

    def choose(self, view: View, budget: Budget, rng: Rng) -> Move:
        """The move that looks best to the network; needs no budget."""
        return from_code(self.network.best(view))


class Broker(Merchant):
    """Values moves like the merchant, but forgets what the rival took and is never quite sure."""

    def choose(self, view: View, budget: Budget, rng: Rng) -> Move:
        """A move whose value is close to the best, as far as the broker remembers."""
        remembered = forgetful(view)
        codes = legal_codes(remembered.me.hand, remembered.me.herd, remembered.market)
        values = self.network.legal_values(remembered)
        noise = [_UNSURE * float(rng.below(2001) - 1000) / 1000 for _ in codes]
        best = max(range(len(codes)), key=lambda i: values[i] + noise[i])
        return from_code(codes[best])


def forgetful(view: View) -> View:
    """The view of a player who does not remember which cards the rival took."""
    seen = copy(view)
    seen.rival.known = 0
    return seen
