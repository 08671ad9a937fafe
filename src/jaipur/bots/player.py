"""What every player is, and how long it may think."""

import math
import time
from dataclasses import dataclass
from enum import StrEnum
from numbers import Integral, Real
from typing import Any, Protocol

from jaipur.rules.errors import N_, JaipurError
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

    def __post_init__(self) -> None:
        """Refuses what no clock and no search can count."""
        if self.seconds is not None and not _counts(self.seconds, Real, 0):
            raise JaipurError(N_("The seconds of a budget are a number from 0, not “{value}”."), value=self.seconds)
        if self.worlds is not None and not _counts(self.worlds, Integral, 1):
            raise JaipurError(N_("The worlds of a budget are a whole number from 1, not “{value}”."), value=self.worlds)


def _counts(value: Any, kind: type[Any], least: int) -> bool:
    """Whether something is a number of a kind, NumPy's numbers among them."""
    return isinstance(value, kind) and least <= value < math.inf


DEFAULT_BUDGET = Budget(seconds=0.5)


class Player(Protocol):
    """Chooses a move for the seat of a view. It is given a view and nothing that leads to the full round."""

    def choose(self, view: View, budget: Budget, rng: Rng) -> Move:
        """One of `view.legal_moves()`."""
        ...
