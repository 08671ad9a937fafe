"""The level `broker`: the network with a bad memory."""

from jaipur.bots.player import Budget
from jaipur.brain.network import Network
from jaipur.rules.legal import legal_codes
from jaipur.rules.move import Move, from_code
from jaipur.rules.rng import Rng
from jaipur.rules.side import Rival
from jaipur.rules.view import View


class Broker:
    """Values moves like the merchant, but forgets what the rival took and is never quite sure."""

    def __init__(self, network: Network, unsure: float) -> None:
        self.network = network
        self.unsure = unsure

    def choose(self, view: View, budget: Budget, rng: Rng) -> Move:
        """A move whose value is close to the best, as far as the broker remembers."""
        remembered = forgetful(view)
        codes = legal_codes(remembered.me.hand, remembered.me.herd, remembered.market)
        values = self.network.legal_values(remembered)
        noise = [self.unsure * float(rng.below(2001) - 1000) / 1000 for _ in codes]
        best = max(range(len(codes)), key=lambda i: values[i] + noise[i])
        return from_code(codes[best])


def forgetful(view: View) -> View:
    """The view of somebody who does not remember which cards the rival took."""
    rival = view.rival
    return View(
        seat=view.seat,
        turn=view.turn,
        starter=view.starter,
        over=view.over,
        market=view.market,
        deck_size=view.deck_size,
        discard=view.discard,
        bonus_left=view.bonus_left,
        quiet=view.quiet,
        me=view.me.copy(),
        rival=Rival(
            hand_size=rival.hand_size,
            known=0,
            herd=rival.herd,
            goods_rupees=rival.goods_rupees,
            goods_tokens=rival.goods_tokens,
            bonus_taken=rival.bonus_taken,
        ),
    )
