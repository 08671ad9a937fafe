"""The real `jaipur` command in a process of its own, forked from one that has the libraries loaded: a quick start."""

import atexit
import contextlib
import fcntl
import multiprocessing
import os
import signal
import sys
import termios
from collections.abc import Mapping
from multiprocessing.connection import Connection
from typing import IO

from jaipur.processes import follow_parent

_LOADED = [
    "rich.console",
    "rich.markdown",
    "rich.progress",
    "typer",
    "jaipur.coach.review",
    "jaipur.server.run.web_server",
]
"""What takes long to import. Not `jaipur.cli`: its help texts are in the language of the process that imports it."""
PATIENCE = 300.0
"""Seconds after which a test gives up, so that it ends even if something hangs."""


class Program:
    """`jaipur` with these arguments, as far as `subprocess.Popen` has it."""

    def __init__(
        self, *arguments: str, env: Mapping[str, str], stdin: int, stdout: int, stderr: int, terminal: bool = False
    ) -> None:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(_LOADED)
        ends = [Connection(os.dup(end)) for end in (stdin, stdout, stderr)]
        self._process = context.Process(target=_run, args=(arguments, dict(env), ends, terminal))
        self._process.start()
        for end in ends:
            end.close()
        assert self._process.pid is not None
        self.pid = self._process.pid

    def poll(self) -> int | None:
        """Its exit code, once it has ended; the negative of a signal that ended it."""
        return self._process.exitcode

    def wait(self, seconds: float = PATIENCE) -> int:
        """Waits for it to end."""
        self._process.join(seconds)
        if (code := self.poll()) is None:
            self.kill()
            raise AssertionError(f"jaipur has not ended after {seconds} s")
        return code

    def send_signal(self, how: signal.Signals) -> None:
        """Sends it a signal, if it still runs: it may have ended before its exit code is known here."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, how)

    def kill(self) -> None:
        """Ends it at once."""
        self.send_signal(signal.SIGKILL)


def _run(arguments: tuple[str, ...], environment: dict[str, str], ends: list[Connection], terminal: bool) -> None:
    if terminal:
        os.setsid()
        fcntl.ioctl(ends[0].fileno(), termios.TIOCSCTTY, 0)
    for number, end in enumerate(ends):
        os.dup2(end.fileno(), number)
        end.close()
    sys.stdin, sys.stdout, sys.stderr = _opened(0, "r"), _opened(1, "w"), _opened(2, "w")
    os.environ.clear()
    os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.argv = ["jaipur", *arguments]
    from jaipur.cli import main  # noqa: PLC0415 - in this process alone

    follow_parent()
    try:
        main()
    finally:
        atexit._run_exitfuncs()


def _opened(number: int, mode: str) -> IO[str]:
    return open(number, mode, encoding="utf-8", errors="surrogateescape", closefd=False)
