"""Tasks done by others at the same time: by processes, which never outlive the one that started them, or elsewhere."""

import contextlib
import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from typing import TypeVar

Argument = TypeVar("Argument")
Answer = TypeVar("Answer")

_AHEAD_PER_PROCESS = 8
_AHEAD_ELSEWHERE = 1000
"""How many tasks are handed out before the first of them is back: enough that a slow one keeps nobody waiting, and
elsewhere for as many workers as may come."""


class Elsewhere(Executor):
    """An executor whose workers do not see the files of this machine, so that these have to be sent."""

    def send(self, data: bytes) -> str:
        """Sends a file to all workers, also to those that come later. The answer is its name there."""
        raise NotImplementedError


Workers = int | Executor
"""Who does the tasks: so many processes of this machine, made for them, or an executor that somebody else closes."""


def in_order(task: Callable[[Argument], Answer], arguments: Iterable[Argument], workers: Workers) -> Iterator[Answer]:
    """The answers of a task, in the order of its arguments, whoever is done first: so nothing depends on who is."""
    if isinstance(workers, Executor):
        yield from _handed_out(task, arguments, workers, _AHEAD_ELSEWHERE)
        return
    if workers <= 1:
        yield from map(task, arguments)
        return
    with pool_of(workers) as pool:
        try:
            yield from _handed_out(task, arguments, pool, _AHEAD_PER_PROCESS * workers)
        except KeyboardInterrupt:
            end_pool(pool)
            raise
        finally:
            pool.shutdown(cancel_futures=True)


def _handed_out(
    task: Callable[[Argument], Answer], arguments: Iterable[Argument], executor: Executor, ahead: int
) -> Iterator[Answer]:
    waiting: deque[Future[Answer]] = deque()
    try:
        for argument in arguments:
            waiting.append(executor.submit(task, argument))
            if len(waiting) >= ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


def pool_of(workers: int, niceness: int = 0) -> ProcessPoolExecutor:
    """A pool whose processes leave Ctrl-C to their parent, give way to others by a niceness, and end when it ends."""
    # Fresh processes: a copy of one with threads may hold their locks forever.
    return ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _begin, (niceness,))


def _begin(niceness: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if niceness and hasattr(os, "nice"):
        os.nice(niceness)
    follow_parent()


def follow_parent() -> None:
    """A parent that was killed cannot end its processes: this one ends by itself."""
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)


def end_pool(pool: ProcessPoolExecutor) -> None:
    """Ends the processes of a pool at once, whatever they are doing."""
    for process in list((pool._processes or {}).values()):
        with contextlib.suppress(OSError):
            process.kill()
    pool.shutdown(cancel_futures=True)
