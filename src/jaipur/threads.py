"""The one seam between an event loop and what would hold it up: threads, or nothing where there are none."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar, copy_context
from functools import partial, wraps
from typing import Any, ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")
_MOST = 40

in_line: ContextVar[bool] = ContextVar("in_line", default=False)
"""Whether all work is done on the event loop itself: set by a runner that has no threads."""


class Threads:
    """A few threads for one kind of work, so that it holds up no other kind. None starts before there is work."""

    def __init__(self, number: int, name: str) -> None:
        self._threads = ThreadPoolExecutor(number, name)

    async def run(self, task: Callable[_P, _T], *arguments: _P.args, **options: _P.kwargs) -> _T:
        """The result of a task that may wait, such as a query. It sees the caller's context."""
        if in_line.get():
            return task(*arguments, **options)
        bound = partial(copy_context().run, partial(task, *arguments, **options))
        return await asyncio.get_running_loop().run_in_executor(self._threads, bound)

    async def close(self) -> None:
        """Waits for what has begun, and drops the rest."""
        await in_thread(self._threads.shutdown, cancel_futures=True)


in_thread = Threads(_MOST, "shared").run
"""Runs a task in the threads that everybody shares."""


def beside(handler: Callable[_P, _T]) -> Callable[_P, Coroutine[Any, Any, _T]]:
    """A plain function as a coroutine function that runs it in the shared threads."""

    @wraps(handler)
    async def run(*arguments: _P.args, **options: _P.kwargs) -> _T:
        return await in_thread(handler, *arguments, **options)

    return run
