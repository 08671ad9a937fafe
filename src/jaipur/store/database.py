"""Opens the database: finds it, makes its writes durable, and brings its schema up to date."""

import functools
import os
import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from platformdirs import user_data_path
from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import ConnectionPoolEntry, StaticPool

from jaipur.files import create_private, make_folder, may_write, reason_of
from jaipur.rules.errors import N_
from jaipur.store.postgres import engine as postgres
from jaipur.store.sqlite.recognition import (
    APPLICATION_ID,
    FIRST_TABLES,
    NOT_OURS,
    UNKNOWN,
    VERSIONS,
    check_ours,
    copied,
    tables_of,
)
from jaipur.store.writing.write_queue import PATIENCE, Away, Busy, StoreError

VARIABLE = "JAIPUR_DATABASE"
LEFT = "seconds_left"
"""The connection option that says how long to wait for other writers."""
_CONNECTIONS = 40
_CACHED_KB = 512
"""How much of the file each connection keeps in memory. The system caches the file for all of them; with SQLite's
default of 2 MB each, the memory of a server would keep growing with its file."""


def default_database() -> str:
    """`JAIPUR_DATABASE`, or a file in the usual place for user data."""
    chosen = os.environ.get(VARIABLE)
    return chosen or str(user_data_path("jaipur", appauthor=False) / "jaipur.sqlite3")


def open_database(where: str) -> Engine:
    """An engine for a file or a database URL, with the newest schema."""
    url = _read_address(where)
    if on_file(where):
        _make_ready(file_of(where))
        engine = _sqlite_engine(url)
    else:
        engine = postgres.postgres_engine(url)
    try:
        with transactions(engine).begin() as connection:
            _bring_up_to_date(connection, shown(url))
    except BaseException as error:
        engine.dispose()
        if isinstance(error, DBAPIError):
            raise explained(error, shown(url)) from error
        raise
    return engine


def open_in_memory() -> Engine:
    """An engine for a database that is gone when its process ends; it needs no file, no lock and no thread."""
    engine = create_engine("sqlite://", poolclass=StaticPool)
    event.listen(engine, "connect", _write_safely)
    event.listen(engine, "begin", _begin_writing)
    with engine.begin() as connection:
        _bring_up_to_date(connection, ":memory:")
    return engine


def transactions(engine: Engine) -> Engine:
    """The same engine, for transactions of several statements."""
    if engine.dialect.name == "postgresql":
        return engine.execution_options(isolation_level="READ COMMITTED")
    return engine


def autocommitting(engine: Engine) -> Engine:
    """The same engine for single statements."""
    return engine if engine.dialect.name == "postgresql" else engine.execution_options(isolation_level="AUTOCOMMIT")


def shown(url: URL) -> str:
    """A database as messages name it: a file, or a URL without the password and the driver."""
    if url.get_backend_name() == "sqlite":
        return str(url.database)
    return url.set(drivername="postgresql").render_as_string()


def _read_address(where: str) -> URL:
    if "://" not in where:
        return URL.create("sqlite", database=where)
    try:
        url = make_url(where)
    except (ArgumentError, ValueError) as error:
        raise _no_database(where) from error
    # With “uri”, SQLite would open another file than the one we look at.
    if url.drivername not in {"sqlite", *postgres.NAMES} or "uri" in url.query:
        raise _no_database(where)
    return url


def file_of(where: str) -> Path:
    """The file of an SQLite database, given its path or its URL."""
    url = _read_address(where)
    if url.drivername != "sqlite":
        raise StoreError(N_("{where} is not a file: use the tools of that database."), where=url.render_as_string())
    if url.host or not url.database or url.database == ":memory:":
        raise StoreError(N_("The database must be a file, so that its games last."))
    return Path(url.database)


def _no_database(where: str) -> StoreError:
    return StoreError(
        N_("“{where}” is not a database: give a file, or an address like postgresql://USER@HOST/NAME."),
        where=re.sub(":[^:@/]*@", ":***@", where),
    )


def _sqlite_engine(url: URL) -> Engine:
    engine = create_engine(url, pool_size=_CONNECTIONS, max_overflow=20)
    event.listen(engine, "connect", _write_safely)
    event.listen(engine, "begin", _begin_writing)
    return engine


def on_file(where: str) -> bool:
    """Whether a database is a file on this machine."""
    return "://" not in where or where.startswith("sqlite://")


def check_usable(path: Path) -> bool:
    """Refuses a file that is not ours or cannot be written, before anything is done to it. Returns whether it is there.

    A missing or empty file is fine: it becomes a database.
    """
    there = check_ours(path)
    if path.exists() and not may_write(path):
        raise _told("readonly", str(path))
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
                file = stack.enter_context(copied(file, ["-wal"])) or file
            address = f"{file.as_uri()}?mode={rights}"
            yield stack.enter_context(closing(sqlite3.connect(address, uri=True, timeout=PATIENCE)))
    except sqlite3.Error as error:
        raise _told(str(error), str(path)) from error
    except OSError as error:
        raise StoreError(N_("{path} cannot be read: {reason}."), path=str(path), reason=reason_of(error)) from error


