"""Every move of the game, as the slow referee lists them."""

from jaipur import Move
from tests.support import brute

ALL_MOVES = [Move.parse(brute.text(action)) for action in brute.ALL_ACTIONS]
