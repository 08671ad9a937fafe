"""PostgreSQL as the database: what can go wrong, moving to it and back, and the processes of `jaipur serve`."""

import contextlib
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from alembic import command as command_of_alembic
from alembic.config import Config
from sqlalchemy import BigInteger, Integer, Table, insert, select, update

from jaipur.programs import ends_with_us
from jaipur.rules.errors import JaipurError
from jaipur.server.run.bot_process import open_shared
from jaipur.store import Store, StoreError, Taken, database, open_database
from jaipur.store.administration import Administration, OperationKind
from jaipur.store.postgres import transfer
from jaipur.store.schema import metadata, operations
from jaipur.table import Tables
from tests.support.postgres import Databases
from tests.support.program import PATIENCE
from tests.support.served import TOKEN, Served, wait_for
from tests.support.server import (
    BOT,
    ME,
    ONE_SCREEN,
    PEOPLE,
    everything,
    folded,
    hosted,
    new_tables,
    play_match,
    play_some,
)
from tests.support.terminal import environment
from tests.support.terminal import jaipur as command

pytestmark = pytest.mark.slow
IMPATIENT = "-c%20idle_in_transaction_session_timeout=100"


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("postgresql://ann:secret@127.0.0.1:1/games", "cannot be reached"),
        ("postgres://ann:secret@127.0.0.1:1/games", "cannot be reached"),
        ("postgresql+other://ann:secret@127.0.0.1/games", "is not a database"),
        ("mysql://ann:secret@127.0.0.1/games", "is not a database"),
        ("postgresql://ann:secret@127.0.0.1:port/games", "is not a database"),
    ],
)
def test_an_address_that_leads_nowhere_is_one_sentence_without_the_password(address: str, reason: str) -> None:
    with pytest.raises(StoreError, match=reason) as refused:
        open_database(address)
    assert "secret" not in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_database_that_is_not_there(postgres: Databases) -> None:
    with pytest.raises(StoreError, match=r"There is no database .*createdb"):
        open_database(postgres.cluster.address("nowhere"))


def test_what_takes_several_statements_is_done_as_one(address: str) -> None:
    store = Store(open_database(address))
    row = {"number": 1, "kind": "close", "about": "game", "at": 1}
    with contextlib.suppress(Taken), store.writing() as connection:
        for _twice in range(2):
            connection.execute(insert(operations), row)
    with store.reading() as connection:
        assert connection.execute(select(operations)).all() == []
    store.close()


