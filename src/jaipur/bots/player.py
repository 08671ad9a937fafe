"""What every player is, and how long it may think."""

import time
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from jaipur.rules.move import Move
from jaipur.rules.rng import Rng
from jaipur.rules.view import View


class Clock(StrEnum):
    """How seconds are counted: as people wait for them, or as the processor spends them on the one who thinks.

    A busy machine slows both players of a duel, but rarely both alike: the processor's time is the fair one. People
    wait by the clock on the wall.
    """

    WALL = "wall"
    PROCESSOR = "processor"

    def now(self) -> float:
        """This clock in this process, to be compared with a later look at it."""
        return time.process_time() if self is Clock.PROCESSOR else time.perf_counter()


@dataclass(frozen=True)
class Budget:
    """How much a player may think about one move: seconds, or a number of worlds. Most levels need neither.

    With worlds the same view and the same random numbers give the same move; with seconds the clock decides too.
    """

    seconds: float | None = None
    worlds: int | None = None
    clock: Clock = Clock.WALL


DEFAULT_BUDGET = Budget(seconds=0.5)


class Player(Protocol):
    """Chooses a move for the seat of a view. It is given a view and nothing that leads to the full round."""

    def choose(self, view: View, budget: Budget, rng: Rng) -> Move:
        """One of `view.legal_moves()`."""
        ...
