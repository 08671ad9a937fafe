"""Everything that a path can be when somebody gives it as a database."""

import functools
import os
import shutil
import socket
import sqlite3
import struct
import tempfile
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from alembic import command
from sqlalchemy import create_engine

from jaipur.store import Store
from jaipur.store.database import _migrations
from jaipur.store.sqlite.recognition import APPLICATION_ID, FIRST_TABLES
from jaipur.table import GameKind, Seating, Tables

REVISIONS = [f"{number:04}" for number in range(1, 8)]
"""Of the versions that did not write into the header whose file it is."""
PAGE = 4096
GAME = ("game1", "bot", "5a" * 32, 0, 1_700_000_000_000)

FILLS = frozenset({"serve", "restore to", "move to"})
READS = frozenset({"serve", "list", "block", "backup", "check", "restore from", "move from"})
OURS = READS | {"restore to"}
KEPT = frozenset({"backup", "restore from", "restore to"})
"""What works without opening it for writing."""
UNSEEN = frozenset({"list", "block", "restore to"})
"""What works as long as nobody reads what is damaged."""


@dataclass(frozen=True)
class Kind:
    """Makes a path of some kind in a folder. `works` are the commands that accept it; all others refuse it."""

    make: Callable[[Path], None]
    works: frozenset[str] = frozenset()
    by_others: bool = False
    """Whether the command is run by somebody who does not own the file."""


def sql(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def bytes_made(make: Callable[[Path], None]) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder) / "made")
        return (Path(folder) / "made").read_bytes()


@functools.cache
def present() -> bytes:
    """A database with a game, as this version leaves it."""

    def make(path: Path) -> None:
        store = Store.alone(str(path))
        Tables(store).create(Seating(GameKind.BOT, ("Ann", "Trader"), (None, "trader"), ("holder", None)))
        store.close()

    return bytes_made(make)


@functools.cache
def earlier(revision: str) -> bytes:
    """A database with a game, as an earlier version left it."""

    def make(path: Path) -> None:
        migrate(path, revision)
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("INSERT INTO games (id, kind, seed, watchable, created) VALUES (?, ?, ?, ?, ?)", GAME)
            connection.execute("INSERT INTO seats (game, seat, name, level) VALUES ('game1', 0, 'Ann', 'trader')")
            connection.execute("INSERT INTO seats (game, seat, name, level) VALUES ('game1', 1, 'Bob', 'pedlar')")

    return bytes_made(make)


def migrate(path: Path, revision: str) -> None:
    engine, config = create_engine(f"sqlite:///{path}"), _migrations()
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        connection.exec_driver_sql("PRAGMA application_id=0")
    engine.dispose()


def write(path: Path, data: bytes, mode: int = 0o644) -> None:
    path.write_bytes(data)
    path.chmod(mode)


def data(make: Callable[[], bytes], mode: int = 0o644) -> Callable[[Path], None]:
    return lambda path: write(path, make(), mode)


def database(*statements: str) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        sql(path, *statements)
        path.chmod(0o664)

    return make


def killed(statements: Callable[[], Iterable[str]], named: bool = False, torn: bool = False) -> Callable[[Path], None]:
    """Left by a program that was killed with everything still in the log, perhaps by a power cut during the merge."""

    def make(path: Path) -> None:
        first = [f"PRAGMA application_id={APPLICATION_ID if named else 0}", "PRAGMA journal_mode=WAL"]
        with tempfile.TemporaryDirectory() as folder, closing(sqlite3.connect(f"{folder}/running")) as connection:
            connection.isolation_level = None
            for statement in (*first, "PRAGMA wal_autocheckpoint=0", *statements()):
                connection.execute(statement)
            for part in ("", "-wal"):
                shutil.copyfile(f"{folder}/running{part}", f"{path}{part}")
        if torn:
            write(path, b"\xff" * PAGE)

    return make


