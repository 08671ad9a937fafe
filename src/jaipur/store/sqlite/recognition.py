"""Recognises a file as ours before anything is done to it: what is not ours stays as it is, to the byte.

The header of an SQLite file says whose it is (`application_id`). Files from before we wrote it there are known by their
tables. Whatever is open elsewhere is read without locks, so a file may be seen in the middle of a change, or as a crash
left it: its header then still says that it is ours, or else it is read again together with its log, both copied.

Never recognise a file that this process has open: closing any handle to a file releases all the locks that the process
holds on it.
"""

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from enum import Enum
from pathlib import Path

from jaipur.files import check_regular, reason_of
from jaipur.rules.errors import N_
from jaipur.store.writing.write_queue import StoreError

APPLICATION_ID = int.from_bytes(b"Jaip", "big")
_MAGIC = b"SQLite format 3\0"
_ID = slice(68, 72)
"""Where the header has the id."""
_LOGS = ("-wal", "-journal")
VERSIONS = "alembic_version"
FIRST_TABLES = {"games", "seats", "invites", "events", "results", VERSIONS}
"""Those of the first version of the schema, and of every later one."""
NOT_OURS = N_("{path} is not a Jaipur database.")
UNKNOWN = N_(
    "{path} is not a Jaipur database, or is too damaged to be recognised: move it away, or choose another file."
)


class _Verdict(Enum):
    """What a file is; the value is the sentence that refuses it, if any."""

    OURS = ""
    NOTHING = None
    """The very first change to a new file was interrupted, and undoing it leaves nothing."""
    OTHERS = NOT_OURS
    UNKNOWN = UNKNOWN


def check_ours(path: Path) -> bool:
    """Refuses anything but a database of ours. Returns whether there is one: a missing or empty file may become one."""
    try:
        verdict = _recognised(path.resolve()) if _holds_something(path) else _Verdict.NOTHING
    except (OSError, ValueError) as error:
        raise StoreError(N_("{path} cannot be read: {reason}."), path=str(path), reason=reason_of(error)) from error
    if verdict.value:
        raise StoreError(verdict.value, path=str(path))
    return verdict is _Verdict.OURS


def _holds_something(path: Path) -> bool:
    try:
        return check_regular(path).st_size > 0
    except FileNotFoundError:
        return False


def _recognised(path: Path) -> _Verdict:
    with path.open("rb") as file:
        header = file.read(_ID.stop)
    verdict = _Verdict.UNKNOWN
    if header.startswith(_MAGIC):
        if int.from_bytes(header[_ID], "big") == APPLICATION_ID:
            return _Verdict.OURS
        verdict = _look(path, "mode=ro&immutable=1")  # it is read without its log, and no file appears beside it
    if verdict is _Verdict.UNKNOWN:
        with copied(path) as copy:
            return verdict if copy is None else _look(copy, "mode=rw")
    return verdict


@contextmanager
def copied(path: Path) -> Iterator[Path | None]:
    """A copy of a file and its logs, which SQLite merges as it would after a crash; None if there are no logs."""
    parts = [ending for ending in _LOGS if _holds_something(path.with_name(path.name + ending))]
    if not parts:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="jaipur-") as folder:
        copy = Path(folder) / "copy"
        for ending in ("", *parts):
            shutil.copyfile(path.with_name(path.name + ending), copy.with_name(copy.name + ending))
        yield copy


def _look(path: Path, options: str) -> _Verdict:
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?{options}", uri=True)) as connection:
            (pages,) = connection.execute("PRAGMA page_count").fetchone()
            (program,) = connection.execute("PRAGMA application_id").fetchone()
            tables = tables_of(connection)
    except sqlite3.Error:
        return _Verdict.UNKNOWN
    if not pages:
        return _Verdict.NOTHING
    if not program and not tables:
        return _Verdict.UNKNOWN
    return _Verdict.OURS if program == APPLICATION_ID or (not program and tables >= FIRST_TABLES) else _Verdict.OTHERS


def tables_of(connection: sqlite3.Connection) -> set[str]:
    """The names of the tables in an SQLite file."""
    return {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
