"""Who writes next: one at a time, each for a limited time, and only so many in the queue when nothing moves."""

import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from jaipur.rules.errors import N_, JaipurError

PATIENCE = 2.0
"""Seconds after which a writer gives up: waiting for its turn and for the database together."""
STUCK = 0.25
MOST_WAITING = 12
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
        StoreError.__init__(self, N_("The database is not answering at the moment: reload, then continue."))


class _Mine(threading.local):
    deadline: float | None = None


_mine = _Mine()


def seconds_left() -> float:
    """How long whoever has a turn may still wait, for other turns or the database."""
    return PATIENCE if _mine.deadline is None else max(_mine.deadline - time.monotonic(), 0.0)


@contextmanager
def _patience() -> Iterator[None]:
    """Counts from the first turn that a thread waits for; turns within a turn have what is left."""
    if _mine.deadline is not None:
        yield
        return
    _mine.deadline = time.monotonic() + PATIENCE
    try:
        yield
    finally:
        _mine.deadline = None


class WriteQueue:
    """One writer at a time. Waiting here is in turn and wakes at once; the waiting of SQLite polls."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._waiting: set[int] = set()
        self._began = math.inf
        self._depth = 0

    @contextmanager
    def turn(self) -> Iterator[None]:
        """This thread writes alone; a turn within a turn is the same one."""
        with _patience():
            if not self._lock.acquire(blocking=False) and not self._wait():
                raise Busy
            if not self._depth:
                self._began = time.monotonic()
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
        """Whether somebody has the turn for longer than a write takes."""
        return time.monotonic() - self._began > STUCK

    def _wait(self) -> bool:
        """Queues up. Behind somebody who is stuck, the queue is short, so that it does not take all threads."""
        me = threading.get_ident()
        self._waiting.add(me)
        try:
            while (left := seconds_left()) > 0:
                if self.stuck and len(self._waiting) > MOST_WAITING:
                    return False
                if self._lock.acquire(timeout=min(left, STUCK)):
                    return True
            return False
        finally:
            self._waiting.discard(me)
