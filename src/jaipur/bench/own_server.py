"""Servers for measurements: copies of a process that has everything loaded, so they start at once."""

import contextlib
import multiprocessing
import os
import socket
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from types import TracebackType
from typing import Self

from jaipur.extras import load
from jaipur.rules.errors import N_, JaipurError

_STARTING_SECONDS = 60.0


@dataclass
class OwnServer:
    """A server on a database, without limits and pauses, on a port of this machine."""

    database: str
    port: int = 0
    bot_workers: int = 1
    same_port: bool = False
    """Whether the next server listens where the last one did."""
    streams: int = 3000
    listening: socket.socket | None = None
    """Where several servers listen together."""
    process: ForkServerProcess | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def start(self) -> None:
        """Starts it, and waits until it listens."""
        # A server that is killed leaves semaphores of its pool behind; they are cleared when the measurement ends.
        os.environ["PYTHONWARNINGS"] = "ignore:resource_tracker"
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["jaipur.server.app"])
        ours, theirs = context.Pipe()
        options = {"bot_workers": self.bot_workers, "streams": self.streams}
        port = self.port if self.same_port else 0
        self.process = context.Process(target=_serve, args=(self.database, theirs, port, self.listening, options))
        self.process.start()
        theirs.close()
        if not ours.poll(_STARTING_SECONDS):
            raise JaipurError(N_("The server for the measurement did not start."))
        self.port = ours.recv()

    def kill(self) -> None:
        """As `kill -9` does it."""
        if self.process is not None:
            self.process.kill()
            self.process.join()

    def end(self) -> None:
        """As an operator does it."""
        if self.process is not None and self.process.is_alive():
            self.process.terminate()
            self.process.join(_STARTING_SECONDS)
            self.kill()


def _serve(
    database: str, told: Connection, port: int, listening: socket.socket | None, options: dict[str, int]
) -> None:
    web, config = load("jaipur.server.app", "web"), load("jaipur.server.config", "web")
    services = web.make_services(config.Config(database, requests_per_second=0, games_per_minute=0, pause=0, **options))
    listening = listening or socket.create_server(("127.0.0.1", port))
    told.send(listening.getsockname()[1])
    with contextlib.suppress(KeyboardInterrupt):
        web.make_server(services).run(sockets=[listening])
