"""Several server processes on one machine: a parent holds the socket and restarts any process that dies.

All of them accept connections from the same socket, so it does not matter which one a browser reaches. Bots think in a
process of their own with workers below it, as with `jaipur think`: one queue is fairer than many.
"""

import logging
import multiprocessing
import multiprocessing.connection
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from multiprocessing.context import SpawnProcess
from tempfile import TemporaryDirectory

from jaipur.processes import end_processes, follow_parent
from jaipur.server.config import Config
from jaipur.server.operate.metrics import SHARED
from jaipur.server.run.bot_process import open_shared, run_thinking
from jaipur.server.run.web_server import server_of

_log = logging.getLogger(__name__)
_AGAIN_SECONDS = 1.0
"""A process may keep dying: it is not started again at once."""
_GOODBYE_SECONDS = 10.0


def checked(config: Config) -> str:
    """Brings the database up to date before any process uses it, or says why that fails; returns its name."""
    store = open_shared(config.database)
    store.close()
    return store.where


def run_fleet(config: Config, listening: socket.socket, processes: int) -> None:
    """Serves until it is told to stop."""
    jobs = [partial(_serve, replace(config, bot_workers=0), listening)] * processes
    if config.bot_workers:
        jobs.append(partial(_think, config))
    with TemporaryDirectory(prefix="jaipur-") as figures:
        os.environ[SHARED] = figures
        running: list[SpawnProcess] = []
        try:
            running.extend(map(_started, jobs))
            _keep_running(running, jobs)
        finally:
            end_processes(running, _GOODBYE_SECONDS)


def _keep_running(running: list[SpawnProcess], jobs: Sequence[Callable[[], None]]) -> None:
    while True:
        multiprocessing.connection.wait([process.sentinel for process in running])
        time.sleep(_AGAIN_SECONDS)
        for number, process in enumerate(running):
            if not process.is_alive():
                _log.warning("A process ended with code %s and is started again.", process.exitcode)
                running[number] = _started(jobs[number])


def _started(job: Callable[[], None]) -> SpawnProcess:
    # Spawned, not forked: a copy of a process with threads may hold their locks forever.
    process = multiprocessing.get_context("spawn").Process(target=job)
    process.start()
    return process


def _begin() -> None:
    """Ignores Ctrl-C, which is for the parent: it tells its processes to end."""
    follow_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_signal: sys.exit(0))


def _serve(config: Config, listening: socket.socket) -> None:
    _begin()
    server_of(config).run(sockets=[listening])


def _think(config: Config) -> None:
    _begin()
    run_thinking(config, open_shared(config.database))
