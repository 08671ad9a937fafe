"""The files of a server: whose they are, who may read them, what is left when it ends, and how they are copied."""

import asyncio
import contextlib
import errno
import itertools
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from jaipur.store import Store, StoreError, file_lock, open_database, write_queue
from jaipur.store.copies import back_up, check_file, restore
from jaipur.table import Tables
from tests.server.harness import BOT, FRIEND, ME, PEOPLE, everything, folded, play_some, room, server
from tests.server.processes import Served
from tests.terminal import environment
from tests.terminal import jaipur as command

OPTIONS = ("--pause", "0", "--rate", "0", "--thinkers", "1")
TOKEN = "token-of-this-person-xyz"


class Killed(BaseException):
    """The process ends here."""


def games_in(path: Path) -> list[str]:
    engine = open_database(str(path))
    try:
        return Store(engine).game_ids()
    finally:
        engine.dispose()


def start(served: Served) -> str:
    return str(served.post("/api/games", TOKEN, {"kind": "one-screen"}).json()["game"])


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


@pytest.mark.slow
def test_a_copy_without_its_log_is_refused_and_with_it_accepted(tmp_path: Path) -> None:
    path, alone, both = tmp_path / "games.sqlite3", tmp_path / "alone.sqlite3", tmp_path / "both.sqlite3"
    with Served(path, *OPTIONS) as served:
        game = start(served)
        for copy in (alone, both):
            shutil.copy(path, copy)
        shutil.copy(f"{path}-wal", f"{both}-wal")
        done = subprocess.run(
            [sys.executable, "-m", "jaipur", "serve", "--port", "0", "--database", str(alone)],
            capture_output=True, text=True, env=environment(tmp_path), timeout=60, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stdout) == (1, "")
    assert "without alone.sqlite3-wal" in done.stderr
    assert "Traceback" not in done.stderr
    Store.alone(str(both)).close()
    assert games_in(both) == [game]
    restore(alone, tmp_path / "rest.sqlite3", incomplete=True)
    Store.alone(str(tmp_path / "rest.sqlite3")).close()


def test_a_file_at_its_place_is_accepted_after_a_crash_and_a_look_with_another_program(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    store = Store.alone(str(path))
    game = Tables(store).create(BOT).game.id
    store.engine.dispose()  # ended without a word: the mark stays, and the last connection empties the log
    assert store._file_lock is not None
    store._file_lock.release()
    assert not Path(f"{path}-wal").exists()
    again = Store.alone(str(path))
    assert again.game_ids() == [game]
    again.close()


def test_an_incomplete_copy_in_the_place_of_its_original_is_refused(tmp_path: Path) -> None:
    """Written over it, it has the same inode; the mark is that of an earlier run."""
    path = tmp_path / "games.sqlite3"
    store = Store.alone(str(path))
    Tables(store).create(BOT)
    incomplete = path.read_bytes()
    store.close()
    whole = path.read_bytes()
    assert incomplete != whole
    path.write_bytes(incomplete)
    with pytest.raises(StoreError, match=r"without games\.sqlite3-wal"):
        Store.alone(str(path))
    with pytest.raises(StoreError, match=r"without games\.sqlite3-wal"):
        check_file(path)
    path.write_bytes(whole)
    again = Store.alone(str(path))
    again.engine.dispose()  # as after a crash
    assert again._file_lock is not None
    again._file_lock.release()
    path.write_bytes(incomplete)
    with pytest.raises(StoreError, match=r"without games\.sqlite3-wal"):
        Store.alone(str(path))


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
        found = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, timeout=60, check=True)
        assert (found.stdout, Path(f"{path}-wal").exists()) == (f"{number}\n", True)
    store.close()


