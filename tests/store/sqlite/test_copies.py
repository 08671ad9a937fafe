"""Copies of a server's database file: backup, restore and check, damaged copies, files set aside."""

import contextlib
import errno
import itertools
import os
import resource
import shutil
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from jaipur.store import Store, StoreError, open_database
from jaipur.store.sqlite.backup import back_up, check_file, restore
from jaipur.table import Tables
from tests.support.served import Killed, games_in
from tests.support.server import PEOPLE, everything, folded, new_tables, play_some
from tests.support.terminal import jaipur as command


def test_a_backup_while_people_play_is_one_moment_of_the_games(tmp_path: Path) -> None:
    with new_tables(tmp_path) as tables, ThreadPoolExecutor(1) as pool:
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
    with new_tables(tmp_path) as tables:
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
    with new_tables(tmp_path) as tables:
        assert everything(tables.open(first)) == before


def left_by_a_killed_server(folder: Path, name: str) -> tuple[Path, str]:
    """A database whose newest game is only in its log."""
    store = Store.alone(str(folder / "running.sqlite3"))
    game = Tables(store).create(PEOPLE).game.id
    for part in ("", "-wal"):
        shutil.copy(f"{folder / 'running.sqlite3'}{part}", f"{folder / name}{part}")
    store.close()
    (folder / "running.sqlite3").unlink()
    return folder / name, game


def test_what_was_set_aside_stays_and_keeps_its_log(tmp_path: Path) -> None:
    path, copy = tmp_path / "games.sqlite3", tmp_path / "copy"
    with new_tables(tmp_path) as tables:
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
    with new_tables(tmp_path) as tables:
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
    """The folder is missing, or the disk is full."""
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
    with new_tables(tmp_path) as tables:
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
    with new_tables(tmp_path) as tables:
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
