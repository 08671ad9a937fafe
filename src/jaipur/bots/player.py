"""What every player is, and how long it may think."""

from dataclasses import dataclass
from typing import Protocol

from jaipur.core.move import Move
from jaipur.core.rng import Rng
from jaipur.core.view import View


@dataclass(frozen=True)
class Budget:
    """How much a player may think about one move: so many seconds, or so many worlds. Most levels need neither.

    With worlds the same view and the same random numbers give the same move; with seconds the clock decides too.
    """

    seconds: float | None = None
    worlds: int | None = None


DEFAULT_BUDGET = Budget(seconds=0.5)


class Player(Protocol):
    """Chooses a move for the seat of a view. It is given a view and nothing that leads to the full round."""

    def choose(self, view: View, budget: Budget, rng: Rng) -> Move:
        """One of `view.legal_moves()`."""
        ...
