"""A server has its database file to itself, and marks it as in use, so that an incomplete copy is recognised.

A server's memory is a cache of the log, and listeners only hear of events in their own process, so a second server on
the same file would show outdated tables. A server therefore locks a file beside the database. The operating system
releases the lock when the process ends, however it ends.

While a server runs, the newest games are in a second file, the write-ahead log (`-wal`). A copy of the first file alone
is out of date, or even empty. So each run of a server writes a random mark into the database file (`user_version`), and
the same mark with the inode into the lock file. A file that has a mark but no log is good only if both match: then
another program opened it after a crash and merged the log into it. Any other is a copy, wherever it is, and is refused.
"""

import logging
import os
import re
import secrets
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import IO

from jaipur.files import create_private, make_folder, read_file, reason_of
from jaipur.rules.errors import N_
from jaipur.store.writing.write_queue import StoreError

_log = logging.getLogger(__name__)
_CLOSED = 0
_MARKS = 2**31 - 1
_NOTE_BYTES = 90
"""The length of the note in the lock file: always the same, so that one write replaces it."""
_NOTE = re.compile(rb"(\d+( \w+)*)? *|\0+")
"""What a lock file may hold; after a power cut, nothing but zeros."""
_REPLACING = "replacing"


class FileLock:
    """Reserves a database file for one server until it is released. A symbolic link counts as the file it points to."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        make_folder(self.path.parent)
        lock = _beside(self.path, ".lock")
        _check_lock(lock)
        self._file, made = _locked(lock, path)
        self._made = lock if made else None
        try:
            self._note(*_noted(self.path))
            self._before = _read_mark(self.path) if self.path.is_file() else _CLOSED
        except OSError as error:
            self.withdraw()
            raise _unwritable(lock, error) from error

    def mark(self) -> None:
        """Marks the file itself as in use: until it is closed, a copy of this file alone is incomplete."""
        inode, fresh = _inode(self.path), 1 + secrets.randbelow(_MARKS)
        self._note(inode, str(self._before), str(fresh))  # whenever this process is killed, one of the marks matches
        _write_mark(self.path, fresh)
        self._note(inode, str(fresh))

    def close(self) -> None:
        """Marks the file as complete again, and lets the next server have it."""
        _write_mark(self.path, _CLOSED)
        self._note()
        self.release()

    @contextmanager
    def replacing(self) -> Iterator[None]:
        """Notes that the file and its log are being replaced, so that neither is trusted after an interruption."""
        self._note(_REPLACING)
        yield
        self._note()

    def _note(self, *words: str) -> None:
        if words:
            self._made = None  # what it says is needed from now on
        self._file.seek(0)
        self._file.write(" ".join((str(os.getpid()), *words)).encode().ljust(_NOTE_BYTES))
        self._file.flush()
        os.fsync(self._file.fileno())

    def release(self) -> None:
        """Lets the next server have the file. The lock file stays: somebody else may be about to lock it."""
        self._file.close()

    def withdraw(self) -> None:
        """Releases a file that is refused. A lock file that was made for it, and says nothing yet, goes too."""
        if self._made is not None:
            with suppress(OSError):
                self._made.unlink()
        self.release()


def check_whole(path: Path) -> None:
    """Refuses a file that was copied while in use without its log, and one whose replacement was interrupted."""
    path = path.resolve()
    noted = _noted(path)
    if noted == [_REPLACING]:
        raise StoreError(N_("Restoring {where} was interrupted: use jaipur restore again."), where=str(path))
    if not path.is_file() or not path.stat().st_size or _beside(path, "-wal").exists():
        return
    mark = _read_mark(path)
    if mark != _CLOSED and not (_inode(path) in noted[:1] and str(mark) in noted[1:]):
        raise StoreError(
            N_(
                "{where} was copied while a server used it, without {wal}: its newest games are missing. "
                "Copy both files, or use jaipur backup; jaipur restore --incomplete takes it as it is."
            ),
            where=str(path),
            wal=_beside(path, "-wal").name,
        )


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


def _inode(path: Path) -> str:
    return str(path.stat().st_ino)


def _noted(path: Path) -> list[str]:
    """The lock file's note without the process id: the inode and the marks, or that the file is being replaced."""
    lock = _beside(path, ".lock")
    return _words(lock.read_bytes())[1:] if lock.is_file() else []


def _words(note: bytes) -> list[str]:
    return note[:_NOTE_BYTES].decode(errors="replace").split()


def _read_mark(path: Path) -> int:
    """Reads the mark from the raw bytes, since opening the database could change it.

    Never call this while the process has the database open: closing any handle to a file releases all the locks that
    the process holds on it. Another program would then believe it was the last user, and remove the log.
    """
    with path.open("rb") as file:
        head = file.read(64)
    return int.from_bytes(head[60:64], "big") if head.startswith(b"SQLite format 3") else _CLOSED


def _write_mark(path: Path, mark: int) -> None:
    """Writes the mark; the checkpoint moves it from the log into the database file itself."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA user_version={mark}")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _check_lock(lock: Path) -> None:
    """Refuses a file that only has the name of our lock: the note would be written over it."""
    if lock.exists() and not (lock.is_file() and _NOTE.fullmatch(read_file(lock, _NOTE_BYTES + 1))):
        raise StoreError(N_("{path} is another program's file: choose another name for the database."), path=str(lock))


def _locked(lock: Path, where: Path) -> tuple[IO[bytes], bool]:
    """The locked file, and whether it was made for this."""
    made = False
    while True:
        try:
            made = create_private(lock) or made
            file = lock.open("r+b")
        except OSError as error:
            raise _unwritable(lock, error) from error
        _try_to_lock(file, where)
        if lock.exists() and os.path.samestat(os.fstat(file.fileno()), lock.stat()):
            return file, made
        file.close()  # its owner has just withdrawn it


def _unwritable(lock: Path, error: OSError) -> StoreError:
    return StoreError(N_("{path} cannot be written: {reason}."), path=str(lock), reason=reason_of(error))


def _try_to_lock(file: IO[bytes], where: Path) -> None:
    try:
        _lock_now(file)
    except BlockingIOError as error:
        pid = next(iter(_words(file.read(_NOTE_BYTES))), "?")
        file.close()
        raise StoreError(
            N_("Another server (process {pid}) is using {where}: stop it, or use another file with --database."),
            pid=pid,
            where=str(where),
        ) from error
    except OSError as error:  # perhaps a network file system: better to serve without the lock than not at all
        told = "%s cannot be locked (%s): do not start a second server on this database."
        _log.warning(told, file.name, error.strerror)


def _lock_now(file: IO[bytes]) -> None:
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 - there is no flock on Windows

        try:
            file.seek(100)  # locked bytes cannot be read, and the process id is at the beginning
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError as error:
            file.seek(0)
            raise BlockingIOError from error
        file.seek(0)
    else:
        import fcntl  # noqa: PLC0415

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
