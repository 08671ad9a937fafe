"""Copies of the database: taken while a server runs, checked, and put back."""

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy import make_url

from jaipur.rules.errors import N_
from jaipur.store.file_lock import FileLock, check_whole
from jaipur.store.write_queue import StoreError

_PARTS = ("", "-wal", "-shm")
_SET_ASIDE = ".before-restore"


def file_of(where: str) -> Path:
    """The file of an SQLite database, by its path or its address."""
    url = make_url(where if "://" in where else f"sqlite:///{where}")
    if url.get_backend_name() != "sqlite" or not url.database:
        raise StoreError(N_("{where} is not a file: use the tools of that database."), where=url.render_as_string())
    return Path(url.database)


def back_up(database: Path, to: Path) -> None:
    """A consistent copy in one file. Servers may go on writing: the copy is the state of one moment."""
    if to.exists():
        raise StoreError(N_("{path} exists already: choose another name."), path=str(to))
    if not database.is_file():
        raise StoreError(N_("There is no database {path}."), path=str(database))
    check_whole(database)
    with _copied(database, to) as copy:
        copy.replace(to)


def restore(backup: Path, database: Path, replace: bool = False, incomplete: bool = False) -> None:
    """Puts a copy in the place of the database. What was there is set aside, and never while a server uses it."""
    if not backup.is_file():
        raise StoreError(N_("There is no database {path}."), path=str(backup))
    if not incomplete:
        check_whole(backup)
    check_file(backup)
    file_lock = FileLock(database)
    try:
        if database.exists() and database.stat().st_size and not replace:
            raise StoreError(N_("{path} has games: --replace sets them aside first."), path=str(database))
        with _copied(backup, database) as copy:
            _set_aside(database)
            copy.replace(database)
    finally:
        file_lock.release()


def check_file(database: Path) -> None:
    """Goes through every page and every reference of a database."""
    with _opened(database) as connection:
        found = [row[0] for row in connection.execute("PRAGMA integrity_check(5)")]
        if found != ["ok"]:
            raise StoreError(
                N_("{path} is damaged: {reason}. Restore it from a copy."), path=str(database), reason=found[0]
            )
        if connection.execute("PRAGMA foreign_key_check").fetchone() is not None:
            raise StoreError(
                N_("{path} is damaged: {reason}. Restore it from a copy."), path=str(database), reason="foreign keys"
            )
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone():
            raise StoreError(N_("{path} is not a Jaipur database."), path=str(database))


@contextmanager
def _opened(database: Path) -> Iterator[sqlite3.Connection]:
    try:
        with closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=rw", uri=True)) as connection:
            yield connection
    except sqlite3.Error as error:
        raise StoreError(
            N_("{path} is damaged: {reason}. Restore it from a copy."), path=str(database), reason=str(error)
        ) from error


@contextmanager
def _copied(source: Path, to: Path) -> Iterator[Path]:
    """A copy beside its place, under another name: whatever happens, the copy is whole or not there."""
    with tempfile.TemporaryDirectory(dir=to.absolute().parent, prefix=".jaipur-") as folder:
        copy = Path(folder) / "copy"
        copy.touch(0o600)
        with _opened(source) as old, closing(sqlite3.connect(copy, isolation_level=None)) as new:
            old.backup(new)
            new.execute("PRAGMA journal_mode=DELETE")
            new.execute("PRAGMA user_version=0")
        check_file(copy)
        with copy.open("rb") as written:
            os.fsync(written.fileno())
        yield copy


def _set_aside(database: Path) -> None:
    for part in _PARTS:
        path = database.with_name(database.name + part)
        if path.exists():
            path.replace(database.with_name(database.name + _SET_ASIDE + part))
