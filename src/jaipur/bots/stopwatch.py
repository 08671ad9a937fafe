"""How long a program takes to answer, by either clock."""

import os
import time
from pathlib import Path

from jaipur.bots.player import Clock

_PATIENCE = 10.0
"""When processor time counts, the wall clock allows this many times as much, only as a safety limit."""


class Stopwatch:
    """Times another process from the moment it is asked; it has `seconds`, in processor time or by the wall.

    `start` is extra time for starting up, which the wall clock does not multiply.
    """

    def __init__(self, pid: int, clock: Clock, seconds: float, start: float = 0.0) -> None:
        self.pid = pid
        self.begun = time.monotonic()
        self.used_before = processor_seconds(pid) if clock is Clock.PROCESSOR else None
        self.seconds = seconds + start
        self.wall_seconds = (seconds if self.used_before is None else _PATIENCE * seconds) + start

    def taken(self) -> float:
        """Seconds so far; by the wall if its limit is reached, or if the system does not report processor time."""
        waited = self._waited()
        if self.used_before is not None and waited < self.wall_seconds:
            used = processor_seconds(self.pid)
            if used is not None:
                return used - self.used_before
        return waited

    def left(self) -> float:
        """Seconds to wait, by the wall, before looking again: 0 when the time is up."""
        return max(min(self.wall_seconds - self._waited(), self.seconds - self.taken()), 0.0)

    def _waited(self) -> float:
        return time.monotonic() - self.begun


def processor_seconds(pid: int) -> float | None:
    """The processor time a process has used, with the children it has waited for; None where there is no /proc."""
    try:
        # The program's name, in parentheses, may contain anything; fields 14 to 17 are the times (man 5 proc).
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, AttributeError):
        return None
