"""The learned players: the network alone, and the network with a search on top."""

import time

from jaipur.bots.player import Budget
from jaipur.core.legal import legal_codes
from jaipur.core.move import Move, from_code
from jaipur.core.network import Network
from jaipur.core.rng import Rng
from jaipur.core.search import Search
from jaipur.core.view import Rival, View

_WIDTH = 14
_DEPTH = 10
"""Turns after the own move. An even number did better in duels than an odd one (docs/bots.md)."""


class Merchant:
    """Plays the move after which the network sees the best chance to win the round."""

    def __init__(self, network: Network) -> None:
        self.network = network

    def choose(self, view: View, budget: Budget, rng: Rng) -> Move:
        """The best move one look ahead; it needs no budget."""
        return from_code(self.network.best(view))


class Broker:
    """Values like the merchant, but has not kept in mind what the rival took, and is not always sure."""

    def __init__(self, network: Network, unsure: float) -> None:
        self.network = network
        self.unsure = unsure

    def choose(self, view: View, budget: Budget, rng: Rng) -> Move:
        """A move whose value is close to the best, as far as it remembers."""
        seen = forgetful(view)
        codes = legal_codes(seen.me.hand, seen.me.herd, seen.market)
        values = self.network.legal_values(seen)
        noise = [self.unsure * float(rng.below(2001) - 1000) / 1000 for _ in codes]
        best = max(range(len(codes)), key=lambda i: values[i] + noise[i])
        return from_code(codes[best])


def forgetful(view: View) -> View:
    """The view of somebody who does not remember the rival's open cards."""
    rival = view.rival
    forgotten = Rival(rival.hand_size, 0, rival.herd, rival.goods_rupees, rival.goods_tokens, rival.bonus_taken)
    return View(
        view.seat,
        view.turn,
        view.starter,
        view.over,
        view.market,
        view.deck_size,
        view.discard,
        view.bonus_left,
        view.quiet,
        view.me.copy(),
        forgotten,
    )


class Vizier:
    """Searches: tries its network's best moves in many worlds that agree with the view.

    It expects the other one to play like `rival`.
    """

    def __init__(self, network: Network, rival: Network) -> None:
        self.network = network
        self.rival = rival

    def choose(self, view: View, budget: Budget, rng: Rng) -> Move:
        """The move that did best within the budget."""
        return from_code(self.think(view, budget, rng).best().code)

    def think(self, view: View, budget: Budget, rng: Rng) -> Search:
        """The finished search, with a value for every move: hints and reviews show them."""
        now = time.perf_counter()
        deadline = now + (budget.seconds or 0.0)
        search = Search(view, self.network, self.rival, rng, _WIDTH, _DEPTH)
        if budget.worlds is not None:
            search.run(budget.worlds)
            return search
        slowest = 0.0
        while len(search.live) > 1 and now + slowest < deadline:
            search.run(1)
            before, now = now, time.perf_counter()
            slowest = max(slowest, now - before)
        return search