def dumped(whole: bytes) -> list[str]:
    """What makes the same database again."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(as_rollback(whole))
        return [line for line in connection.iterdump() if line not in {"BEGIN TRANSACTION;", "COMMIT;"}]


def as_rollback(whole: bytes) -> bytes:
    """The same database without a log, as one in memory has to be."""
    return whole[:18] + b"\x01\x01" + whole[20:]


def begun(path: Path) -> None:
    """A new database when the power failed during the first write: nothing is sure, and the journal undoes it."""
    write(path, b"\xff" * PAGE)
    header = bytes.fromhex("d9d505f920a163d7") + struct.pack(">5I", 0, 1, 0, 512, PAGE)
    Path(f"{path}-journal").write_bytes(header.ljust(512, b"\0"))


def damaged(whole: bytes, table: str) -> bytes:
    """The first page of a table is overwritten."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(as_rollback(whole))
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", [table]).fetchone()
    return whole[: (page - 1) * PAGE] + b"\xff" * PAGE + whole[page * PAGE :]


def changed(whole: Callable[[], bytes], *statements: str) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        write(path, whole())
        sql(path, *statements)

    return make


def marked(path: Path) -> None:
    """Left by a killed server of an earlier version, which marked the file and its lock as in use."""
    changed(present, "PRAGMA user_version=2000000000")(path)
    path.with_name(path.name + ".lock").write_text("4711 1234567 2000000000".ljust(90))


def linked(make: Callable[[Path], None]) -> Callable[[Path], None]:
    def link(path: Path) -> None:
        make(path.with_name("linked"))
        path.symlink_to("linked")

    return link


