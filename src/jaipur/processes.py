"""Tasks done by others at the same time: by processes, which never outlive the one that started them, or elsewhere."""

import atexit
import contextlib
import multiprocessing
import multiprocessing.connection
import os
import signal
import subprocess
import sys
import threading
import time
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
_LAST_WORDS = 2.0
"""Seconds in which a process that is told to end can end the programs that it has started."""
_programs: "set[subprocess.Popen[bytes]]" = set()


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
        except (KeyboardInterrupt, SystemExit, GeneratorExit):  # nobody waits for the answers any more
            _end_with_programs(pool)
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
    return _Pool(workers, multiprocessing.get_context("spawn"), _begin, (niceness,))


class _Pool(ProcessPoolExecutor):
    def submit(self, fn: Callable[..., Answer], /, *args: object, **kwargs: object) -> "Future[Answer]":
        """A process that is started for this must not hear a Ctrl-C before it knows that it is not meant."""
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
    """A parent that was killed cannot end its processes: this one ends by itself."""
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
    """Ends the processes of a pool, but lets them end the programs first that they have started."""
    processes = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)  # first of all: a pool that finds itself broken complains
    for process in processes:
        process.terminate()
    left = [process.sentinel for process in processes]
    end = time.monotonic() + _LAST_WORDS
    while left and time.monotonic() < end:
        ended = multiprocessing.connection.wait(left, end - time.monotonic())
        left = [sentinel for sentinel in left if sentinel not in ended]
    for process in processes:
        process.kill()


def end_pool(pool: ProcessPoolExecutor) -> None:
    """Ends the processes of a pool at once, whatever they are doing."""
    for process in list((pool._processes or {}).values()):
        with contextlib.suppress(OSError):
            process.kill()
    pool.shutdown(cancel_futures=True)


def start_program(command: list[str]) -> "subprocess.Popen[bytes]":
    """Starts somebody else's program, to be asked over its standard input and output.

    It has a process group of its own: Ctrl-C is not for it, and its children end with it.
    """
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, process_group=0)
    _programs.add(process)
    return process


def end_program(process: "subprocess.Popen[bytes]") -> None:
    """Ends a program at once, with its children."""
    _programs.discard(process)
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with contextlib.suppress(OSError):  # a question that it never read
                stream.close()


@atexit.register
def end_programs() -> None:
    """Ends all programs that this process has started."""
    for process in list(_programs):
        end_program(process)
