"""Reading and writing files so that nothing is lost, and what goes wrong is one sentence."""

import os
import tempfile
from pathlib import Path

from jaipur.core.errors import N_, JaipurError

PathLike = str | os.PathLike[str]


def read_file(path: PathLike, most: int = -1) -> bytes:
    """The bytes of a file, or its first `most` bytes."""
    try:
        with Path(path).open("rb") as file:
            return file.read(most)
    except (OSError, ValueError) as error:
        raise _failed(N_("{path} cannot be read: {reason}."), path, error) from error


def write_file(path: PathLike, data: bytes) -> None:
    """Writes a file; whatever happens, it is then whole: the old one or the new one."""
    target = Path(path)
    try:
        with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as file:
            try:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
                Path(file.name).replace(target)
            except BaseException:
                Path(file.name).unlink()
                raise
    except (OSError, ValueError) as error:
        raise _failed(N_("{path} cannot be written: {reason}."), path, error) from error


def make_folder(path: Path) -> None:
    """Makes a folder and those above it, where they are missing."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _failed(N_("{path} cannot be written: {reason}."), path, error) from error


def _failed(sentence: str, path: PathLike, error: Exception) -> JaipurError:
    reason = getattr(error, "strerror", None) or str(error)
    return JaipurError(sentence, path=os.fspath(path), reason=reason)
