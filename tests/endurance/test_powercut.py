"""The simulated power cut: the trace is read correctly, the disk keeps what was synced, the judge sees each fault."""

import contextlib
import random
import shutil
import sqlite3
from pathlib import Path

import pytest
from endurance.powercut import cuts as powercut
from endurance.powercut.cuts import DAMAGED, LOST, fault, told_before
from endurance.powercut.disk import Disk
from endurance.powercut.trace import Kind, Step, Told, read_trace

from jaipur import JaipurError
from jaipur.store import Event, Store
from jaipur.table import Tables
from tests.support.server import PEOPLE, play_some

FOLDER = "/srv/games"
FILE = "games.sqlite3"


def hexed(text: str | bytes) -> str:
    data = text if isinstance(text, bytes) else text.encode()
    return "".join(f"\\x{byte:02x}" for byte in data)


def handle(path: str) -> str:
    return f"7<{hexed(path)}>"


DB = handle(f"{FOLDER}/{FILE}")
SOCKET = handle("socket:[4711]")


def traced(*lines: str) -> tuple[list[Step], list[Told]]:
    return read_trace(lines, FOLDER)


# The trace.


def test_what_happened_to_files_is_read_in_order() -> None:
    steps, told = traced(
        f'10 openat(AT_FDCWD<{hexed("/")}>, "{hexed(f"{FOLDER}/{FILE}")}", O_RDWR|O_CREAT|O_CLOEXEC, 0644) = {DB}',
        f'10 pwrite64({DB}, "{hexed(b"ab")}", 2, 4096) = 2',
        f"10 fdatasync({DB}) = 0",
        f"10 fdatasync({handle(FOLDER)}) = 0",
        f"10 ftruncate({DB}, 512) = 0",
        f'10 unlink("{hexed(f"{FOLDER}/{FILE}")}") = 0',
    )
    assert steps == [
        Step(Kind.CREATE, FILE, 0, 0),
        Step(Kind.WRITE, FILE, 1, 1, 4096, b"ab"),
        Step(Kind.SYNC, FILE, 2, 2),
        Step(Kind.SYNC, "", 3, 3),
        Step(Kind.TRUNCATE, FILE, 4, 4, 512),
        Step(Kind.REMOVE, FILE, 5, 5),
    ]
    assert told == []


def test_calls_of_threads_that_overlap_keep_both_their_places() -> None:
    steps, _told = traced(
        f"10 fdatasync({DB} <unfinished ...>",
        f'11 pwrite64({DB}, "{hexed(b"x")}", 1, 0) = 1',
        "10 <... fdatasync resumed>) = 0",
    )
    assert steps == [Step(Kind.WRITE, FILE, 1, 1, 0, b"x"), Step(Kind.SYNC, FILE, 0, 2)]


def test_what_failed_or_concerns_other_files_is_left_out() -> None:
    assert traced(
        f'10 unlink("{hexed(f"{FOLDER}/{FILE}")}") = -1 ENOENT (No such file or directory)',
        f'10 pwrite64({handle("/elsewhere/file")}, "{hexed(b"x")}", 1, 0) = 1',
        f'10 pwrite64({handle(f"{FOLDER}/{FILE}-shm")}, "{hexed(b"x")}", 1, 0) = 1',
        f'10 pwrite64({DB}(deleted), "{hexed(b"x")}", 1, 0) = 1',
        f'10 openat(AT_FDCWD<{hexed("/")}>, "{hexed(f"{FOLDER}/{FILE}")}", O_RDONLY|O_CLOEXEC) = {DB}',
        "10 +++ exited with 0 +++",
    ) == ([], [])


def test_an_answer_tells_when_it_begins_to_be_sent() -> None:
    view, seat = b'HTTP/1.1 200 OK\r\n\r\n{"number":7,"view":{"game":"g1","number":7}}', b'{"game":"g2","token":"t"}'
    _steps, told = traced(
        f'10 write({SOCKET}, "{hexed(view)}", 60 <unfinished ...>',
        f'11 writev({SOCKET}, [{{iov_base="{hexed(b"HTTP")}", iov_len=4}}, {{iov_base="{hexed(seat)}"}}], 2) = 13',
        "10 <... write resumed>) = 60",
    )
    assert told == [Told(0, "g1", 7), Told(1, "g2", 0)]
    assert told_before(told, 1) == {"g1": 7}


def test_what_the_measurement_does_not_know_is_not_passed_over() -> None:
    with pytest.raises(JaipurError, match="rename"):
        traced(f'10 rename("{hexed(f"{FOLDER}/{FILE}")}", "{hexed(f"{FOLDER}/b")}") = 0')


# The disk.


def written(at: int, offset: int, data: bytes) -> Step:
    return Step(Kind.WRITE, FILE, at, at, offset, data)


def cuts(*steps: Step) -> list[dict[str, bytes]]:
    """The files after many power cuts."""
    disk = Disk()
    for step in steps:
        disk.do(step)
    return [disk.cut(random.Random(number)) for number in range(200)]


CREATED = (Step(Kind.CREATE, FILE, 0, 0), Step(Kind.SYNC, "", 1, 1))


