"""Opens the database: finds it, makes its writes durable, and brings its schema up to date."""

import os
import re
import sqlite3
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from platformdirs import user_data_path
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import ConnectionPoolEntry

from jaipur.files import make_folder, make_private
from jaipur.rules.errors import N_
from jaipur.store import postgres
from jaipur.store.write_queue import PATIENCE, Away, Busy, StoreError

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
    engine = _sqlite_engine(url) if url.get_backend_name() == "sqlite" else postgres.postgres_engine(url)
    try:
        with transactions(engine).begin() as connection:
            _bring_up_to_date(connection, shown(url))
    except BaseException as error:
        engine.dispose()
        if isinstance(error, DBAPIError):
            raise explained(error, shown(url)) from error
        raise
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
    try:
        url = make_url(where if "://" in where else f"sqlite:///{where}")
    except (ArgumentError, ValueError) as error:
        raise _no_database(where) from error
    if url.drivername not in {"sqlite", *postgres.NAMES}:
        raise _no_database(where)
    _check_file(url)
    return url


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
    return "://" not in where or where.startswith("sqlite:///")


def quick_check(engine: Engine, where: str) -> None:
    """Refuses a file that SQLite's quick check finds damaged; the full check is a command of its own."""
    if engine.url.get_backend_name() == "sqlite":
        try:
            with autocommitting(engine).connect() as connection:
                found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one()
        except DBAPIError as error:
            raise explained(error, where) from error
        if found != "ok":
            raise StoreError(N_("{path} is damaged: {reason}. Restore it from a copy."), path=where, reason=found)


def _check_file(url: URL) -> None:
    """Makes sure that an SQLite database is a file, private, and in a folder that exists."""
    if url.drivername == "sqlite":
        if not url.database or url.database == ":memory:":
            raise StoreError(N_("The database must be a file, so that its games last."))
        path = Path(url.database).absolute()
        make_folder(path.parent)
        make_private(path)


def _write_safely(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    """A commit is on the disk when it returns, and readers do not wait for writers."""
    connection.isolation_level = None
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
    config = Config()
    config.set_main_option("script_location", "jaipur.store:migrations")
    config.set_main_option("path_separator", "os")
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    current = MigrationContext.configure(connection).get_current_revision()
    if current is not None and current not in known:
        raise StoreError(
            N_("The database {where} was written by a newer version of Jaipur: update Jaipur, or use another file."),
            where=where,
        )
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    # A read-only file is noticed now, not when the first game is written.
    connection.exec_driver_sql("UPDATE alembic_version SET version_num = version_num")


_REASONS = (
    ("database is locked", N_("The database {where} is locked by another program: close it, or use another file.")),
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
    for part, sentence in _REASONS:
        if part in told:
            return StoreError(sentence, where=where)
    return StoreError(N_("The database {where} reports: {reason}."), where=where, reason=told)
