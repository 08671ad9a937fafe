"""SQLite: how its connections are opened, and what is done to a file before that."""

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from sqlalchemy import URL, Engine, create_engine, event
from sqlalchemy.pool import ConnectionPoolEntry

from jaipur.files import may_write, reason_of
from jaipur.rules.errors import N_
from jaipur.store.faults import sentence_of
from jaipur.store.sqlite.recognition import APPLICATION_ID, check_ours, copied
from jaipur.store.writing.write_queue import PATIENCE, StoreError

_CONNECTIONS = 40
_CACHED_KB = 512
"""How much of the file each connection keeps in memory. The system caches the file for all of them; with SQLite's
default of 2 MB each, the memory of a server would keep growing with its file."""


def sqlite_engine(url: URL) -> Engine:
    """An engine for a file."""
    # Seeds are among the parameters, and errors are logged.
    engine = create_engine(
        url, connect_args={"timeout": PATIENCE}, pool_size=_CONNECTIONS, max_overflow=20, hide_parameters=True
    )
    event.listen(engine, "connect", _write_safely)
    return engine


def _write_safely(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    """A commit is on the disk when it returns, and readers do not wait for writers."""
    connection.isolation_level = None
    if connection.execute("PRAGMA page_count").fetchone() == (0,):  # the file is new: its first bytes say whose it is
        connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
    for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"cache_size=-{_CACHED_KB}"):
        connection.execute(f"PRAGMA {setting}")


def to_begin(seconds: float) -> tuple[str, str]:
    """The statements that begin a write, after waiting at most so long for other programs."""
    return f"PRAGMA busy_timeout={max(int(1000 * seconds), 1)}", "BEGIN IMMEDIATE"


def check_usable(path: Path) -> bool:
    """Refuses a file that is not ours or cannot be written, before anything is done to it. Returns whether it is there.

    A missing or empty file is fine: it becomes a database.
    """
    there = check_ours(path)
    if path.exists() and not may_write(path):
        raise sentence_of("readonly", str(path))
    return there


@contextmanager
def look(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to a file of ours that leaves it as it is.

    The last connection to be closed merges a log that was left behind, unless it may not write; but then it would leave
    an index of the log, if there was none. So a file with a log and no index is read from a copy.
    """
    file, rights = path.resolve(), "rw"
    try:
        with ExitStack() as stack:
            if all(file.with_name(file.name + ending).exists() for ending in ("-wal", "-shm")):
                rights = "ro"
            else:
                file = stack.enter_context(copied(file)) or file
            address = f"{file.as_uri()}?mode={rights}"
            yield stack.enter_context(closing(sqlite3.connect(address, uri=True, timeout=PATIENCE)))
    except sqlite3.Error as error:
        raise sentence_of(str(error), str(path)) from error
    except OSError as error:
        raise StoreError(N_("{path} cannot be read: {reason}."), path=str(path), reason=reason_of(error)) from error


def quick_check(path: Path) -> None:
    """Refuses a file that SQLite's quick check finds damaged; the full check is a command of its own."""
    if path.exists():
        with look(path) as connection:
            (fault,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if fault != "ok":
            sentence = N_("{path} is damaged: {reason}. Restore it from a copy.")
            raise StoreError(sentence, path=str(path), reason=fault.splitlines()[-1])