def quick_check(path: Path) -> None:
    """Refuses a file that SQLite's quick check finds damaged; the full check is a command of its own."""
    if path.exists():
        with look(path) as connection:
            (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            sentence = N_("{path} is damaged: {reason}. Restore it from a copy.")
            raise StoreError(sentence, path=str(path), reason=found.splitlines()[-1])


def _make_ready(path: Path) -> None:
    """Sees to it that there is a file of ours, in a folder that exists. A new one is private, others stay as they are.

    The version is looked at before the file is opened for writing, which would change its header.
    """
    if check_usable(path):
        with look(path) as connection:
            tables = tables_of(connection)
            if tables and VERSIONS not in tables:
                raise StoreError(UNKNOWN, path=str(path))
            found = connection.execute(f"SELECT version_num FROM {VERSIONS}") if tables else ()
            _check_versions([row[0] for row in found], str(path))
    else:
        file = path.resolve()
        make_folder(file.parent)
        create_private(file)


def _write_safely(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    """A commit is on the disk when it returns, and readers do not wait for writers."""
    connection.isolation_level = None
    if connection.execute("PRAGMA page_count").fetchone() == (0,):  # the file is new: its first bytes say whose it is
        connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        f"cache_size=-{_CACHED_KB}",
        f"busy_timeout={_milliseconds(PATIENCE)}",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _milliseconds(seconds: float) -> int:
    return max(int(1000 * seconds), 1)


def _begin_writing(connection: Connection) -> None:
    options = connection.get_execution_options()
    if options.get("isolation_level") != "AUTOCOMMIT":
        if LEFT in options:
            connection.exec_driver_sql(f"PRAGMA busy_timeout={_milliseconds(options[LEFT])}")
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def _bring_up_to_date(connection: Connection, where: str) -> None:
    if connection.dialect.name == "postgresql":
        postgres.lock_schema(connection)
    versions = MigrationContext.configure(connection).get_current_heads()
    if versions and not FIRST_TABLES.keys() <= set(inspect(connection).get_table_names()):
        raise StoreError(NOT_OURS, path=where)
    _check_versions(versions, where)
    config = _migrations()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    # A read-only file is noticed now, not when the first game is written.
    connection.exec_driver_sql("UPDATE alembic_version SET version_num = version_num")


def _migrations() -> Config:
    config = Config()
    config.set_main_option("script_location", "jaipur.store:migrations")
    config.set_main_option("path_separator", "os")
    return config


@functools.cache
def _known_versions() -> frozenset[str]:
    return frozenset(script.revision for script in ScriptDirectory.from_config(_migrations()).walk_revisions())


def _check_versions(found: Iterable[str], where: str) -> None:
    if not _known_versions().issuperset(found):
        raise StoreError(
            N_("The database {where} was written by a newer version of Jaipur: update Jaipur, or use another file."),
            where=where,
        )


LOCKED = N_("The database {where} is locked by another program: close it, or use another file.")
_REASONS = (
    ("database is locked", LOCKED),
    ("readonly", N_("The database {where} cannot be written: make it writable, or use another file.")),
    ("read-only", N_("The database {where} cannot be written: make it writable, or use another file.")),
    ("unable to open", N_("The database {where} cannot be opened: check that the file may be read and written.")),
    ("disk is full", N_("The disk is full: nothing was written. Make room and try again.")),
    ("disk I/O error", N_("The disk reports an error: nothing was written to {where}.")),
    ("not a database", N_("{where} is damaged or not a Jaipur database: restore it from a copy, or use another file.")),
    ("malformed", N_("{where} is damaged or not a Jaipur database: restore it from a copy, or use another file.")),
)  # fmt: skip


def explained(error: DBAPIError, where: str, opened: bool = False) -> StoreError:
    """What went wrong, as one sentence for a person. Once a database has been opened, a lock on it is temporary."""
    told = str(error.orig).partition("\n")[0]
    if (known := postgres.reason_of(error)) is not None:
        return StoreError(known, where=where)
    if postgres.is_away(error):
        away = N_("The database {where} cannot be reached: {reason}.")
        return Away() if opened else StoreError(away, where=where, reason=told)
    if opened and "database is locked" in told:
        return Busy()
    return _told(told, where)


def _told(told: str, where: str) -> StoreError:
    for part, sentence in _REASONS:
        if part in told:
            return StoreError(sentence, where=where)
    return StoreError(N_("The database {where} reports: {reason}."), where=where, reason=told)
