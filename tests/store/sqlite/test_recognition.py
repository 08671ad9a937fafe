"""Whatever is given as a database either works or is refused in one sentence, and what is refused stays as it was."""

import os
import random
import re
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, Any

import pytest
from typer.main import get_command

from jaipur.cli.commands import app
from jaipur.rules.errors import JaipurError
from jaipur.store import Store, StoreError, database, open_database
from jaipur.store.sqlite import file_lock, recognition
from jaipur.store.sqlite.backup import back_up
from jaipur.store.sqlite.recognition import APPLICATION_ID, FIRST_TABLES
from tests.store.sqlite.kinds import FILLS, KINDS, REVISIONS, Kind, earlier, migrate, present, write

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="kinds and rights of files as on Linux")
NOBODY = 65534
IN_MEMORY = "/dev/shm"
COMMAND = get_command(app)


class Bench:
    """A path of some kind in a folder of its own, and another folder for what a command makes."""

    def __init__(self, folder: Path, kind: Kind) -> None:
        self.home, self.away = folder / "home", folder / "away"
        self.good = folder / "others" / "good"
        for part in (self.home, self.away, self.good.parent):
            part.mkdir()
        self.good.write_bytes(present())
        for part in (folder, self.home, self.away, self.good.parent, self.good):
            part.chmod(0o777)
        self.path = self.home / "games?100%.db"
        kind.make(self.path)


COMMANDS: dict[str, Callable[[Bench], list[str]]] = {
    "think": lambda bench: ["think", "--database", str(bench.path)],
    "list": lambda bench: ["games", "list", "--database", str(bench.path)],
    "block": lambda bench: ["games", "block", "203.0.113.7", "--database", str(bench.path)],
    "backup": lambda bench: ["backup", str(bench.away / "copy"), "--database", str(bench.path)],
    "check": lambda bench: ["check", "--database", str(bench.path)],
    "restore from": lambda bench: ["restore", str(bench.path), "--database", str(bench.away / "new")],
    "restore to": lambda bench: ["restore", str(bench.good), "--database", str(bench.path), "--replace"],
    "move from": lambda bench: ["move-database", str(bench.path), str(bench.away / "new")],
    "move to": lambda bench: ["move-database", str(bench.good), str(bench.path)],
}


def taken(folder: Path) -> dict[str, tuple[object, ...]]:
    """All that must not change of the files in a folder."""
    return {file.name: (*kept(file), contents(file)) for file in sorted(folder.iterdir())}


def kept(file: Path) -> tuple[int, ...]:
    found = file.lstat()
    return found.st_mode, found.st_ino, found.st_uid, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def contents(file: Path) -> object:
    if file.is_symlink():
        return file.readlink()
    return file.read_bytes() if file.is_file() else None


@contextmanager
def somebody_else(wanted: bool) -> Iterator[None]:
    """For root every file can be read and written. The real user changes too, since `os.access` asks for that one."""
    if not wanted or os.geteuid() != 0:
        yield
        return
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


def run(bench: Bench, act: str) -> None:
    if act == "serve":
        Store.alone(str(bench.path)).close()
    else:
        COMMAND.main(COMMANDS[act](bench), "jaipur", standalone_mode=False)


def refusal(act: Callable[[], None]) -> str:
    """The sentence with which something is refused, or nothing."""
    try:
        act()
    except JaipurError as error:
        return str(error)
    return ""


@pytest.fixture(name="folder")
def _folder() -> Iterator[Path]:
    """One that others may enter, unlike those of pytest; in memory, where that is possible, since much is synced."""
    with tempfile.TemporaryDirectory(dir=IN_MEMORY if Path(IN_MEMORY).is_dir() else None) as folder:
        yield Path(folder)


@pytest.mark.parametrize("act", ["serve", *COMMANDS])
@pytest.mark.parametrize("name", KINDS)
def test_every_kind_of_file_works_or_is_refused_and_stays_as_it_was(folder: Path, name: str, act: str) -> None:
    kind = KINDS[name]
    bench = Bench(folder, kind)
    before, others = taken(bench.home), taken(bench.good.parent)
    with somebody_else(kind.by_others):
        told = refusal(lambda: run(bench, act))
    if act in kind.works:
        assert told == ""
        assert rights(taken(bench.home)) >= rights(before)
        assert games(result(bench)) == (0 if (kind.works, act) == (FILLS, "serve") else 1)
    else:
        assert told.endswith(".")
        assert "\n" not in told
        assert taken(bench.home) == before
        assert taken(bench.good.parent) == others
        assert not list(bench.away.iterdir())


def result(bench: Bench) -> Path:
    """The database that a command has made or used."""
    return next((made for made in bench.away.iterdir() if made.suffix != ".lock"), bench.path)


def games(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("SELECT count(*) FROM games").fetchone()[0])


def rights(files: dict[str, tuple[object, ...]]) -> set[tuple[str, object]]:
    return {(name, mode) for name, (mode, *_) in files.items() if not name.endswith(("-wal", "-journal"))}


@pytest.mark.parametrize("seed", range(20))
def test_a_database_damaged_anywhere_works_or_is_refused_and_stays_as_it_was(tmp_path: Path, seed: int) -> None:
    chance, spoilt = random.Random(seed), bytearray(present() if seed % 2 else earlier("0003"))
    for _ in range(3):
        spoilt[chance.randrange((seed % 4 and len(spoilt)) or 100)] ^= 1 + chance.randrange(255)
    path = tmp_path / "games.sqlite3"
    write(path, bytes(spoilt))
    before = taken(tmp_path)
    if told := refusal(lambda: Store.alone(str(path)).close()):
        assert "\n" not in told
        assert taken(tmp_path) == before


