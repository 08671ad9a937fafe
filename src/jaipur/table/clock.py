"""How long players may think. Time is folded from the times of events, so a game read again has the same clocks.

The clock of whoever must act runs: of the seat whose turn it is, and between rounds of those who have not yet asked for
the next one. What is asked of the other player stops no clock.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace

_MINUTE = 60_000
_DAY = 24 * 60 * _MINUTE
PACES = ("5+5", "10+10", "1d", "3d", "7d")
"""What people can choose: minutes for the match + seconds for each move, or days for each move."""


@dataclass(frozen=True)
class Pace:
    """Milliseconds for a match with more for each move, or for each move alone."""

    each: int
    increment: int = 0
    per_move: bool = False


def read_pace(text: str) -> Pace | None:
    """The pace of a game; none for as long as one likes."""
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
        """What each seat has left at a later moment; below nothing when its time was up."""
        gone = max(now - self.since, 0)
        return self._minus(gone, 0), self._minus(gone, 1)

    def _minus(self, gone: int, seat: int) -> int:
        return self.left[seat] - (gone if seat in self.running else 0)

    def charged(self, until: int, at: int) -> "Clock":
        """Time has passed until a moment; whatever was between it and `at` counts for nobody."""
        return replace(self, left=self.left_at(until), since=at)

    def deadline(self) -> int | None:
        """When the first time is up, if nothing happens before."""
        return min((self.since + self.left[seat] for seat in self.running), default=None)

    def up(self, now: int) -> list[int]:
        """The seats whose time is up, the one that was first in front."""
        left = self.left_at(now)
        return sorted((seat for seat in self.running if left[seat] <= 0), key=lambda seat: left[seat])

    def started(self, pace: Pace, running: Collection[int], afresh: bool) -> "Clock":
        """Who must act now. With a time for each move, it begins again for whoever has a new task."""
        left = list(self.left)
        for seat in running:
            if pace.per_move and (afresh or seat not in self.running):
                left[seat] = pace.each
        return replace(self, left=(left[0], left[1]), running=tuple(sorted(running)))

    def with_increment(self, pace: Pace, seat: int) -> "Clock":
        """A move was made."""
        left = list(self.left)
        left[seat] += pace.increment
        return replace(self, left=(left[0], left[1]))
