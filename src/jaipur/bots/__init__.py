"""Players that are programs. They are given a view and nothing that leads to the full round."""

from jaipur.bots.player import Player
from jaipur.bots.trader import TraderBot

__all__ = ["Player", "TraderBot"]
