"""A server's files: whose they are, who may read them, and what is left when it ends."""

import contextlib
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from jaipur.store import Store, StoreError
from jaipur.store.sqlite.backup import back_up, check_file, restore
from jaipur.table import Tables
from jaipur.table.cache import KeptTables
from tests.support.served import OPTIONS, TOKEN, Served, games_in, start
from tests.support.server import BOT, FRIEND, ME, PEOPLE, new_tables, play_some, server
from tests.support.terminal import environment


@pytest.mark.slow
def test_a_server_that_is_ended_leaves_one_file_with_everything(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    with Served(path, *OPTIONS) as served:
        game = start(served)
    assert not list(tmp_path.glob("*-wal"))
    shutil.copy(path, tmp_path / "copy.sqlite3")
    assert games_in(tmp_path / "copy.sqlite3") == [game]
    with Served(tmp_path / "copy.sqlite3", *OPTIONS) as again:
        assert again.get(f"/api/games/{game}", TOKEN)["number"] == 0


def test_another_program_that_looks_leaves_the_log_of_a_running_server_alone(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    store = Store.alone(str(path))
    tables = Tables(store)
    look = (
        f"import contextlib, sqlite3\nwith contextlib.closing(sqlite3.connect({str(path)!r})) as connection:\n"
        "    print(*connection.execute('SELECT count(*) FROM games').fetchone())"
    )
    for number in (1, 2):
        tables.create(BOT)
        found = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
        assert (found.stdout, Path(f"{path}-wal").exists()) == (f"{number}\n", True)
    store.close()


def test_a_link_to_a_file_is_the_same_file(tmp_path: Path) -> None:
    path, link, copy = tmp_path / "games.sqlite3", tmp_path / "link", tmp_path / "copy"
    link.symlink_to(tmp_path)
    (tmp_path / "other.sqlite3").symlink_to(path)
    store = Store.alone(str(path))
    game = Tables(store).create(BOT).game.id
    back_up(link / path.name, copy)
    for same in (link / path.name, tmp_path / "other.sqlite3"):
        with pytest.raises(StoreError, match="Another server"):
            Store.alone(str(same))
        check_file(same)
    store.close()
    restore(copy, tmp_path / "other.sqlite3", replace=True)
    assert (tmp_path / "other.sqlite3").is_symlink()
    assert games_in(path) == [game]


@pytest.mark.slow
def test_a_second_server_on_the_same_file_is_refused_until_the_first_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    first = Served(path, *OPTIONS)
    try:
        second = subprocess.run(
            [sys.executable, "-m", "jaipur", "serve", "--port", "0", "--database", str(path)],
            capture_output=True, text=True, env=environment(tmp_path), check=False,
        )  # fmt: skip
        assert (second.returncode, second.stdout) == (1, "")
        assert f"Another server (process {first.process.pid}) is using {path}" in second.stderr
        assert "Traceback" not in second.stderr
        game = start(first)
    finally:
        first.end(signal.SIGKILL)
        first.close()
    with Served(path, *OPTIONS) as next_one:
        assert next_one.get(f"/api/games/{game}", TOKEN)["number"] == 0


@pytest.mark.skipif(sys.platform == "win32", reason="rights of files as on Unix")
def test_nobody_else_may_read_the_files_of_games(tmp_path: Path) -> None:
    path = tmp_path / "new" / "games.sqlite3"
    store = Store.alone(str(path))
    Tables(store).create(BOT)
    assert path.parent.stat().st_mode & 0o777 == 0o700
    rights = {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()}
    assert rights == dict.fromkeys(
        ["games.sqlite3", "games.sqlite3-wal", "games.sqlite3-shm", "games.sqlite3.lock"], 0o600
    )
    store.close()


@pytest.mark.skipif(sys.platform == "win32", reason="rights of files as on Unix")
def test_whoever_let_others_read_a_database_meant_it(tmp_path: Path) -> None:
    path, copy = tmp_path / "games.sqlite3", tmp_path / "copy"
    path.touch()
    for rights in (0o640, 0o664):
        path.chmod(rights)
        Store.alone(str(path)).close()
        assert path.stat().st_mode & 0o777 == rights
    back_up(path, copy)
    restore(copy, path, replace=True)
    assert (copy.stat().st_mode & 0o777, path.stat().st_mode & 0o777) == (0o600, 0o664)


@pytest.mark.parametrize("damage", ["text = 'nonsense'", "text = '-DDDDD'", "kind = 'dance'", "kind = 'undo'"])
def test_a_damaged_event_is_our_fault_and_is_logged(
    tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    with new_tables(tmp_path) as tables, server(tables) as http:
        game, other = tables.create(PEOPLE).game.id, tables.create(PEOPLE).game.id
        play_some(tables, game, 5)
        with contextlib.closing(sqlite3.connect(tmp_path / "games.sqlite3")) as connection:
            connection.execute(f"UPDATE events SET {damage} WHERE number = 3")
            connection.commit()
        tables._kept = KeptTables()
        for path in (f"/api/games/{game}", f"/game/{game}"):
            assert http.get(path).status == 500
        assert http.get(f"/api/games/{other}").status == 200
        assert http.get("/", cookie=True).status == 200
        assert http.get("/games", cookie=True).status == 200
        assert f"Game {game} is damaged" in caplog.text


def test_every_way_to_make_a_game_counts_against_the_limit(tmp_path: Path) -> None:
    with new_tables(tmp_path) as tables:
        for path in ("/api/games/{}/rematch", "/game/{}/rematch", "/api/games/{}/agree", "/game/{}/agree"):
            with server(tables, games_per_minute=3.0) as http:
                game = tables.create(PEOPLE).game.id
                tables.resign(tables.open(game), 0)
                if path.endswith("agree"):
                    tables.rematch(tables.open(game), 1)
                token = FRIEND if path.endswith("rematch") else ME
                asked = [http.post(path.format(game), token=token).status for _ in range(5)]
                assert asked[0] in {200, 303}
                assert asked[3:] == [429, 429]
