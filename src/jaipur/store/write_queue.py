"""Who writes next: one at a time, each for a limited time, and only so many in the queue when nothing moves."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from jaipur.rules.errors import N_, JaipurError

PATIENCE = 2.0
"""Seconds after which a writer gives up: waiting for its turn and for the database together."""
_STUCK = 0.25
_MOST_WAITING = 12
"""Of the 40 threads that answer requests; the others keep answering those who only look."""


class StoreError(JaipurError):
    """The database cannot be used; the sentence says why and what to do."""


class Busy(StoreError):
    """The database cannot be written now; the same request may be sent again."""

    retry_after = 1

    def __init__(self) -> None:
        super().__init__(
            N_("The database is busy or locked by another program: nothing was written. Try again in a moment.")
        )


class Away(Busy):
    """The database does not answer now; whether it has written what was asked last, only another look can tell."""

    def __init__(self) -> None:
        StoreError.__init__(self, N_("The database does not answer at the moment: look again, and then go on."))


class WriteQueue:
    """SQLite has one writer at a time. Waiting here is in turn and wakes at once; its own waiting polls."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._waiting: set[int] = set()
        self._began = 0.0
        self._deadline = 0.0
        self._depth = 0

    @contextmanager
    def turn(self) -> Iterator[None]:
        """This thread writes alone; a turn within a turn is the same one."""
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
            self._lock.release()

    def seconds_left(self) -> float:
        """How long whoever has the turn may still wait for the database."""
        return max(self._deadline - time.monotonic(), 0.0)

    def _wait(self, deadline: float) -> bool:
        """Queues up. Behind somebody who is stuck, the queue is short, so that it does not take all threads."""
        me = threading.get_ident()
        self._waiting.add(me)
        try:
            while (left := deadline - time.monotonic()) > 0:
                stuck = time.monotonic() - self._began > _STUCK
                if stuck and len(self._waiting) > _MOST_WAITING:
                    return False
                if self._lock.acquire(timeout=min(left, _STUCK)):
                    return True
            return False
        finally:
            self._waiting.discard(me)
