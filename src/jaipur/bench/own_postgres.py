"""A PostgreSQL server of our own, for measurements and tests: in a folder, run by a user other than root."""

import contextlib
import itertools
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from jaipur.programs import ends_with_us
from jaipur.rules.errors import N_, JaipurError

_PATIENCE = 60.0
_USER = "jaipur"
_USUAL = Path("/usr/lib/postgresql")
_QUICK = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")
"""For uses that never kill the database in the middle of a write."""


class NoPostgres(JaipurError):
    """There is no PostgreSQL on this machine."""


def programs() -> Path:
    """The folder of the server's programs: the one in JAIPUR_POSTGRES, Debian's newest, or one on the path."""
    named, found = os.environ.get("JAIPUR_POSTGRES", ""), shutil.which("initdb")
    folders = [Path(named)] * bool(named)
    folders += sorted(_USUAL.glob("*/bin"), key=lambda folder: float(folder.parent.name), reverse=True)
    folders += [Path(found).parent] if found else []
    for folder in folders:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    raise NoPostgres(N_("No PostgreSQL was found: install one, or name the folder of its programs in JAIPUR_POSTGRES."))


def _nobody() -> dict[str, Any]:
    """Whom to run as: PostgreSQL refuses to be run by root."""
    if os.geteuid():
        return {}
    who = pwd.getpwnam("nobody")
    return {"user": who.pw_uid, "group": who.pw_gid, "extra_groups": []}


def free_port() -> int:
    """A port that nobody uses."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


class PostgresServer:
    """A server with its data. It can be killed and started again on the same port."""

    def __init__(self, folder: Path, *settings: str) -> None:
        self.programs = programs()
        self.folder = folder
        self.settings = ("max_connections=200", "shared_buffers=32MB", *settings)
        self.port = free_port()
        self._numbers = itertools.count()
        self._server: subprocess.Popen[bytes] | None = None
        nobody = _nobody()
        if nobody:
            shutil.chown(folder, "nobody")
        command = [str(self.programs / "initdb"), "-D", str(folder / "data"), "-U", _USER, "-A", "trust", "-E", "UTF8"]
        command += ["--locale=C.UTF-8", "--no-sync"]
        subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL, **nobody)
        self.start()

    def address(self, database: str = "postgres", port: int = 0) -> str:
        """The address of a database; with a port, through something in between."""
        return f"postgresql://{_USER}@127.0.0.1:{port or self.port}/{database}"

    @property
    def pid(self) -> int:
        """The process that runs it."""
        return self._server.pid if self._server else 0

    def start(self) -> None:
        """Starts it and waits until it answers. After a kill, that takes until the last of its processes is gone."""
        command = [str(self.programs / "postgres"), "-D", str(self.folder / "data"), "-p", str(self.port)]
        command += ["-k", str(self.folder), "-h", "127.0.0.1"]
        command += [part for setting in self.settings for part in ("-c", setting)]
        end = time.monotonic() + _PATIENCE
        while not self._answers():
            if time.monotonic() > end:
                raise JaipurError(N_("PostgreSQL does not start: see {path}."), path=str(self.folder / "log"))
            if self._server is None or self._server.poll() is not None:
                with (self.folder / "log").open("ab") as log:
                    options = _nobody() | ends_with_us(signal.SIGINT)
                    self._server = subprocess.Popen(
                        command, stdout=log, stderr=log, cwd=self.folder, start_new_session=True, **options
                    )
            time.sleep(0.02)

    def _answers(self) -> bool:
        with contextlib.suppress(psycopg.OperationalError), psycopg.connect(self.address(), connect_timeout=2):
            return True
        return False

    def end(self, how: signal.Signals = signal.SIGINT) -> None:
        """Ends it with this signal; a kill goes to all of its processes at once."""
        if self._server is not None:
            for pid in _children(self._server.pid) if how is signal.SIGKILL else []:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, how)
            self._server.send_signal(how)
            self._server.wait(_PATIENCE)
            self._server = None

    def execute(self, statement: str, database: str = "postgres") -> list[tuple[object, ...]]:
        """The rows that a statement returns."""
        with psycopg.connect(self.address(database), autocommit=True) as connection:
            done = connection.execute(statement.encode())
            return done.fetchall() if done.description else []

    def cut(self, database: str) -> int:
        """Ends all connections to a database; returns how many there were."""
        ended = self.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database}'")
        return len(ended)

    def new_database(self) -> str:
        """Creates a database without tables; returns its name."""
        name = f"games{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name}")
        return name


def _children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in listed.read_text().split()] if listed.exists() else []


@contextmanager
def own_postgres(*settings: str, quick: bool = False) -> Iterator[PostgresServer]:
    """A server for as long as the block lasts."""
    with tempfile.TemporaryDirectory(prefix="jaipur-postgres-") as folder:
        started = PostgresServer(Path(folder), *(_QUICK if quick else ()), *settings)
        try:
            yield started
        finally:
            started.end()
