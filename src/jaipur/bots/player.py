"""What every player is."""

from typing import Protocol

from jaipur.core.move import Move
from jaipur.core.rng import Rng
from jaipur.core.view import View


class Player(Protocol):
    """Chooses a move for the seat of a view. The same view and the same numbers give the same move."""

    def choose(self, view: View, rng: Rng) -> Move:
        """One of `view.legal_moves()`."""
        ...
