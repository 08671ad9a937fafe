"""Reading and writing files so that nothing is lost, and every error is one sentence."""

import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jaipur.rules.errors import N_, JaipurError

_OWNER_ONLY, _OWNER_ONLY_FOLDER = 0o600, 0o700
_REASONS = {
    errno.ENOENT: N_("No such file or directory"),
    errno.EACCES: N_("Permission denied"),
    errno.EPERM: N_("Operation not permitted"),
    errno.EISDIR: N_("Is a directory"),
    errno.ENOTDIR: N_("Not a directory"),
    errno.ENOSPC: N_("No space left on device"),
    errno.EROFS: N_("Read-only file system"),
    errno.ENAMETOOLONG: N_("File name too long"),
    errno.EADDRINUSE: N_("Address already in use"),
}
_UNWRITABLE = N_("{path} cannot be written: {reason}.")
PathLike = str | os.PathLike[str]


@contextmanager
def _explained(sentence: str, path: PathLike) -> Iterator[None]:
    """Says what went wrong with a file."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise JaipurError(sentence, path=os.fspath(path), reason=reason_of(error)) from error


def read_file(path: PathLike, most: int = -1) -> bytes:
    """The bytes of a file, or its first `most` bytes."""
    with _explained(N_("{path} cannot be read: {reason}."), path), Path(path).open("rb") as file:
        return file.read(most)


def check_regular(path: Path) -> os.stat_result:
    """Refuses a pipe, which would let its reader wait, and whatever else is there but no file."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise JaipurError(N_("{path} is not a regular file: choose another one."), path=str(path))
    return status


def write_file(path: PathLike, data: bytes) -> None:
    """Writes a file; whatever happens, the file is afterwards either the old one or the new one, complete."""
    target = Path(path)
    with _explained(_UNWRITABLE, path), tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as file:
        try:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            Path(file.name).replace(target)
        except BaseException:
            Path(file.name).unlink()
            raise


def check_writable(path: Path) -> None:
    """Complains now if a file cannot be written later, when the work for it is done."""
    with _explained(_UNWRITABLE, path):
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, "")
        tempfile.NamedTemporaryFile(dir=path.parent).close()


def make_folder(path: Path) -> None:
    """Makes a folder private to its owner, unless it exists, and any missing ones above it."""
    with _explained(_UNWRITABLE, path):
        path.mkdir(mode=_OWNER_ONLY_FOLDER, parents=True, exist_ok=True)


def create_private(path: Path) -> bool:
    """Creates a file that is private to its owner from the start. Returns whether it did: an existing file stays."""
    with _explained(_UNWRITABLE, path):
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _OWNER_ONLY))
        except FileExistsError:
            return False
    return True


def may_write(path: Path) -> bool:
    """Whether this process may write to a file."""
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def sync_folder(path: Path) -> None:
    """Flushes the names of a folder's files to the disk, on systems where a folder can be opened for that."""
    if os.name == "posix":
        folder = os.open(path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def reason_of(error: Exception) -> str:
    """What the system complains about, in English; common complaints have the same words on every system."""
    known = _REASONS.get(error.errno or 0) if isinstance(error, OSError) else None
    return known or getattr(error, "strerror", None) or str(error)
