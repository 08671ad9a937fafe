"""Bots think here: in processes of their own, with a bounded queue and a deadline, never on the event loop."""

import asyncio
import contextlib
import logging
import multiprocessing
import multiprocessing.connection
import os
import secrets
import signal
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from typing import ParamSpec

from jaipur.bots import DEFAULT_BUDGET, make_player
from jaipur.core.errors import JaipurError
from jaipur.core.move import Move
from jaipur.core.rng import Rng
from jaipur.notation import parse_view, view_text
from jaipur.store import Event
from jaipur.table import GameOver, NotAllowed, Stale, Tables

_log = logging.getLogger(__name__)
_P = ParamSpec("_P")
_GRACE = 20.0
"""Seconds beyond its budget after which a thinker is given up."""
_SHEET_SECONDS = 6.0
"""How long the score sheet lies on a table without people."""
_RETRY_SECONDS = 5.0
_NICER = 5
_STAND_IN = "trader"
"""Plays where a thinker failed: it needs no time."""


class Thinkers:
    """Plays for all bots of all tables.

    A game waits once in the queue, however often it is named, so the queue is never longer than there are games; and
    no more is handed to the processes than they can think of at once. What changes while a game is served may have
    come after the look at its table, so it is served again.
    """

    def __init__(self, tables: Tables, processes: int, pause: float) -> None:
        self.tables = tables
        self.processes = processes
        self.pause = pause
        self.loop: asyncio.AbstractEventLoop | None = None
        self._queue: asyncio.Queue[str] = asyncio.Queue()
        self._named: set[str] = set()
        self._changed: set[str] = set()
        self._pool = _new_pool(processes)
        self._free = asyncio.Semaphore(processes)
        self._tasks: list[asyncio.Task[None]] = []
        tables.listeners.append(self._told)

    def _told(self, game: str, _event: Event | None) -> None:
        if self.loop is not None:
            self.loop.call_soon_threadsafe(self.name, game)

    def name(self, game: str) -> None:
        """Something happened in this game: perhaps a bot has to move."""
        if game in self._named:
            self._changed.add(game)
            return
        self._named.add(game)
        self._queue.put_nowait(game)

    async def start(self) -> None:
        """Begins to serve, with the games that a server before this one left in the middle."""
        self.loop = asyncio.get_running_loop()
        # More at work than processes, so that one that waits for people to follow does not keep a process idle.
        self._tasks = [asyncio.create_task(self._work()) for _ in range(8 * self.processes)]
        for game in await asyncio.to_thread(self.tables.store.unfinished_with_bots):
            self.name(game)

    async def stop(self) -> None:
        """Ends the processes at once: whatever they thought of is asked again."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        _end(self._pool)

    async def _work(self) -> None:
        while True:
            game = await self._queue.get()
            self._changed.discard(game)
            try:
                again = await self._serve(game)
            except Exception as error:  # whatever it is, the other games go on and this one is tried again
                unknown = None if isinstance(error, JaipurError) else error
                _log.error("The bot of game %s could not move and tries again: %s", game, error, exc_info=unknown)
                asyncio.get_running_loop().call_later(_RETRY_SECONDS, self.name, game)
                again = False
            self._named.discard(game)
            if again or game in self._changed:
                self.name(game)

    async def _serve(self, game: str) -> bool:
        """Does what a bot has to do at a table; says whether there may be more to do."""
        table = await asyncio.to_thread(self.tables.open, game)
        if not table.persons and table.between_rounds:
            await asyncio.sleep(_SHEET_SECONDS * min(self.pause, 1))
            return await self._try(self.tables.ready, game, 0)
        if table.quiet:
            return await self._try(self.tables.stop, game)
        seat = table.thinker
        if seat is None:
            return False
        chosen, _paused = await asyncio.gather(
            self._think(table.level(seat) or "", view_text(table.view(seat))), asyncio.sleep(self.pause)
        )
        return await self._try(self.tables.submit, game, seat, table.ply, Move.parse(chosen))

    @staticmethod
    async def _try(act: Callable[_P, Event], *arguments: _P.args, **options: _P.kwargs) -> bool:
        """Acts at a table; when it has changed in the meantime, it is looked at again."""
        with contextlib.suppress(Stale, GameOver, NotAllowed):
            await asyncio.to_thread(act, *arguments, **options)
        return True

    async def _think(self, level: str, position: str) -> str:
        seed = secrets.randbits(62)
        async with self._free:
            pool = self._pool
            try:
                thought = asyncio.get_running_loop().run_in_executor(pool, think, level, position, seed)
                return await asyncio.wait_for(thought, (DEFAULT_BUDGET.seconds or 0) + _GRACE)
            except (TimeoutError, BrokenExecutor):
                _log.warning("A thinker (%s) died or took too long and is replaced.", level)
        if self._pool is pool:
            _end(pool)
            self._pool = _new_pool(self.processes)
        return await asyncio.to_thread(think, _STAND_IN, position, seed)


def think(level: str, position: str, seed: int) -> str:
    """What a level plays: it is given a view as text, so that it can think in another process."""
    return str(make_player(level).choose(parse_view(position), DEFAULT_BUDGET, Rng(seed)))


def _new_pool(processes: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"), _be_modest)


def _be_modest() -> None:
    """People's requests come first; Ctrl-C is for the server, which ends its thinkers itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(_NICER)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A server that was killed cannot end its thinkers."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(0)


def _end(pool: ProcessPoolExecutor) -> None:
    for process in list((pool._processes or {}).values()):
        process.kill()
    pool.shutdown(cancel_futures=True)
