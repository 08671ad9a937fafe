"""Several server processes on one machine: a parent holds the socket and restarts any process that dies.

All of them accept connections from the same socket, so it does not matter which one a browser reaches. Bots think in a
process of their own with workers below it, as with `jaipur think`: one queue is fairer than many.
"""

import contextlib
import logging
import multiprocessing
import multiprocessing.connection
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from multiprocessing.context import SpawnProcess
from tempfile import TemporaryDirectory
from typing import Any

from jaipur.processes import follow_parent
from jaipur.server.config import Config
from jaipur.server.operate.metrics import SHARED
from jaipur.server.run.bot_process import open_shared, run_thinking
from jaipur.server.run.server import server_of

_log = logging.getLogger(__name__)
_AGAIN_SECONDS = 1.0
"""A process that keeps dying is restarted no more often than this."""
_GOODBYE_SECONDS = 10.0


@dataclass
class _Post:
    """A job for one process, and for its successor when it dies."""

    work: Callable[..., None]
    arguments: tuple[Any, ...]
    process: SpawnProcess | None = None
    started: float = 0.0

    def fill(self) -> None:
        time.sleep(max(0.0, self.started + _AGAIN_SECONDS - time.monotonic()))
        self.started = time.monotonic()
        # Spawned, not forked: a copy of a process with threads may hold their locks forever.
        self.process = multiprocessing.get_context("spawn").Process(target=self.work, args=self.arguments)
        self.process.start()


def checked(config: Config) -> str:
    """Brings the database up to date before anybody uses it, or says why that fails; returns its name."""
    store = open_shared(config.database)
    store.close()
    return store.where


def run_fleet(config: Config, listening: socket.socket, processes: int) -> None:
    """Serves until it is told to stop."""
    posts = [_Post(_serve, (replace(config, bot_workers=0), listening)) for _ in range(processes)]
    if config.bot_workers:
        posts.append(_Post(_think, (config,)))
    with TemporaryDirectory(prefix="jaipur-") as figures:
        os.environ[SHARED] = figures
        try:
            _keep_filled(posts)
        finally:
            _end([post.process for post in posts if post.process is not None])


def _keep_filled(posts: list[_Post]) -> None:
    for post in posts:
        post.fill()
    while True:
        multiprocessing.connection.wait([post.process.sentinel for post in posts if post.process])
        for post in posts:
            if post.process is not None and not post.process.is_alive():
                _log.warning("A process ended with code %s and is started again.", post.process.exitcode)
                post.fill()


def _end(processes: list[SpawnProcess]) -> None:
    for process in processes:
        process.terminate()
    for process in processes:
        process.join(_GOODBYE_SECONDS)
        if process.is_alive():
            process.kill()


def _begin() -> None:
    """Ignores Ctrl-C, which is for the parent: it tells its processes to end."""
    follow_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_signal: sys.exit(0))


def _serve(config: Config, listening: socket.socket) -> None:
    _begin()
    with contextlib.suppress(KeyboardInterrupt):
        server_of(config).run(sockets=[listening])


def _think(config: Config) -> None:
    _begin()
    run_thinking(config, open_shared(config.database))
