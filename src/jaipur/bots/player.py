"""What a player is, and how long it may think."""

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
    """How seconds are counted: by the clock on the wall, as people wait, or as processor time spent thinking.

    A busy machine slows down both players of a duel, but rarely both equally, so processor time is fairer. For people
    it is the clock on the wall that matters.
    """

    WALL = "wall"
    PROCESSOR = "processor"

    def now(self) -> float:
        """This clock's time in this process, to compare with a later reading."""
        return time.process_time() if self is Clock.PROCESSOR else time.perf_counter()


@dataclass(frozen=True)
class Budget:
    """How long a player may think about one move: seconds, or a number of worlds. Most levels need neither.

    With worlds, the same view and the same random numbers give the same move; with seconds, the clock has a say too.
    """

    seconds: float | None = None
    worlds: int | None = None
    clock: Clock = Clock.WALL

    def __post_init__(self) -> None:
        """Refuses values that make no sense."""
        if self.seconds is not None and not _counts(self.seconds, Real, 0):
            raise JaipurError(N_("The seconds of a budget are a number from 0, not “{value}”."), value=self.seconds)
        if self.worlds is not None and not _counts(self.worlds, Integral, 1):
            raise JaipurError(N_("The worlds of a budget are a whole number from 1, not “{value}”."), value=self.worlds)


def _counts(value: Any, kind: type[Any], least: int) -> bool:
    """Whether something is a finite number of this kind, at least `least`; NumPy's numbers count."""
    return isinstance(value, kind) and least <= value < math.inf


DEFAULT_BUDGET = Budget(seconds=0.5)


class Player(Protocol):
    """Chooses a move for the seat of a view. It is given a view and nothing that leads to the full round."""

    def choose(self, view: View, budget: Budget, rng: Rng) -> Move:
        """One of `view.legal_moves()`."""
        ...
