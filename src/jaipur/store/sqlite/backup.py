"""Backups of the database: taken while a server runs, checked, and restored."""

import itertools
import os
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from jaipur.files import may_write, reason_of, sync_folder
from jaipur.rules.errors import N_, JaipurError
from jaipur.store.database import file_of, on_file
from jaipur.store.faults import LOCKED
from jaipur.store.sqlite.file_lock import FileLock, check_whole
from jaipur.store.sqlite.recognition import NOT_OURS, check_ours
from jaipur.store.writing.write_queue import StoreError

_LOGS, _LOG_INDEX = ("-wal", "-journal"), "-shm"
_SET_ASIDE = ".before-restore-"
_NO_ROOM = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE}
_SENTENCES = {
    sqlite3.SQLITE_CANTOPEN: N_("{path} cannot be read: {reason}."),
    sqlite3.SQLITE_NOTADB: NOT_OURS,
    sqlite3.SQLITE_BUSY: LOCKED,
}
_DAMAGED = N_("{path} is damaged: {reason}. Restore it from a copy.")
_DAMAGED_COPY = N_("The copy {path} is damaged: {reason}. Take another one.")


def require_there(where: str) -> None:
    """Refuses a file that is no database of ours; a missing or empty one too, since opening it would make it one."""
    if on_file(where) and not check_ours(file := file_of(where)):
        raise StoreError(NOT_OURS if file.exists() else N_("There is no database {path}."), path=str(file))


def back_up(database: Path, to: Path) -> None:
    """Makes a consistent copy in one file. Servers may keep writing: the copy shows the database at one moment."""
    if os.path.lexists(to):
        raise StoreError(N_("{path} exists already: choose another name."), path=str(to))
    require_there(str(database))
    check_whole(database)
    with _copied(database, to, _DAMAGED) as copy:
        copy.replace(to)


def restore(backup: Path, database: Path, replace: bool = False) -> Path | None:
    """Replaces the database with a copy, never while a server is using it. Returns where the old one was put."""
    require_there(str(backup))
    there = check_ours(database)
    check_whole(backup)
    _check(backup, backup, _DAMAGED_COPY)
    file_lock = FileLock(database)
    try:
        if there and not replace:
            raise StoreError(N_("{path} has games: --replace sets them aside first."), path=str(database))
        with _copied(backup, file_lock.path, _DAMAGED_COPY) as copy:
            return _put_in_place(copy, file_lock)
    except JaipurError:
        file_lock.withdraw()
        raise
    finally:
        file_lock.release()


def check_file(database: Path) -> None:
    """Checks every page and every foreign key of a database."""
    require_there(str(database))
    check_whole(database)
    _check(database, database, _DAMAGED)


def _check(file: Path, shown: Path, damaged: str) -> None:
    """Checks `file`; error messages name `shown`, which differs when `file` is a temporary copy."""
    with _opened(file, shown, damaged) as connection:
        (fault,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
        if fault != "ok":
            raise StoreError(damaged, path=str(shown), reason=fault.splitlines()[-1])
        if connection.execute("PRAGMA foreign_key_check").fetchone() is not None:
            raise StoreError(damaged, path=str(shown), reason="foreign keys")
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone():
            raise StoreError(NOT_OURS, path=str(shown))


@contextmanager
def _opened(file: Path, shown: Path, damaged: str) -> Iterator[sqlite3.Connection]:
    # Without the right to write there, SQLite would leave its log and the index, or could not make them.
    writable = may_write(file) and may_write(file.resolve().parent)
    alone = not writable and not _part(file.resolve(), _LOGS[0]).exists()
    options = "mode=ro&immutable=1" if alone else "mode=rw"
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?{options}", uri=True)) as connection:
            yield connection
    except sqlite3.Error as error:
        sentence = _SENTENCES.get(error.sqlite_errorcode, damaged)
        raise StoreError(sentence, path=str(shown), where=str(shown), reason=str(error)) from error


@contextmanager
def _copied(source: Path, to: Path, damaged: str) -> Iterator[Path]:
    """A temporary copy in the folder it is meant for: whatever happens, nobody finds half a copy at the final name."""
    try:
        with tempfile.TemporaryDirectory(dir=to.absolute().parent, prefix=".jaipur-") as folder:
            copy = Path(folder) / "copy"
            copy.touch(0o600)
            with _opened(source, source, damaged) as old:
                _write_copy(old, copy)
            _check(copy, source, damaged)
            with copy.open("rb") as written:
                os.fsync(written.fileno())
            yield copy
    except OSError as error:
        raise StoreError(N_("{path} cannot be written: {reason}."), path=str(to), reason=reason_of(error)) from error


def _write_copy(old: sqlite3.Connection, copy: Path) -> None:
    try:
        with closing(sqlite3.connect(copy, isolation_level=None)) as new:
            old.backup(new)
            new.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode in _NO_ROOM:
            raise OSError(str(error)) from error
        raise


def _put_in_place(copy: Path, file_lock: FileLock) -> Path | None:
    """Removes the old log before the new file arrives: SQLite would apply it to the new file and damage it."""
    database = file_lock.path
    if database.exists():
        copy.chmod(stat.S_IMODE(database.stat().st_mode))
    aside = _set_aside(database)
    with file_lock.replacing():
        for part in (*_LOGS, _LOG_INDEX):
            _part(database, part).unlink(missing_ok=True)
        sync_folder(database.parent)
        copy.replace(database)
        sync_folder(database.parent)
    return aside


def _set_aside(database: Path) -> Path | None:
    """Gives the file and its log a second, unused name. Nothing is removed until both have it."""
    parts = [part for part in ("", *_LOGS) if _part(database, part).exists()]
    if not parts:
        return None
    names = (_part(database, f"{_SET_ASIDE}{number}") for number in itertools.count(1))
    aside = next(name for name in names if not any(_part(name, part).exists() for part in ("", *_LOGS)))
    for part in parts:
        _name_also(_part(database, part), _part(aside, part))
    sync_folder(database.parent)
    return aside


def _name_also(path: Path, name: Path) -> None:
    try:
        os.link(path, name)
    except OSError:  # a file system without hard links
        name.touch(0o600)
        shutil.copyfile(path, name)
        with name.open("rb") as written:
            os.fsync(written.fileno())


def _part(database: Path, ending: str) -> Path:
    return database.with_name(database.name + ending)
