"""How long players may think. Clocks are computed from the times of events, so a reloaded game has the same clocks.

A clock runs for the seats that must act: the one whose turn it is or, between rounds, those that have not yet asked for
the next one. An offer to the other player stops no clock.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace

_MINUTE = 60_000
_DAY = 24 * 60 * _MINUTE
PACES = ("5+5", "10+10", "1d", "3d", "7d")
"""What people can choose: minutes per match + seconds per move, or days per move."""


@dataclass(frozen=True)
class Pace:
    """Milliseconds per match plus an increment for each move, or milliseconds per move."""

    each: int
    increment: int = 0
    per_move: bool = False


def read_pace(text: str) -> Pace | None:
    """Reads the pace of a game; None means no time limit."""
    if not text:
        return None
    if text.endswith("d"):
        return Pace(int(float(text[:-1]) * _DAY), per_move=True)
    minutes, seconds = text.split("+")
    return Pace(int(float(minutes) * _MINUTE), int(float(seconds) * 1000))


@dataclass(frozen=True)
class Clock:
    """What each seat has left, in milliseconds, at the moment `since`, and whose time runs from then on."""

    left: tuple[int, int]
    running: tuple[int, ...]
    since: int

    def left_at(self, now: int) -> tuple[int, int]:
        """What each seat has left at a later moment; negative if its time ran out before."""
        gone = max(now - self.since, 0)
        first, second = (left - gone if seat in self.running else left for seat, left in enumerate(self.left))
        return first, second

    def charged(self, until: int, at: int) -> "Clock":
        """Charges the time up to `until`; the time between `until` and `at` counts against nobody."""
        return replace(self, left=self.left_at(until), since=at)

    def deadline(self) -> int | None:
        """When the first clock runs out, if nothing happens before."""
        return min((self.since + self.left[seat] for seat in self.running), default=None)

    def started(self, pace: Pace, running: Collection[int], moved_on: bool, mover: int | None) -> "Clock":
        """Adds the increment for a move, and runs the clocks of those who must act now.

        With a time per move, it begins again for a seat that has a new task.
        """
        left = list(self.left)
        if mover is not None:
            left[mover] += pace.increment
        for seat in running:
            if pace.per_move and (moved_on or seat not in self.running):
                left[seat] = pace.each
        return replace(self, left=(left[0], left[1]), running=tuple(sorted(running)))
