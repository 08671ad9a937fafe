"""Players that are programs. They are given a view and nothing that leads to the full round."""

from jaipur.bots.levels import LEVELS, Level, find_level, make_player
from jaipur.bots.player import DEFAULT_BUDGET, Budget, Clock, Player

__all__ = ["DEFAULT_BUDGET", "LEVELS", "Budget", "Clock", "Level", "Player", "find_level", "make_player"]
