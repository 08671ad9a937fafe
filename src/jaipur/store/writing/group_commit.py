"""Writes of different games share one flush to the disk: those that arrive during a flush go into the next one."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from jaipur.store.writing.write_queue import MOST_WAITING, STUCK, Busy, WriteQueue

_T = TypeVar("_T")


@dataclass(eq=False)
class _Write(Generic[_T]):
    change: _T
    settled: threading.Event = field(default_factory=threading.Event)
    error: Exception | None = None


class GroupCommit(Generic[_T]):
    """The first writer to wait queues on behalf of all who follow, and then writes for all of them.

    If the group fails, its writes are tried one by one, so that nobody fails because of somebody else's write; but not
    while the database is out of reach, where each would wait in vain. Behind a stuck writer only a few may wait, as in
    the queue.
    """

    def __init__(self, queue: WriteQueue, write: Callable[[Sequence[_T]], None]) -> None:
        self._queue = queue
        self._write = write
        self._lock = threading.Lock()
        self._waiting: list[_Write[_T]] = []

    def commit(self, change: _T) -> None:
        """Returns once the change is written, or raises the reason why it was not."""
        mine = _Write(change)
        with self._lock:
            self._waiting.append(mine)
            leads = len(self._waiting) == 1
        if leads:
            self._lead()
        else:
            self._follow(mine)
        if mine.error is not None:
            raise mine.error

    def _lead(self) -> None:
        try:
            with self._queue.turn():
                self._settle(self._take())
        except Busy:
            for write in self._take():
                write.error = Busy()
                write.settled.set()

    def _follow(self, mine: _Write[_T]) -> None:
        while not mine.settled.wait(STUCK):
            with self._lock:
                if self._queue.stuck and len(self._waiting) > MOST_WAITING and mine in self._waiting:
                    self._waiting.remove(mine)
                    raise Busy

    def _take(self) -> list[_Write[_T]]:
        with self._lock:
            taken, self._waiting = self._waiting, []
        return taken

    def _settle(self, writes: list[_Write[_T]]) -> None:
        try:
            self._write([write.change for write in writes])
        except Exception as error:
            if len(writes) == 1 or isinstance(error, Busy):
                for write in writes:
                    write.error = error
            else:
                for write in writes:
                    self._settle([write])
        finally:
            for write in writes:
                write.settled.set()
