"""What can be wrong with the database or the port: one sentence, exit code 1, no traceback, and nothing lost."""

import contextlib
import resource
import signal
import socket
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import event

from jaipur.store import StoreError, open_database
from jaipur.store.writing import write_queue
from tests.support.served import Served, locked, wait_for
from tests.support.server import FRIEND, ME, PEOPLE, everything, folded, new_tables, play, play_some, server
from tests.support.terminal import jaipur

pytestmark = pytest.mark.slow


def refused(folder: Path, *options: str) -> str:
    """What `jaipur serve` says when it does not start."""
    done = jaipur("serve", *options, games=folder)
    assert done.returncode == 1
    assert not done.stdout
    (sentence,) = done.stderr.splitlines()
    assert sentence.endswith(".")
    assert "Traceback" not in sentence
    assert "sqlalche" not in sentence
    return sentence


@pytest.fixture(name="path")
def _path(tmp_path: Path) -> Path:
    """A database with a game in it."""
    with new_tables(tmp_path) as tables:
        play_some(tables, tables.create(PEOPLE).game.id, 10)
    return tmp_path / "games.sqlite3"


def events(path: Path) -> int:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        (number,) = connection.execute("SELECT count(*) FROM events").fetchone()
    return int(number)


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    sentence = refused(tmp_path, "--port", "0", "--database", str(tmp_path / "file" / "games.sqlite3"))
    assert str(tmp_path / "file") in sentence


def test_opening_again_changes_nothing(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        before = list(connection.iterdump())
    open_database(str(path)).dispose()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert list(connection.iterdump()) == before


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_many_connections_do_not_keep_the_file_many_times(path: Path) -> None:
    """Forty times two megabytes would be the usual: the memory of a server grew with its file."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE filler (data BLOB)")
        connection.executemany("INSERT INTO filler VALUES (?)", ((bytes(1000),) for _ in range(8000)))
        connection.commit()
    engine = open_database(str(path))
    with contextlib.ExitStack() as stack:
        before = resident_mb()
        for opened in [stack.enter_context(engine.connect()) for _ in range(40)]:
            opened.exec_driver_sql("SELECT sum(length(data)) FROM filler").one()
        grown = resident_mb() - before
    engine.dispose()
    assert grown < 40


def resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def test_a_database_that_another_program_has_locked(path: Path) -> None:
    with locked(path):
        assert "locked by another program" in refused(path.parent, "--port", "0", "--database", str(path))
    assert events(path) == 10


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        sentence = refused(tmp_path, "--port", str(port), "--database", str(tmp_path / "games.sqlite3"))
    assert f"Port {port}" in sentence
    assert "--port" in sentence


@pytest.mark.parametrize("host", ["192.0.2.1", "nonsense.invalid"])
def test_a_host_that_is_not_ours_is_not_the_fault_of_a_port(tmp_path: Path, host: str) -> None:
    sentence = refused(tmp_path, "--host", host, "--database", str(tmp_path / "games.sqlite3"))
    assert sentence == f"This machine has no address {host}: choose another one with --host."


def test_a_lock_while_people_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """503 with a sentence; once the lock is gone, the same request is accepted."""
    monkeypatch.setattr(write_queue, "PATIENCE", 0.01)
    with new_tables(tmp_path) as tables, server(tables) as http:
        game = tables.create(PEOPLE).game.id
        table = play_some(tables, game, 5)
        wish = {"move": str(table.match.round.legal_moves()[0]), "ply": 5}
        token = (ME, FRIEND)[table.turn or 0]
        with locked(tmp_path / "games.sqlite3"):
            answer = http.post(f"/api/games/{game}/moves", wish, token=token)
            assert answer.status == 503
            assert "locked by another program" in answer.json["error"]
            assert http.get("/").status == 200
        assert http.post(f"/api/games/{game}/moves", wish, token=token).status == 200
        assert everything(tables.open(game)) == everything(folded(tables, game))


def test_a_full_disk_while_people_play(tmp_path: Path) -> None:
    with new_tables(tmp_path) as tables:
        full = False

        def limit(connection: sqlite3.Connection, *_: object) -> None:
            connection.execute(f"PRAGMA max_page_count={1 if full else 1_000_000}")

        event.listen(tables.store.engine, "checkout", limit)
        game = tables.create(PEOPLE).game.id
        play_some(tables, game, 8)
        full = True
        told = None
        for _ in range(500):
            before = len(tables.store.events(game))
            try:
                if tables.open(game).turn is None:
                    tables.resign(tables.open(game), 0)
                    game = tables.create(PEOPLE).game.id
                play_some(tables, game, 1)
            except StoreError as error:
                told = str(error)
                break
        assert told == "The disk is full: nothing was written. Make room and try again."
        full = False
        assert len(tables.store.events(game)) == before
        assert everything(tables.open(game)) == everything(folded(tables, game))
        table = tables.open(game)
        if table.turn is not None:
            play(tables, game, table.match.round.legal_moves()[0])
        assert everything(tables.open(game)) == everything(folded(tables, game))


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="limits of another process are set as on Linux")
def test_a_disk_that_fails_under_a_real_server(tmp_path: Path) -> None:
    """No file can grow, so writes fail with a sentence. Once there is room again, the game and its bot go on."""
    path, token = tmp_path / "games.sqlite3", "token-of-this-person-xyz"
    with Served(path, "--pause", "0", "--rate", "0", "--thinkers", "1") as served:
        game = served.post("/api/games", token, {"kind": "bot", "level": "pedlar"}).json()["game"]
        wait_for(lambda: bool(served.get(f"/api/games/{game}", token)["legal"]))
        endless = resource.prlimit(served.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(served.process.pid, resource.RLIMIT_FSIZE, (1000, endless[1]))
        seen = served.get(f"/api/games/{game}", token)
        wish = {"move": seen["legal"][0], "ply": seen["ply"]}
        answer = served.post(f"/api/games/{game}/moves", token, wish, "key")
        assert answer.status_code == 503
        assert answer.json()["error"].startswith("The disk ")
        assert served.get(f"/api/games/{game}", token)["number"] == seen["number"]
        resource.prlimit(served.process.pid, resource.RLIMIT_FSIZE, endless)
        assert served.post(f"/api/games/{game}/moves", token, wish, "key").status_code == 200
        wait_for(lambda: bool(served.get(f"/api/games/{game}", token)["legal"]))
        assert served.end(signal.SIGTERM) in {0, -signal.SIGTERM}
        assert "Traceback" not in served.errors.read_text()


@pytest.mark.parametrize("address", ["nonsense://here", "sqlite://", "postgresql+nothing://x/y"])
def test_an_address_that_leads_nowhere(address: str) -> None:
    with pytest.raises(StoreError):
        open_database(address)