@pytest.mark.parametrize("marked", [False, True])
def test_a_server_that_is_killed_while_it_marks_its_file_leaves_one_that_is_accepted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, marked: bool
) -> None:
    """Also where the server before was killed, and something else has emptied the log."""
    path, write_mark = tmp_path / "games.sqlite3", file_lock._write_mark
    Store.alone(str(path)).close()
    before = file_lock.FileLock(path)
    before.mark()
    before.release()

    def killed(where: Path, mark: int) -> None:
        if marked:
            write_mark(where, mark)
        raise Killed

    lock = file_lock.FileLock(path)
    with monkeypatch.context() as patch:
        patch.setattr(file_lock, "_write_mark", killed)
        with pytest.raises(Killed):
            lock.mark()
    lock.release()
    assert not Path(f"{path}-wal").exists()
    Store.alone(str(path)).close()


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
            capture_output=True, text=True, env=environment(tmp_path), timeout=60, check=False,
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
    path.chmod(0o644)
    Store.alone(str(path)).close()
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_backup_while_people_play_is_one_moment_of_the_games(tmp_path: Path) -> None:
    with room(tmp_path) as tables, ThreadPoolExecutor(1) as pool:
        game = tables.create(PEOPLE).game.id
        playing = pool.submit(play_some, tables, game)
        for number in range(5):
            back_up(tmp_path / "games.sqlite3", tmp_path / f"copy{number}")
        playing.result()
        whole = tables.store.events(game)
    for number in range(5):
        engine = open_database(str(tmp_path / f"copy{number}"))
        copied = Store(engine).events(game)
        assert copied == whole[: len(copied)]
        folded(Tables(Store(engine)), game)
        engine.dispose()


def test_a_restored_backup_is_the_same_games_and_the_old_ones_are_set_aside(tmp_path: Path) -> None:
    path, copy = tmp_path / "games.sqlite3", tmp_path / "copy"
    with room(tmp_path) as tables:
        first = tables.create(PEOPLE).game.id
        play_some(tables, first, 10)
        before = everything(tables.open(first))
        back_up(path, copy)
        second = tables.create(PEOPLE).game.id
    with pytest.raises(StoreError, match="exists already"):
        back_up(path, copy)
    with pytest.raises(StoreError, match="--replace"):
        restore(copy, path)
    assert games_in(path) == [first, second]
    restore(copy, path, replace=True)
    assert games_in(path) == [first]
    assert games_in(tmp_path / "games.sqlite3.before-restore-1") == [first, second]
    with room(tmp_path) as tables:
        assert everything(tables.open(first)) == before


def left_by_a_killed_server(folder: Path, name: str) -> tuple[Path, str]:
    """A database whose newest game is in its log."""
    store = Store.alone(str(folder / "running.sqlite3"))
    game = Tables(store).create(PEOPLE).game.id
    for part in ("", "-wal"):
        shutil.copy(f"{folder / 'running.sqlite3'}{part}", f"{folder / name}{part}")
    store.close()
    (folder / "running.sqlite3").unlink()
    return folder / name, game


def test_what_was_set_aside_stays_and_keeps_its_log(tmp_path: Path) -> None:
    path, copy = tmp_path / "games.sqlite3", tmp_path / "copy"
    with room(tmp_path) as tables:
        first = tables.create(PEOPLE).game.id
    back_up(path, copy)
    restore(copy, path, replace=True)
    path.unlink()
    path, second = left_by_a_killed_server(tmp_path, path.name)
    assert restore(copy, path, replace=True) == tmp_path / "games.sqlite3.before-restore-2"
    assert restore(copy, tmp_path / "new") is None
    assert not Path(f"{path}-wal").exists()
    assert [games_in(tmp_path / f"games.sqlite3.before-restore-{number}") for number in (1, 2)] == [[first], [second]]
    assert games_in(path) == [first]


@pytest.mark.parametrize("links", [True, False])
@pytest.mark.parametrize("steps", range(8))
def test_a_restore_that_is_killed_at_any_step_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, steps: int, links: bool
) -> None:
    with room(tmp_path) as tables:
        restored = tables.create(PEOPLE).game.id
    copy = (tmp_path / "games.sqlite3").rename(tmp_path / "copy")
    path, game = left_by_a_killed_server(tmp_path, "games.sqlite3")
    done = itertools.count()

    def counted(act: Callable[..., object], refused: bool = False) -> Callable[..., object]:
        def step(*arguments: object, **options: object) -> object:
            if next(done) == steps:
                raise Killed
            if refused:
                raise OSError(errno.EPERM, "no links here")
            return act(*arguments, **options)

        return step

    with monkeypatch.context() as patch, contextlib.suppress(Killed):
        patch.setattr(os, "link", counted(os.link, refused=not links))
        patch.setattr(shutil, "copyfile", counted(shutil.copyfile))
        patch.setattr(Path, "unlink", counted(Path.unlink))
        patch.setattr(Path, "replace", counted(Path.replace))
        restore(copy, path, replace=True)
    aside = tmp_path / "games.sqlite3.before-restore-1"
    if "replacing" in Path(f"{path}.lock").read_text():
        with pytest.raises(StoreError, match="was interrupted"):
            Store.alone(str(path))
        assert games_in(aside) == [game]
        restore(copy, path, replace=True)
    store = Store.alone(str(path))
    found = store.game_ids()
    store.close()
    assert found == [game] or (found, games_in(aside)) == ([restored], [game])