def bound(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as bound_here:
        bound_here.bind(str(path))


def locked_by_another_program(path: Path) -> None:
    path.with_name(path.name + ".lock").write_text("[[package]]\nname = 'left alone'\n")


def closed(make: Callable[[Path], object]) -> Callable[[Path], None]:
    """In a folder where nothing can be added."""

    def shut(path: Path) -> None:
        make(path)
        path.parent.chmod(0o555)

    return shut


def beside(make: Callable[[Path], object], ending: str, also: Callable[[Path], object]) -> Callable[[Path], None]:
    """With something that only has the name of one of the database's parts."""

    def make_both(path: Path) -> None:
        make(path)
        also(path.with_name(path.name + ending))

    return make_both


def nothing(_path: Path) -> None:
    pass


ALEMBIC = "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)"
BOOKMARKS = ("CREATE TABLE bookmarks (id, url)", "INSERT INTO bookmarks VALUES (1, 'https://example.org')")
CLASHING = [f"CREATE TABLE {table} (id, title)" for table in FIRST_TABLES if table != "alembic_version"]
NEWER = ("CREATE TABLE chats (id)", "UPDATE alembic_version SET version_num = '9999'")
TEXT = b"Dear Maharaja, " * 100

NOTES = data(lambda: b"notes\n")

KINDS = {
    "nothing": Kind(nothing, FILLS),
    "empty": Kind(data(bytes, 0o664), FILLS),
    "link to nothing": Kind(lambda path: path.symlink_to("linked"), FILLS),
    "link to empty": Kind(linked(data(bytes, 0o640)), FILLS),
    "nothing, its lock another's": Kind(locked_by_another_program),
    "nothing, in a closed folder": Kind(closed(nothing), by_others=True),
    "nothing, notes as its log": Kind(beside(nothing, "-wal", NOTES)),
    "nothing, notes as its index": Kind(beside(nothing, "-shm", NOTES)),
    "empty, notes as its journal": Kind(beside(data(bytes), "-journal", NOTES)),
    "text": Kind(data(lambda: TEXT)),
    "one letter": Kind(data(lambda: b"J")),
    "program": Kind(data(lambda: b"#!/bin/sh\n", 0o755)),
    "folder": Kind(Path.mkdir),
    "pipe": Kind(os.mkfifo),
    "socket": Kind(bound),
    "link to text": Kind(linked(data(lambda: TEXT))),
    "link to folder": Kind(linked(Path.mkdir)),
    "link to pipe": Kind(linked(os.mkfifo)),
    "link to itself": Kind(lambda path: path.symlink_to(path.name)),
    "foreign": Kind(database(*BOOKMARKS)),
    "foreign, marked": Kind(database(*BOOKMARKS, "PRAGMA user_version=7")),
    "foreign, named": Kind(database(*BOOKMARKS, "PRAGMA application_id=7")),
    "foreign, named, in our tables": Kind(changed(present, "PRAGMA application_id=7")),
    "foreign, with a log": Kind(database("PRAGMA journal_mode=WAL", *BOOKMARKS)),
    "foreign, killed": Kind(killed(lambda: BOOKMARKS)),
    "foreign, killed, marked": Kind(killed(lambda: (*BOOKMARKS, "PRAGMA user_version=7"))),
    "foreign, without tables": Kind(database("PRAGMA user_version=7")),
    "foreign, of another alembic": Kind(database(*BOOKMARKS, ALEMBIC, "INSERT INTO alembic_version VALUES ('a1b2c3')")),
    "foreign, of our first revision": Kind(
        database(*BOOKMARKS, ALEMBIC, "INSERT INTO alembic_version VALUES ('0001')")
    ),
    "foreign, a table clashes": Kind(database("CREATE TABLE games (id, title)")),
    "foreign, all tables clash": Kind(database(*CLASHING, ALEMBIC, "INSERT INTO alembic_version VALUES ('0001')")),
    "foreign, linked": Kind(linked(database(*BOOKMARKS))),
    "ours": Kind(data(present), OURS),
    "ours, marked": Kind(marked, OURS),
    "ours, linked": Kind(linked(data(present)), OURS),
    "ours, killed": Kind(killed(lambda: dumped(present()), named=True), OURS),
    "ours, killed while merging": Kind(killed(lambda: dumped(present()), named=True, torn=True), OURS),
    "ours, begun": Kind(begun, FILLS),
    "ours, unreadable": Kind(data(present, 0o000), by_others=True),
    "ours, not to be written": Kind(data(present, 0o444), KEPT, by_others=True),
    "ours, in a closed folder": Kind(closed(data(present, 0o666)), KEPT - FILLS, by_others=True),
    "ours, a folder as its log": Kind(beside(data(present), "-wal", Path.mkdir)),
    "ours, without its version": Kind(changed(present, "DELETE FROM alembic_version"), KEPT),
    "ours, cut off": Kind(data(lambda: present()[:5000]), frozenset({"restore to"})),
    "ours, only the header": Kind(data(lambda: present()[:100]), frozenset({"restore to"})),
    "ours, damaged header": Kind(data(lambda: b"\xff" * 100 + present()[100:])),
    "ours, damaged table": Kind(data(lambda: damaged(present(), "people")), UNSEEN),
    "ours, without a version": Kind(changed(present, "DROP TABLE alembic_version"), frozenset({"restore to"})),
    "ours, newer": Kind(changed(present, *NEWER), KEPT),
    "ours, newer, a backup": Kind(changed(present, *NEWER, "PRAGMA journal_mode=DELETE"), KEPT),
    "earlier, cut off": Kind(data(lambda: earlier("0001")[:5000])),
    "earlier, damaged table": Kind(data(lambda: damaged(earlier("0002"), "people")), UNSEEN),
    "earlier, without a version": Kind(changed(lambda: earlier("0005"), "DROP TABLE alembic_version")),
    "earlier, newer": Kind(changed(lambda: earlier("0007"), *NEWER), KEPT),
    "earlier, killed": Kind(killed(lambda: dumped(earlier("0007"))), OURS),
    "earlier, killed while merging": Kind(killed(lambda: dumped(earlier("0003")), torn=True), OURS),
} | {f"earlier, {revision}": Kind(data(functools.partial(earlier, revision), 0o664), OURS) for revision in REVISIONS}
