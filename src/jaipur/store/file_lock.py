"""A server has its database file to itself, and says so in it, so that a half of it is not taken for the whole.

What a server holds in memory is a cache of the log, and listeners hear of events in their own process: a second server
on the same file would show old tables. So a server locks a file beside the database. The system lets go of the lock
when the process ends, in whatever way.

While a server runs, the newest games are in a second file, the write-ahead log (`-wal`). A copy of the first file alone
is an old state, or an empty one. Therefore the file says in `user_version` that it is in use, and as which inode: a
copy is another inode, and if its log is missing too, it is refused. A file that is at its place without a log is good:
another program has opened it after a crash and has brought it up to date.
"""

import logging
import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import IO

from jaipur.files import make_folder, make_private
from jaipur.rules.errors import N_
from jaipur.store.write_queue import StoreError

_log = logging.getLogger(__name__)
_CLOSED = 0
_INODES = 2**31 - 1


class FileLock:
    """A database file for one server alone, until it is released."""

    def __init__(self, path: Path) -> None:
        self.path = path
        make_folder(path.absolute().parent)
        self._file = _locked(_beside(path, ".lock"), path)

    def mark(self) -> None:
        """Writes into the file itself that it is in use; until it is closed, a copy of it alone is incomplete."""
        _write_mark(self.path, _mark_of(self.path))

    def close(self) -> None:
        """Everything is in the one file again, and the next server may come."""
        _write_mark(self.path, _CLOSED)
        self.release()

    def release(self) -> None:
        """Lets the next server come. The lock file stays: whoever removed it could remove somebody else's."""
        self._file.close()


def check_whole(path: Path) -> None:
    """Refuses a copy of a file that was in use when its log was not copied with it."""
    if not path.is_file() or not path.stat().st_size or _beside(path, "-wal").exists():
        return
    mark = _read_mark(path)
    if mark not in {_CLOSED, _mark_of(path)}:
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


def _mark_of(path: Path) -> int:
    return path.stat().st_ino % _INODES + 1


def _read_mark(path: Path) -> int:
    """Read from the bytes, since opening the database could change it."""
    with path.open("rb") as file:
        head = file.read(64)
    return int.from_bytes(head[60:64], "big") if head.startswith(b"SQLite format 3") else _CLOSED


def _write_mark(path: Path, mark: int) -> None:
    """Into the first of the two files: that is what a checkpoint does."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA user_version={mark}")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _locked(lock: Path, where: Path) -> IO[bytes]:
    make_private(lock)
    file = lock.open("r+b")
    try:
        _lock_now(file)
    except BlockingIOError as error:
        pid = file.read(20).decode(errors="replace").strip() or "?"
        file.close()
        raise StoreError(
            N_("Another server (process {pid}) is using {where}: stop it, or use another file with --database."),
            pid=pid,
            where=str(where),
        ) from error
    except OSError as error:  # a network file system, perhaps: better to serve without the lock than not at all
        _log.warning("%s cannot be locked (%s): do not start a second server on this database.", lock, error.strerror)
        return file
    file.truncate(0)
    file.write(str(os.getpid()).encode())
    file.flush()
    return file


def _lock_now(file: IO[bytes]) -> None:
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 - there is no flock on Windows

        try:
            file.seek(100)  # a locked part cannot be read, and the number of the process is at the beginning
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError as error:
            file.seek(0)
            raise BlockingIOError from error
        file.seek(0)
    else:
        import fcntl  # noqa: PLC0415

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
