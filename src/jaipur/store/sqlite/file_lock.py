"""A server has its database file to itself.

Its memory is a cache of the log, so a second server on the same file would show outdated tables. A server therefore
locks a file beside the database; the operating system releases the lock when the process ends, however it ends. The
lock file names the process, and says whether the database is being replaced by a copy.
"""

import errno
import logging
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from jaipur.files import create_private, make_folder, may_write, read_file, reason_of
from jaipur.rules.errors import N_
from jaipur.store.writing.write_queue import StoreError

_log = logging.getLogger(__name__)
_NOTE_BYTES = 90
"""The length of the note in the lock file: always the same, so that one write replaces it."""
_NOTE = re.compile(rb"(\d+( \w+)*)? *|\0+")
"""What a lock file may hold, also from earlier versions; after a power cut, nothing but zeros."""
_REPLACING = "replacing"
ANOTHERS = N_("{path} is another program's file: choose another name for the database.")


class FileLock:
    """Reserves a database file for one server until it is released. A symbolic link counts as the file it points to."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        make_folder(self.path.parent)
        lock = _lock_of(self.path)
        _check_lock(lock)
        self._file, made = _locked(lock, path)
        self._made = lock if made else None
        try:
            self._note(_replacing(lock))
        except OSError as error:
            self.withdraw()
            raise _unwritable(lock, error) from error

    @contextmanager
    def replacing(self) -> Iterator[None]:
        """Notes that the file and its log are being replaced, so that neither is trusted after an interruption."""
        self._made = None
        self._note(True)
        yield
        self._note(False)

    def _note(self, replacing: bool) -> None:
        self._file.seek(0)
        self._file.write(f"{os.getpid()} {_REPLACING if replacing else ''}".encode().ljust(_NOTE_BYTES))
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
    """Refuses a file whose replacement was interrupted."""
    file = path.resolve()
    if _replacing(_lock_of(file)):
        raise StoreError(N_("Restoring {where} was interrupted: use jaipur restore again."), where=str(file))


def check_free(path: Path) -> None:
    """Refuses a file that cannot be reserved now, and changes nothing."""
    file = path.resolve()
    lock = _lock_of(file)
    _check_lock(lock)
    try:
        if lock.exists():
            with lock.open("r+b") as opened:
                _try_to_lock(opened, path)
        elif file.parent.exists() and not may_write(file.parent):
            raise PermissionError(errno.EACCES, "")
    except OSError as error:
        raise _unwritable(lock, error) from error


def _lock_of(file: Path) -> Path:
    return file.with_name(file.name + ".lock")


def _replacing(lock: Path) -> bool:
    """Whether a lock file's note says so. Earlier versions noted other things, too."""
    return lock.is_file() and _words(lock.read_bytes())[1:] == [_REPLACING]


def _words(note: bytes) -> list[str]:
    return note[:_NOTE_BYTES].decode(errors="replace").split()


def _check_lock(lock: Path) -> None:
    """Refuses a file that only has the name of our lock: the note would be written over it."""
    if lock.exists() and not (lock.is_file() and _NOTE.fullmatch(read_file(lock, _NOTE_BYTES + 1))):
        raise StoreError(ANOTHERS, path=str(lock))


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
        warning = "%s cannot be locked (%s): do not start a second server on this database."
        _log.warning(warning, file.name, error.strerror)


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
