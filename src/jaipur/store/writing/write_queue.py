"""Who writes next: one at a time, with a limit on each wait, and on the length of the queue when nothing moves."""

import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from jaipur.rules.errors import N_, JaipurError

PATIENCE = 2.0
"""Seconds after which a writer gives up, counting both the wait for its turn and the wait for the database."""
STUCK = 0.25
MOST_WAITING = 12
"""Out of 40 threads that answer requests; the others keep serving those who only look."""


class StoreError(JaipurError):
    """The database cannot be used; the sentence says why and what to do."""


class Busy(StoreError):
    """The database cannot be written to now; the same request may be sent again."""

    retry_after = 1

    def __init__(self) -> None:
        super().__init__(
            N_("The database is busy or locked by another program: nothing was written. Try again in a moment.")
        )


class Away(Busy):
    """The database is not answering; only looking again can tell whether the last write went through."""

    def __init__(self) -> None:
        StoreError.__init__(self, N_("The database is not answering at the moment: reload, then continue."))


class WriteQueue:
    """One writer at a time. A writer that waits here wakes at once when the turn is free; SQLite's own wait polls."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._waiting: set[int] = set()
        self._began = math.inf
        self._deadline = 0.0
        self._depth = 0

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Within this block, this thread alone writes. Turns can be nested: an inner one is part of the outer one."""
        deadline = time.monotonic() + PATIENCE
        if not self._lock.acquire(blocking=False) and not self._wait(deadline):
            raise Busy
        if not self._depth:
            self._began, self._deadline = time.monotonic(), deadline
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1
            if not self._depth:
                self._began = math.inf
            self._lock.release()

    @property
    def stuck(self) -> bool:
        """Whether somebody has had the turn for longer than a write takes."""
        return time.monotonic() - self._began > STUCK

    @property
    def seconds_left(self) -> float:
        """How long the writer whose turn it is may still wait for the database."""
        return max(self._deadline - time.monotonic(), 0.0)

    def _wait(self, deadline: float) -> bool:
        """Waits in the queue. Behind a stuck writer the queue is kept short, so that it does not tie up all threads."""
        me = threading.get_ident()
        self._waiting.add(me)
        try:
            while (left := deadline - time.monotonic()) > 0:
                if self.stuck and len(self._waiting) > MOST_WAITING:
                    return False
                if self._lock.acquire(timeout=min(left, STUCK)):
                    return True
            return False
        finally:
            self._waiting.discard(me)