def test_what_was_synced_is_there_and_of_the_rest_anything() -> None:
    found = cuts(*CREATED, written(2, 0, b"safe"), Step(Kind.SYNC, FILE, 3, 3), written(4, 4, b"lost"))
    contents = {files[FILE] for files in found}
    assert all(content.startswith(b"safe") for content in contents)
    assert {b"safe", b"safelost", b"safe\0\0\0\0"} < contents


def test_a_sync_does_not_count_for_what_ended_after_it_began() -> None:
    found = cuts(*CREATED, written(3, 0, b"late"), Step(Kind.SYNC, FILE, 2, 4))
    assert b"" in {files[FILE] for files in found}


def test_a_write_is_torn_between_sectors_and_touches_nothing_beside_it() -> None:
    before, data = bytes(2048), b"\1" * 1000
    found = cuts(*CREATED, written(2, 0, before), Step(Kind.SYNC, FILE, 3, 3), written(4, 100, data))
    contents = [files[FILE] for files in found]
    assert all(content[:100] == bytes(100) and content[1100:] == bytes(948) for content in contents)
    assert any(content[100:512] == bytes(412) and content[512:1024] == data[:512] for content in contents)


def test_a_later_write_may_be_there_without_an_earlier_one() -> None:
    found = cuts(*CREATED, written(2, 0, b"a"), written(3, 1, b"b"))
    assert {b"\0b", b"a", b"ab", b""} <= {files[FILE] for files in found}


def test_a_name_needs_a_sync_of_the_folder() -> None:
    new = Step(Kind.CREATE, FILE, 0, 0), written(1, 0, b"a"), Step(Kind.SYNC, FILE, 2, 2)
    assert {} in cuts(*new)
    assert all(files == {FILE: b"a"} for files in cuts(*new, Step(Kind.SYNC, "", 3, 3)))
    removed = cuts(*new, Step(Kind.SYNC, "", 3, 3), Step(Kind.REMOVE, FILE, 4, 4))
    assert {} in removed
    assert {FILE: b"a"} in removed


def test_a_file_of_the_same_name_is_another_file() -> None:
    old = written(2, 0, b"old file"), Step(Kind.SYNC, FILE, 3, 3)
    new = Step(Kind.REMOVE, FILE, 4, 4), Step(Kind.CREATE, FILE, 5, 5), written(6, 0, b"new")
    contents = {files.get(FILE) for files in cuts(*CREATED, *old, *new)}
    assert {None, b"old file", b"new", b""} <= contents
    assert not any(content.endswith(b" file") for content in contents - {None, b"old file"} if content)


# The judge.

Games = dict[str, list[Event]]


@pytest.fixture(name="left", scope="module")
def _left(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, bytes], Games]:
    """The files of a server that was killed, and its games."""
    home = tmp_path_factory.mktemp("left")
    store = Store.alone(str(home / FILE))
    tables = Tables(store)
    for _game in range(2):
        play_some(tables, tables.create(PEOPLE).game.id, 12)
    files = {name: (home / name).read_bytes() for name in (FILE, f"{FILE}-wal")}
    games = {game: store.events(game) for game in store.game_ids()}
    store.close()
    return files, games


def all_told(games: Games) -> dict[str, int]:
    return {game: len(events) for game, events in games.items()}


def test_files_that_hold_what_was_told_pass(left: tuple[dict[str, bytes], Games]) -> None:
    files, games = left
    assert fault(files, all_told(games), games) == ""
    assert fault({}, {}, games) == ""


def test_what_was_told_and_is_not_there_is_lost(left: tuple[dict[str, bytes], Games]) -> None:
    files, games = left
    assert fault({FILE: files[FILE]}, all_told(games), games) == LOST
    assert fault({FILE: files[FILE]}, {}, games) == ""
    assert fault({}, dict.fromkeys(games, 0), games) == LOST


def test_what_was_never_written_is_damage(left: tuple[dict[str, bytes], Games]) -> None:
    files, games = left
    assert fault(files, {}, {game: events[:-1] for game, events in games.items()}) == DAMAGED


def test_a_broken_file_is_damage(left: tuple[dict[str, bytes], Games], tmp_path: Path) -> None:
    files, games = left
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    Store.alone(str(tmp_path / FILE)).close()  # merges the log into the file
    torn = bytearray((tmp_path / FILE).read_bytes())
    torn[4096:] = random.Random(1).randbytes(len(torn) - 4096)
    assert fault({FILE: bytes(torn)}, {}, games) == DAMAGED


def test_a_game_that_lost_its_seats_is_damage(left: tuple[dict[str, bytes], Games], tmp_path: Path) -> None:
    files, games = left
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    with contextlib.closing(sqlite3.connect(tmp_path / FILE)) as connection:
        connection.execute("DELETE FROM seats")
        connection.commit()
    assert fault({FILE: (tmp_path / FILE).read_bytes()}, {}, games) == DAMAGED


def test_without_strace_one_sentence_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _program: None)
    with pytest.raises(JaipurError, match="No strace was found"):
        powercut.measure(60)
