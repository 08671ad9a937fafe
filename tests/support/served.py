"""The real server: `jaipur serve` in a process of its own, called over the network."""

import asyncio
import contextlib
import os
import re
import signal
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx
from sqlalchemy import QueuePool

from jaipur.store import Store, open_database
from tests.support.program import PATIENCE, Program
from tests.support.terminal import environment

OPTIONS = ("--pause", "0", "--rate", "0", "--bot-workers", "1")
"""Options for a server that answers as fast as it can, with one process for its bots."""
TOKEN = "token-of-this-person-xyz"


class Served:
    """A server that runs until it is killed or the block ends."""

    def __init__(self, database: Path, *options: str) -> None:
        command = ("serve", "--port", "0", "--database", str(database), *options)
        self.errors = database.with_suffix(".log")
        self.left: list[int] = []
        """The child processes it had when it ended."""
        output, its_output = os.pipe()
        with open(os.devnull) as nothing, open(its_output, "wb") as shown, self.errors.open("ab") as log:
            self.process = Program(
                *command, "--keep-abandoned", "0",  # the clocks of tests start far in the past
                env=environment(database.parent), stdin=nothing.fileno(), stdout=shown.fileno(), stderr=log.fileno(),
            )  # fmt: skip
        impatient = threading.Timer(PATIENCE, self.process.kill)
        impatient.start()
        self._output = os.fdopen(output, encoding="utf-8")
        ready = self._output.readline()
        impatient.cancel()
        found = re.search(r"http://\S+:\d+", ready)
        assert found, self.errors.read_text()
        self.client = httpx.Client(base_url=found[0], timeout=PATIENCE)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end(signal.SIGTERM)
        self.close()

    def helpers(self) -> list[int]:
        """Its child processes."""
        listed = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(pid) for pid in listed.read_text().split()] if listed.exists() else []

    def end(self, how: signal.Signals) -> int:
        """Ends it with this signal, and returns its exit code."""
        if (code := self.process.poll()) is not None:
            return code
        self.left = self.helpers()
        self.process.send_signal(how)
        return self.process.wait()

    def close(self) -> None:
        """Closes the client, and kills any child processes left behind."""
        self._output.close()
        self.client.close()
        for pid in self.left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def get(self, path: str, token: str) -> Any:
        return self.client.get(path, headers={"authorization": f"Bearer {token}"}).raise_for_status().json()

    def post(self, path: str, token: str, wanted: object = None, key: str = "") -> httpx.Response:
        headers = {"authorization": f"Bearer {token}"} | ({"idempotency-key": key} if key else {})
        return self.client.post(path, json=wanted, headers=headers)


def running(pid: int) -> bool:
    """Whether a process exists and is not just a zombie."""
    status = Path(f"/proc/{pid}/stat")
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return status.read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def wait_for(happened: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Polls until it has happened."""
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


def put_away(store: Store) -> None:
    """Closes all connections, when the threads that use some are done: a connection in use would stay open."""
    pool = store.engine.pool
    assert isinstance(pool, QueuePool)
    wait_for(lambda: not pool.checkedout())
    store.close()


async def until(happened: Callable[[], bool]) -> None:
    """Polls on the event loop until it has happened."""
    async with asyncio.timeout(PATIENCE):
        while not happened():
            await asyncio.sleep(0.01)


def start(served: Served) -> str:
    """Sets up a game for two at one screen."""
    return str(served.post("/api/games", TOKEN, {"kind": "one-screen"}).json()["game"])


class Killed(BaseException):
    """Stands for the process being killed at this point."""


def games_in(path: Path) -> list[str]:
    """The games in a file."""
    engine = open_database(str(path))
    try:
        return Store(engine).game_ids()
    finally:
        engine.dispose()


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Another program keeps the file locked: nobody else can write."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        yield
        connection.execute("ROLLBACK")