def test_nothing_is_restored_under_a_running_server_or_from_a_damaged_copy(tmp_path: Path) -> None:
    path, copy = tmp_path / "games.sqlite3", tmp_path / "copy"
    store = Store.alone(str(path))
    Tables(store).create(PEOPLE)
    back_up(path, copy)
    with pytest.raises(StoreError, match="Another server"):
        restore(copy, path, replace=True)
    store.close()
    whole = copy.read_bytes()
    copy.write_bytes(whole[:4096] + b"\xff" * 4096 + whole[8192:])
    with pytest.raises(StoreError, match="damaged"):
        restore(copy, path, replace=True)
    with pytest.raises(StoreError, match="damaged"):
        check_file(copy)
    check_file(path)
    (tmp_path / "empty").touch()
    (tmp_path / "letter").write_text("Dear Maharaja, " * 100)
    for name in ("empty", "letter"):
        with pytest.raises(StoreError, match=f"{name} is not a Jaipur database"):
            restore(tmp_path / name, path, replace=True)


def test_a_damaged_copy_is_not_to_be_restored_from_a_copy(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    Store.alone(str(path)).close()
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * 4096 + whole[8192:])
    with pytest.raises(StoreError, match=r"^The copy .*games.sqlite3 is damaged: .* Take another one\.$"):
        restore(path, tmp_path / "new")
    with pytest.raises(StoreError, match=r"games.sqlite3 is damaged: .* Restore it from a copy\.$"):
        back_up(path, tmp_path / "copy")


def test_what_is_not_there_is_not_called_damaged(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"^There is no database .*nofile\.$"):
        check_file(tmp_path / "nofile")


def test_a_copy_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    """Its folder is missing, or there is no room for it."""
    path = tmp_path / "games.sqlite3"
    Store.alone(str(path)).close()
    with pytest.raises(StoreError, match=r"nofolder.copy cannot be written: No such file or directory\.$"):
        back_up(path, tmp_path / "nofolder" / "copy")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size - 1, hard))
    try:
        with pytest.raises(StoreError, match=r"copy cannot be written: disk I/O error\.$"):
            back_up(path, tmp_path / "copy")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert not (tmp_path / "copy").exists()


@pytest.mark.slow
def test_nothing_is_moved_from_a_file_that_is_not_there(tmp_path: Path) -> None:
    refused = command("move-database", str(tmp_path / "old"), str(tmp_path / "new"), games=tmp_path)
    assert (refused.returncode, refused.stderr) == (1, f"There is no database {tmp_path / 'old'}.\n")
    assert not list(tmp_path.iterdir())


