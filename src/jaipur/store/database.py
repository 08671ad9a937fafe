"""Opens the database: finds it, and brings its schema up to date."""

import functools
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from platformdirs import user_data_path
from sqlalchemy import URL, Connection, Engine, inspect, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from jaipur.files import create_private, make_folder
from jaipur.rules.errors import N_
from jaipur.store.faults import explained
from jaipur.store.postgres import postgres_engine as postgres
from jaipur.store.sqlite.recognition import FIRST_TABLES, NOT_OURS, UNKNOWN, VERSIONS, tables_of
from jaipur.store.sqlite.sqlite_engine import check_usable, look, sqlite_engine, to_begin
from jaipur.store.writing.write_queue import PATIENCE, StoreError

VARIABLE = "JAIPUR_DATABASE"


def default_database() -> str:
    """`JAIPUR_DATABASE`, or a file in the usual place for user data."""
    chosen = os.environ.get(VARIABLE)
    return chosen or str(user_data_path("jaipur", appauthor=False) / "jaipur.sqlite3")


def open_database(where: str) -> Engine:
    """An engine for a file or a database URL, with the newest schema."""
    url = _read_address(where)
    if on_file(where):
        _make_ready(file_of(where))
        engine = sqlite_engine(url)
    else:
        engine = postgres.postgres_engine(url)
    try:
        with transaction(engine) as connection:
            _bring_up_to_date(connection, shown(url))
    except BaseException as error:
        engine.dispose()
        if isinstance(error, DBAPIError):
            raise explained(error, shown(url)) from error
        raise
    return engine


@contextmanager
def transaction(engine: Engine, seconds: float = PATIENCE) -> Iterator[Connection]:
    """Several statements, all or none, after waiting at most so long for other writers."""
    if engine.dialect.name == "postgresql":
        engine = engine.execution_options(isolation_level="READ COMMITTED")
    with engine.begin() as connection:
        if engine.dialect.name == "sqlite":
            for statement in to_begin(seconds):
                connection.exec_driver_sql(statement)
        yield connection


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


def on_file(where: str) -> bool:
    """Whether a database is a file on this machine."""
    return "://" not in where or where.startswith("sqlite://")


def _make_ready(path: Path) -> None:
    """Sees to it that there is a file of ours, in a folder that exists. A new one is private, others stay as they are.

    The version is looked at before the file is opened for writing, which would change its header.
    """
    if check_usable(path):
        with look(path) as connection:
            tables = tables_of(connection)
            versions = (
                connection.execute(f"SELECT version_num FROM {VERSIONS}").fetchall() if VERSIONS in tables else []
            )
        if tables and not versions:
            raise StoreError(UNKNOWN, path=str(path))
        _check_versions((version for (version,) in versions), str(path))
    else:
        file = path.resolve()
        make_folder(file.parent)
        create_private(file)


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


def _check_versions(versions: Iterable[str], where: str) -> None:
    if not _known_versions().issuperset(versions):
        raise StoreError(
            N_("The database {where} was written by a newer version of Jaipur: update Jaipur, or use another file."),
            where=where,
        )
