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
from jaipur.store.sqlite.file_lock import ANOTHERS
from jaipur.store.writing.write_queue import StoreError

APPLICATION_ID = int.from_bytes(b"Jaip", "big")
_MAGIC = b"SQLite format 3\0"
_ID = slice(68, 72)
"""Where the header has the id."""
_LOGS = ("-wal", "-journal")
_PARTS = {
    "-wal": (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83"),
    "-shm": (b"\x00\x2d\xe2\x18", b"\x18\xe2\x2d\x00"),
    "-journal": (b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7",),
}
"""How the files begin that SQLite keeps beside a database; until they are on the disk, perhaps with zeros."""
_LONGEST_MAGIC = 8
VERSIONS = "alembic_version"
FIRST_TABLES = {
    "games": {"id", "kind", "seed", "watchable", "created"},
    "seats": {"game", "seat", "name", "level", "holder"},
    "invites": {"token", "game", "seat"},
    "events": {"game", "number", "seat", "kind", "text", "key", "at"},
    "results": {"game", "winner", "seals", "at"},
    VERSIONS: {"version_num"},
}
"""What the first version of the schema had, and every later one has."""
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
        there = _holds_something(path)
        _check_parts(path.resolve(), there)
        verdict = _recognised(path.resolve()) if there else _Verdict.NOTHING
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


def _check_parts(path: Path, there: bool) -> None:
    """Refuses what only has the name of a part: SQLite would remove it together with that of a database before."""
    for ending, magics in _PARTS.items():
        part = path.with_name(path.name + ending)
        if _holds_something(part) and not there:
            with part.open("rb") as file:
                begins = file.read(_LONGEST_MAGIC)
            if begins.strip(b"\0") and not begins.startswith(magics):
                raise StoreError(ANOTHERS, path=str(part))


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
            if not _number(connection, "page_count"):
                return _Verdict.NOTHING
            program = _number(connection, "application_id")
            if program:
                return _Verdict.OURS if program == APPLICATION_ID else _Verdict.OTHERS
            return _by_tables(connection)
    except sqlite3.Error:
        return _Verdict.UNKNOWN


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])


def _by_tables(connection: sqlite3.Connection) -> _Verdict:
    tables, first = tables_of(connection), FIRST_TABLES.keys()
    if not tables or first - tables == {VERSIONS}:
        return _Verdict.UNKNOWN
    ours = first <= tables and all(
        columns <= {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
        for table, columns in FIRST_TABLES.items()
    )
    return _Verdict.OURS if ours else _Verdict.OTHERS


def tables_of(connection: sqlite3.Connection) -> set[str]:
    """The names of the tables in an SQLite file."""
    return {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
