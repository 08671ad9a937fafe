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


def programs() -> Path:
    """The folder of the server's programs: the one in JAIPUR_POSTGRES, Debian's newest, or one on the path."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: -float(folder.parent.name))
    folders = (os.environ.get("JAIPUR_POSTGRES"), *map(str, debian), os.environ.get("PATH"))
    initdb = shutil.which("initdb", path=os.pathsep.join(filter(None, folders)))
    if initdb is None:
        sentence = N_("No PostgreSQL was found: install one, or name the folder of its programs in JAIPUR_POSTGRES.")
        raise JaipurError(sentence)
    return Path(initdb).parent


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
    """A server with its data. It can be ended and started again on the same port."""

    def __init__(self, folder: Path, *settings: str) -> None:
        self.port = 0
        self._folder = folder
        self._settings = ("max_connections=200", "shared_buffers=32MB", *settings)
        self._numbers = itertools.count()
        self._server: subprocess.Popen[bytes] | None = None
        nobody = _nobody()
        if nobody:
            shutil.chown(folder, "nobody")
        command = [str(programs() / "initdb"), "-D", self._data, "-U", _USER, "-A", "trust", "-E", "UTF8"]
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

    @property
    def _data(self) -> str:
        return str(self._folder / "data")

    def start(self) -> None:
        """Starts it and waits until it answers. After a kill, that takes until the last of its processes is gone.

        Somebody else may take a port that was free a moment ago: until an address is known, another one will do.
        """
        end, known = time.monotonic() + _PATIENCE, self.port
        while not self._answers():
            if time.monotonic() > end:
                raise JaipurError(N_("PostgreSQL does not start: see {path}."), path=str(self._folder / "log"))
            if self._server is None or self._server.poll() is not None:
                self.port = known or free_port()
                self._server = self._run()
            time.sleep(0.02)

    def _run(self) -> "subprocess.Popen[bytes]":
        command = [str(programs() / "postgres"), "-D", self._data, "-p", str(self.port), "-k", str(self._folder)]
        command += ["-h", "127.0.0.1", *(part for setting in self._settings for part in ("-c", setting))]
        with (self._folder / "log").open("ab") as log:
            options: dict[str, Any] = _nobody() | ends_with_us(signal.SIGINT)
            return subprocess.Popen(
                command, stdout=log, stderr=log, cwd=self._folder, start_new_session=True, **options
            )

    def _answers(self) -> bool:
        with contextlib.suppress(psycopg.OperationalError), psycopg.connect(self.address(), connect_timeout=2) as link:
            return link.execute("SHOW data_directory").fetchone() == (self._data,)
        return False

    def end(self) -> None:
        """Ends it, and with it all connections."""
        if self._server is not None:
            self._server.send_signal(signal.SIGINT)
            self._server.wait(_PATIENCE)
            self._server = None

    def execute(self, statement: str, database: str = "postgres") -> list[tuple[object, ...]]:
        """The rows that a statement returns."""
        with psycopg.connect(self.address(database), autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def cut(self, database: str) -> None:
        """Ends all connections to a database."""
        self.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database}'")

    def new_database(self) -> str:
        """Creates a database without tables; returns its name."""
        name = f"games{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name}")
        return name


@contextmanager
def own_postgres(*settings: str) -> Iterator[PostgresServer]:
    """A server for as long as the block lasts."""
    with tempfile.TemporaryDirectory(prefix="jaipur-postgres-") as folder:
        server = PostgresServer(Path(folder), *settings)
        try:
            yield server
        finally:
            server.end()
