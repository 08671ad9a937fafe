"""Opens the database: where it lives, how safely it writes, and its schema brought up to date."""

import os
import sqlite3
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from platformdirs import user_data_path
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.pool import ConnectionPoolEntry

from jaipur.core.errors import N_, JaipurError
from jaipur.files import make_folder

VARIABLE = "JAIPUR_DATABASE"
_BUSY_SECONDS = 5


class StoreError(JaipurError):
    """The database cannot be used; the sentence says why and what to do."""


def default_database() -> str:
    """`JAIPUR_DATABASE`, or a file at the usual place for user data."""
    chosen = os.environ.get(VARIABLE)
    return chosen or str(user_data_path("jaipur", appauthor=False) / "jaipur.sqlite3")


def open_database(where: str) -> Engine:
    """An engine for a file or a database address, with the newest schema."""
    try:
        url = make_url(where if "://" in where else f"sqlite:///{where}")
        _check_file(url)
        engine = create_engine(url, pool_size=40, max_overflow=20)
    except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
        raise StoreError(N_("“{where}” is not a database: give a file, or an address like sqlite:///FILE."),
                         where=where) from error  # fmt: skip
    if url.get_backend_name() == "sqlite":
        event.listen(engine, "connect", _write_safely)
        event.listen(engine, "begin", _begin_writing)
    try:
        with engine.begin() as connection:
            _bring_up_to_date(connection, where)
    except DBAPIError as error:
        raise explained(error, where) from error
    return engine


def _check_file(url: URL) -> None:
    """SQLite's database is a file, in a folder that is there."""
    if url.get_backend_name() == "sqlite":
        if not url.database or url.database == ":memory:":
            raise StoreError(N_("The database must be a file: its games are to last."))
        make_folder(Path(url.database).absolute().parent)


def _write_safely(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    """A commit has reached the disk when it returns; readers do not wait for writers."""
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"busy_timeout={_BUSY_SECONDS * 1000}"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_writing(connection: Connection) -> None:
    if connection.get_execution_options().get("isolation_level") != "AUTOCOMMIT":
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def _bring_up_to_date(connection: Connection, where: str) -> None:
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
    # A file that may only be read is noticed now and not with the first game.
    connection.exec_driver_sql("UPDATE alembic_version SET version_num = version_num")


_REASONS = (
    ("database is locked", N_("The database {where} is locked by another program: close it, or use another file.")),
    ("readonly", N_("The database {where} cannot be written: make it writable, or use another file.")),
    ("read-only", N_("The database {where} cannot be written: make it writable, or use another file.")),
    ("unable to open", N_("The database {where} cannot be opened: check that the file may be read and written.")),
    ("disk is full", N_("The disk is full: nothing was written. Make room and try again.")),
    ("disk I/O error", N_("The disk reports an error: nothing was written to {where}.")),
    ("not a database", N_("{where} is damaged or no database of Jaipur: restore it from a copy, or use another file.")),
    ("malformed", N_("{where} is damaged or no database of Jaipur: restore it from a copy, or use another file.")),
)  # fmt: skip


def explained(error: DBAPIError, where: str) -> StoreError:
    """What went wrong, as one sentence for a person."""
    told = str(error.orig)
    for part, sentence in _REASONS:
        if part in told:
            return StoreError(sentence, where=where)
    return StoreError(N_("The database {where} reports: {reason}."), where=where, reason=told)
