"""Tasks done in parallel: by processes, which never outlive the one that started them, or on other machines."""

import multiprocessing
import multiprocessing.connection
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from multiprocessing.process import BaseProcess
from typing import TypeVar

from jaipur.programs import end_programs

Argument = TypeVar("Argument")
Answer = TypeVar("Answer")

_AHEAD_PER_PROCESS = 8
_AHEAD_ELSEWHERE = 1000
"""How many tasks are handed out before the first one is back: enough that a slow one keeps nobody waiting, and on
other machines enough for however many workers may join."""
_LAST_WORDS = 2.0
"""Seconds that a process has, once told to end, to end the programs it started."""


class Elsewhere(Executor):
    """An executor whose workers cannot see this machine's files, so that they have to be sent."""

    def send(self, data: bytes) -> str:
        """Sends a file to all workers, including those that join later; returns its name there."""
        raise NotImplementedError


Workers = int | Executor
"""Who does the tasks: a number of processes made here for the purpose, or an executor that the caller closes."""


def in_order(task: Callable[[Argument], Answer], arguments: Iterable[Argument], workers: Workers) -> Iterator[Answer]:
    """The results of a task, in the order of its arguments, so that nothing depends on who finishes first."""
    if isinstance(workers, Executor):
        yield from _handed_out(task, arguments, workers, _AHEAD_ELSEWHERE)
        return
    if workers <= 1:
        yield from map(task, arguments)
        return
    with pool_of(workers) as pool:
        try:
            yield from _handed_out(task, arguments, pool, _AHEAD_PER_PROCESS * workers)
        except (KeyboardInterrupt, SystemExit, GeneratorExit):  # nobody is waiting for the answers any more
            _end_with_programs(pool)
            raise


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
    """A pool whose processes leave Ctrl-C to their parent, run at this niceness, and end with their parent."""
    # Fresh processes: a fork of one with threads may hold their locks forever.
    return _Pool(workers, multiprocessing.get_context("spawn"), _begin, (niceness,))


class _Pool(ProcessPoolExecutor):
    def submit(self, fn: Callable[..., Answer], /, *args: object, **kwargs: object) -> "Future[Answer]":
        """Blocks Ctrl-C meanwhile: a process started here must not get one before it has begun to ignore it."""
        if sys.platform == "win32":
            return super().submit(fn, *args, **kwargs)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return super().submit(fn, *args, **kwargs)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(niceness: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_signal: _end_now())
    if niceness and hasattr(os, "nice"):
        os.nice(niceness)
    follow_parent()


def follow_parent() -> None:
    """Makes this process end when its parent does: a parent that is killed cannot end its processes."""
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        multiprocessing.connection.wait([parent.sentinel])
        _end_now()


def _end_now() -> None:
    end_programs()
    os._exit(1)


def _end_with_programs(pool: ProcessPoolExecutor) -> None:
    """Ends the processes of a pool, but lets them first end the programs they started."""
    processes = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)  # first of all: a pool complains if it finds itself broken
    end_processes(processes, _LAST_WORDS)


def end_processes(processes: Sequence[BaseProcess], seconds: float) -> None:
    """Ends processes in order, and kills those that are still there after these seconds."""
    for process in processes:
        process.terminate()
    end = time.monotonic() + seconds
    for process in processes:
        process.join(max(end - time.monotonic(), 0.0))
        process.kill()


def end_pool(pool: ProcessPoolExecutor) -> None:
    """Ends the processes of a pool at once, whatever they are doing."""
    for process in list((pool._processes or {}).values()):
        process.kill()
    pool.shutdown(cancel_futures=True)