def test_a_damaged_file_is_noticed_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    with room(tmp_path) as tables:
        for _ in range(20):
            play_some(tables, tables.create(PEOPLE).game.id, 30)
    whole = path.read_bytes()
    middle = 4096 * (len(whole) // 8192)
    path.write_bytes(whole[:middle] + b"\xff" * 4096 + whole[middle + 4096 :])
    with pytest.raises(StoreError, match="damaged"):
        Store.alone(str(path))


@pytest.mark.slow
def test_the_commands_copy_check_and_put_back(tmp_path: Path) -> None:
    path, copy = tmp_path / "games.sqlite3", tmp_path / "copy"
    with room(tmp_path) as tables:
        game = tables.create(PEOPLE).game.id
        play_some(tables, game, 3)
    option = ("--database", str(path))
    assert "the copy is sound" in command("backup", str(copy), *option, games=tmp_path).stdout
    assert "1 game is sound." in command("check", *option, games=tmp_path).stdout
    refused = command("restore", str(copy), *option, games=tmp_path)
    assert (refused.returncode, "--replace" in refused.stderr) == (1, True)
    restored = command("restore", str(copy), "--replace", *option, games=tmp_path)
    assert (restored.returncode, restored.stdout.splitlines()[1:]) == (
        0,
        [f"The games that were there are in {path}.before-restore-1."],
    )
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE events SET text = 'nonsense' WHERE number = 2")
        connection.commit()
    checked = command("check", *option, games=tmp_path)
    assert (checked.returncode, f"Game {game} is damaged" in checked.stdout) == (1, True)
    assert "Traceback" not in checked.stderr


@pytest.mark.parametrize("damage", ["text = 'nonsense'", "text = '-DDDDD'", "kind = 'dance'", "kind = 'undo'"])
def test_a_damaged_event_is_our_fault_and_is_logged(
    tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    with room(tmp_path) as tables, server(tables) as http:
        game, other = tables.create(PEOPLE).game.id, tables.create(PEOPLE).game.id
        play_some(tables, game, 5)
        with contextlib.closing(sqlite3.connect(tmp_path / "games.sqlite3")) as connection:
            connection.execute(f"UPDATE events SET {damage} WHERE number = 3")
            connection.commit()
        tables._kept.clear()
        for path in (f"/api/games/{game}", f"/game/{game}"):
            assert http.get(path).status == 500
        assert http.get(f"/api/games/{other}").status == 200
        assert http.get("/", cookie=True).status == 200
        assert http.get("/games", cookie=True).status == 200
        assert f"Game {game} is damaged" in caplog.text


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")


@pytest.mark.slow
def test_whoever_only_looks_does_not_wait_for_a_locked_database(tmp_path: Path) -> None:
    """57 want to write, to one game and to new ones; each is told in time, and pages are shown in between."""
    path = tmp_path / "games.sqlite3"
    with Served(path, *OPTIONS) as served, ThreadPoolExecutor(57) as pool:
        game, limits = start(served), httpx.Limits(max_connections=None)
        base = served.client.base_url
        with httpx.Client(base_url=base, timeout=60, limits=limits) as client, locked(path):
            header = {"authorization": f"Bearer {TOKEN}"}

            def write(number: int) -> httpx.Response:
                where = f"/api/games/{game}/resign" if number % 2 else "/api/games"
                return client.post(where, headers=header, json=None if number % 2 else {"kind": "one-screen"})

            waiting = [pool.submit(write, number) for number in range(57)]
            looked = [client.get("/rules").status_code for _ in range(5)]
            still_waiting = [future for future in waiting if not future.done()]
            answers = [future.result() for future in waiting]
    assert looked == [200] * 5
    assert still_waiting, "the pages were answered before the writers gave up"
    assert {answer.status_code for answer in answers} == {503}
    assert {answer.headers["retry-after"] for answer in answers} == {"1"}
    assert games_in(path) == [game]


def test_a_writer_waits_no_longer_than_it_should_in_all(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """For its turn and for the database together, whoever else waits for the same game."""
    monkeypatch.setattr(write_queue, "PATIENCE", 0.4)
    with room(tmp_path) as tables, ThreadPoolExecutor(8) as pool:
        game = tables.create(PEOPLE).game.id
        with locked(tmp_path / "games.sqlite3"):
            told = [pool.submit(tables.resign, tables.open(game), 0) for _ in range(8)]
            failed = [type(future.exception(30)) for future in told]
        assert failed == [write_queue.Busy] * 8
        assert tables.resign(tables.open(game), 0).over


def test_a_new_name_does_not_wait_for_others_at_a_locked_database(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nor does it take the few threads in which streams are read and bots look at tables."""
    monkeypatch.setattr(write_queue, "PATIENCE", 1.0)
    with room(tmp_path) as tables, server(tables) as http:

        async def scene() -> tuple[list[int], float]:
            asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
            wanted = {"name": "Bo", "back": "/"}
            asked = [asyncio.create_task(http.answer("POST", "/settings", wanted, cookie=True)) for _ in range(20)]
            await asyncio.sleep(0.1)
            began = time.monotonic()
            await asyncio.to_thread(int)
            waited = time.monotonic() - began
            return [answer.status for answer in await asyncio.gather(*asked)], waited

        with locked(tmp_path / "games.sqlite3"):
            began = time.monotonic()
            answered, waited = http.runner.run(scene())
            in_all = time.monotonic() - began
    assert answered == [503] * 20
    assert waited < 1.0
    assert in_all < 10.0


def test_every_way_to_make_a_game_counts_against_the_limit(tmp_path: Path) -> None:
    with room(tmp_path) as tables:
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