def test_an_update_of_the_schema_that_fails_leaves_nothing(
    postgres: Databases, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(config: Config, _version: str) -> None:
        config.attributes["connection"].exec_driver_sql("CREATE TABLE half (number int)")
        raise StoreError("The disk is full.")

    name = postgres.cluster.new_database()
    monkeypatch.setattr(command_of_alembic, "upgrade", fails)
    with pytest.raises(StoreError):
        open_database(postgres.cluster.address(name))
    assert postgres.cluster.execute("SELECT to_regclass('half')", name) == [(None,)]


@pytest.mark.parametrize("versions", [["0001"], ["a1b2c3"], ["a1b2c3", "d4e5f6"]])
def test_a_database_of_another_program_is_left_alone(postgres: Databases, versions: list[str]) -> None:
    name = postgres.cluster.new_database()
    postgres.cluster.execute("CREATE TABLE alembic_version (version_num varchar(32))", name)
    for version in versions:
        postgres.cluster.execute(f"INSERT INTO alembic_version VALUES ('{version}')", name)
    with pytest.raises(StoreError, match=r"is not a Jaipur database\.$"):
        open_database(postgres.cluster.address(name))
    tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
    assert postgres.cluster.execute(tables, name) == [("alembic_version",)]


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(JaipurError, match=r"install '\.\[postgres\]' in"):
        open_database("postgresql://127.0.0.1/games")


def test_an_id_that_cannot_be_stored_is_no_game(address: str) -> None:
    store = Store(open_database(address))
    assert store.game("\0") is None
    assert store.game("é" * 1000) is None
    store.close()


def test_while_the_database_is_away_people_are_told_to_wait(postgres: Databases, address: str) -> None:
    """A sentence asks them to wait; connections that were cut are replaced, and the same request is then accepted."""
    tables = Tables(Store(open_database(address)))
    table = tables.create(PEOPLE)
    postgres.cluster.end()
    try:
        with pytest.raises(StoreError, match="is not answering at the moment"):
            tables.move(table, table.turn or 0, 0, table.match.round.legal_moves()[0], "key")
    finally:
        postgres.cluster.start()
    after = tables.move(table, table.turn or 0, 0, table.match.round.legal_moves()[0], "key")
    assert after.number == len(tables.store.events(table.game.id)) == 1
    tables.store.close()


def rows(path: Path) -> list[str]:
    """Everything in a file except the order of its rows."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return sorted(line for line in connection.iterdump() if line.startswith("INSERT"))


@pytest.fixture(name="path")
def _path(tmp_path: Path) -> Path:
    """A database with games of all kinds, and rows in every table."""
    with new_tables(tmp_path) as tables:
        play_match(tables, tables.create(ONE_SCREEN).game.id)
        play_match(tables, game := tables.create(PEOPLE).game.id)
        play_some(tables, tables.create(BOT).game.id, 5)
        hosted(tables)
        with tables.store.writing() as connection:
            for table in metadata.sorted_tables:
                if connection.execute(select(table)).first() is None:
                    connection.execute(insert(table), [made_up(table, number, game) for number in (1, 2, 3)])
    return tmp_path / "games.sqlite3"


def made_up(table: Table, number: int, game: str) -> dict[str, object]:
    """A row for a table, different for each number."""
    return {
        column.key: game if column.foreign_keys
        else 2**40 + number if isinstance(column.type, BigInteger)
        else number if isinstance(column.type, Integer)
        else f"“é{number}”\n"
        for column in table.c
    }  # fmt: skip


def test_games_are_carried_over_and_back(
    path: Path, tmp_path: Path, postgres: Databases, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfer, "_AT_ONCE", 2)
    there = command("move-database", str(path), address, games=tmp_path)
    assert (there.returncode, there.stdout.startswith("4 games are now in postgresql://")) == (0, True), there.stderr
    new = tmp_path / "again.sqlite3"
    assert command("move-database", address, str(new), games=tmp_path).returncode == 0
    assert rows(new) == rows(path)
    tables = Tables(Store(open_database(address)))
    for game in tables.store.game_ids():
        assert everything(tables.open(game)) == everything(folded(tables, game))
    play_some(tables, tables.create(PEOPLE, ME).game.id, 3)
    Administration(tables.store).note(OperationKind.CLOSE, "game", 1)
    assert [operation.number for operation in Administration(tables.store).operations()] == [1, 2, 3, 4]
    tables.store.close()


def test_nothing_is_written_into_a_database_with_games(path: Path, tmp_path: Path, address: str) -> None:
    tables = Tables(Store(open_database(address)))
    tables.create(PEOPLE)
    tables.store.close()
    before = rows(path)
    for source, target in ((str(path), address), (address, str(path))):
        refused = command("move-database", source, target, games=tmp_path)
        assert refused.returncode == 1
        assert "has games already" in refused.stderr
        assert len(refused.stderr.strip().splitlines()) == 1
    assert rows(path) == before


@pytest.mark.parametrize("table", metadata.sorted_tables, ids=str)
def test_whatever_arrives_changed_is_noticed(
    path: Path, address: str, monkeypatch: pytest.MonkeyPatch, table: Table
) -> None:
    """As if a row had been corrupted on the way."""
    column = [column for column in table.c if not column.primary_key and not column.foreign_keys][-1]
    other = 5 if isinstance(column.type, Integer) else "5"
    old, new = Store(open_database(str(path))), Store(open_database(address))
    count = transfer._settle_in

    def spoil(connection: object) -> None:
        count(connection)  # type: ignore[arg-type]
        first = connection.execute(select(*table.primary_key)).first()  # type: ignore[attr-defined]
        here = [key == value for key, value in zip(table.primary_key, first, strict=True)]
        connection.execute(update(table).where(*here).values({column: other}))  # type: ignore[attr-defined]

    monkeypatch.setattr(transfer, "_settle_in", spoil)
    with pytest.raises(StoreError, match=r"did not arrive as it was|Not everything arrived"):
        transfer.move_database(old, new)
    old.close()
    new.close()


def test_what_is_copied_is_one_moment(path: Path, tmp_path: Path, address: str) -> None:
    """Somebody who writes into the source in the meantime, though nobody should, does no harm."""
    here, there = Store(open_database(str(path))), Store(open_database(address))
    transfer.move_database(here, there)
    back, writing = Store(open_database(str(tmp_path / "again.sqlite3"))), Tables(there)

    def write(_games: int) -> None:
        play_some(writing, writing.create(PEOPLE).game.id, 3)
        with there.writing() as connection:
            connection.execute(update(metadata.tables["people"]).values(name=str(_games)))

    transfer.move_database(there, back, write)
    for store in (here, there, back):
        store.close()
    assert rows(tmp_path / "again.sqlite3") == rows(path)


def test_a_long_copy_is_not_cut_off(path: Path, tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Connections that sit idle in a transaction are normally ended after a while, but not these."""
    here = Store(open_database(str(path)))
    with monkeypatch.context() as patched:  # its schema is the newest, and looking at that may take long
        patched.setattr(database, "_bring_up_to_date", lambda *_: None)
        there = Store(open_database(f"{address}?options={IMPATIENT}"))
    transfer.move_database(here, there, lambda _games: time.sleep(0.5))
    back = Store(open_database(str(tmp_path / "again.sqlite3")))
    transfer.move_database(there, back, lambda _games: time.sleep(0.5))
    for store in (here, there, back):
        store.close()


def move_once(served: Served, game: str) -> int:
    """Plays a move for the person, and returns the number of its event."""
    seen = served.get(f"/api/games/{game}", TOKEN)
    wish = {"move": seen["legal"][0], "ply": seen["ply"]}
    return int(served.post(f"/api/games/{game}/moves", TOKEN, wish).raise_for_status().json()["number"])


def my_turn(served: Served, game: str) -> bool:
    with contextlib.suppress(httpx.TransportError, httpx.HTTPStatusError):
        return bool(served.get(f"/api/games/{game}", TOKEN)["legal"])
    return False


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are looked up in /proc")
def test_a_process_that_dies_is_started_again_and_none_outlives_the_parent(tmp_path: Path, address: str) -> None:
    options = ("--database", address, "--processes", "2", "--bot-workers", "1", "--pause", "0", "--rate", "0")
    with Served(tmp_path / "log", *options) as served:
        game = served.post("/api/games", TOKEN, {"kind": "bot", "level": "pedlar"}).json()["game"]
        wait_for(lambda: my_turn(served, game))
        wait_for(lambda: len(workers_of(served)) == 3)  # the list may miss some while processes come and go
        before = workers_of(served)
        for pid in before:
            os.kill(pid, signal.SIGKILL)
            wait_for(lambda: len(set(served.helpers()) - {pid}) >= len(before))  # noqa: B023
        wait_for(lambda: my_turn(served, game))
        number = move_once(served, game)
        wait_for(lambda: my_turn(served, game))
        assert served.get(f"/api/games/{game}", TOKEN)["number"] > number
        assert not set(before) & set(served.helpers())
        moves = re.search(r"^jaipur_bot_wait_seconds_count ([0-9]+)", served.client.get("/metrics").text, re.M)
        assert moves is not None
        assert int(moves[1]) >= 1  # of another process than the one that answers
        assert served.end(signal.SIGTERM) == 0
        assert "Traceback" not in served.errors.read_text()
    wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in served.left))