def header_id(path: Path) -> int:
    return int.from_bytes(path.read_bytes()[68:72], "big")


@pytest.mark.parametrize("revision", REVISIONS)
def test_an_earlier_database_is_recognised_at_once_from_then_on(
    tmp_path: Path, revision: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.sqlite3"
    write(path, earlier(revision))
    assert header_id(path) == 0
    Store.alone(str(path)).close()
    assert header_id(path) == APPLICATION_ID
    monkeypatch.setattr(recognition, "_look", None)
    assert recognition.check_ours(path)
    assert games(path) == 1


def test_the_tables_of_the_first_version_are_those_of_the_first_migration(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    migrate(path, "0001")
    with closing(sqlite3.connect(path)) as connection:
        found = {
            table: {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
            for table in recognition.tables_of(connection)
        }
    assert found == FIRST_TABLES


def test_a_new_database_says_whose_it_is_before_anything_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And nobody else may read it at any moment, whatever the usual rights of new files are."""
    path, seen = tmp_path / "games.sqlite3", list[tuple[int, int]]()
    monkeypatch.setattr(
        database, "_bring_up_to_date", lambda *_: seen.append((header_id(path), path.stat().st_mode & 0o777))
    )
    usual = os.umask(0)
    try:
        open_database(str(path)).dispose()
    finally:
        os.umask(usual)
    assert seen == [(APPLICATION_ID, 0o600)]


def test_a_backup_says_whose_it_is(tmp_path: Path) -> None:
    write(tmp_path / "games.sqlite3", present())
    back_up(tmp_path / "games.sqlite3", tmp_path / "copy")
    assert header_id(tmp_path / "copy") == APPLICATION_ID


def test_a_database_that_cannot_be_made_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise StoreError("The disk is full.")

    monkeypatch.setattr(database, "_bring_up_to_date", fails)
    with pytest.raises(StoreError, match="full"):
        Store.alone(str(tmp_path / "games.sqlite3"))
    assert not list(tmp_path.iterdir())


def test_a_lock_that_was_withdrawn_in_the_meantime_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, lock_now, locked = tmp_path / "games.sqlite3", file_lock._lock_now, list[object]()

    def lock(file: IO[bytes]) -> None:
        if not locked:
            Path(f"{path}.lock").unlink()
        locked.append(file)
        lock_now(file)

    monkeypatch.setattr(file_lock, "_lock_now", lock)
    store = Store.alone(str(path))
    with pytest.raises(StoreError, match="Another server"):
        Store.alone(str(path))
    store.close()
    assert len(locked) == 3


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("sqlite:///file:{path}?uri=true", "is not a database"),
        ("sqlite://", "must be a file"),
        ("sqlite:///:memory:", "must be a file"),
        ("sqlite://machine/{path}", "must be a file"),
    ],
)
@pytest.mark.parametrize("opened", [open_database, Store.alone])
def test_an_address_that_leads_past_the_file_we_look_at_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str, told: str, opened: Callable[[str], object]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreError, match=told):
        opened(address.format(path=tmp_path / "games.sqlite3"))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("folder", "is not a regular file"),
        ("link to itself", "cannot be read: "),
        ("ours, unreadable", "cannot be read: Permission denied"),
        ("foreign, marked", "is not a Jaipur database."),
        ("foreign, of another alembic", "is not a Jaipur database."),
        ("foreign, without tables", "is too damaged to be recognised"),
        ("program", "is too damaged to be recognised"),
        ("ours, without a version", "is too damaged to be recognised"),
        ("ours, without its version", "is too damaged to be recognised"),
        ("earlier, without a version", "is too damaged to be recognised"),
        ("earlier, newer", "newer version of Jaipur"),
        ("ours, newer", "newer version of Jaipur"),
        ("ours, not to be written", "cannot be written"),
    ],
)
def test_the_sentence_is_true(folder: Path, name: str, told: str) -> None:
    bench = Bench(folder, KINDS[name])
    with somebody_else(KINDS[name].by_others):
        assert told in refusal(lambda: run(bench, "serve"))


def paths_of(command: Any) -> Iterator[Any]:
    """All arguments and options that are paths, of a command and of those in it."""
    for under in getattr(command, "commands", {}).values():
        yield from paths_of(under)
    for param in command.params:
        if param.type_descriptor.annotation is Path:
            yield pytest.param(command, param, id=f"{command.name} {param.name}")


@pytest.mark.parametrize(("command", "param"), list(paths_of(COMMAND)))
def test_a_path_that_may_not_be_read_gets_one_sentence(folder: Path, command: Any, param: Any) -> None:
    bench = Bench(folder, KINDS["ours, unreadable"])
    path, before = str(bench.path), taken(bench.home)
    given = [path] * sum(other.required for other in command.params)
    options = [] if param.required else [max(param.opts, key=len), path]
    with somebody_else(True):
        told = refusal(lambda: command.main([*given, *options], "jaipur", standalone_mode=False))
    assert re.search(r"^[^\n]+\.$", told)
    assert taken(bench.home) == before