def workers_of(served: Served) -> list[int]:
    return [pid for pid in served.helpers() if "spawn_main" in cmdline(pid)]  # not multiprocessing's resource tracker


def cmdline(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")


def test_sqlite_is_for_one_process_and_says_so(tmp_path: Path) -> None:
    command_line = ("serve", "--port", "0", "--database", str(tmp_path / "games.sqlite3"))
    with Served(tmp_path / "games.sqlite3", "--bot-workers", "1", "--processes", "3") as served:
        assert served.client.get("/").status_code == 200
        assert "SQLite is for one process" in served.errors.read_text()
    refused = command(*command_line, "--bot-workers", "0", games=tmp_path)
    assert "With SQLite bots think in the server" in refused.stderr
    refused = command("think", "--database", str(tmp_path / "games.sqlite3"), games=tmp_path)
    assert "only with PostgreSQL" in refused.stderr


def test_bot_workers_find_the_database_by_the_variable(tmp_path: Path, address: str) -> None:
    chosen = environment(tmp_path) | {"JAIPUR_DATABASE": address}
    thinking = subprocess.Popen(
        [sys.executable, "-m", "jaipur", "think", "--bot-workers", "1"],
        env=chosen,
        stdout=subprocess.PIPE,
        text=True,
        **ends_with_us(),
    )
    try:
        assert thinking.stdout is not None
        assert "Bots think for postgresql://" in thinking.stdout.readline()
    finally:
        thinking.terminate()
        thinking.communicate(timeout=PATIENCE)


def test_a_file_for_bot_workers_is_refused_before_it_is_made(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="only with PostgreSQL"):
        open_shared(str(tmp_path / "games.sqlite3"))
    assert not list(tmp_path.iterdir())
