"""Writes that arrive while one is running share the next flush; each succeeds or fails on its own."""

import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from sqlalchemy import event

from jaipur.store import write_queue
from jaipur.store.group_commit import GroupCommit
from jaipur.store.write_queue import MOST_WAITING, Busy, WriteQueue
from jaipur.table import Tables
from tests.server.harness import PEOPLE, everything, folded, room
from tests.server.processes import PATIENCE, wait_for


class Queue(WriteQueue):
    """A queue in which the test decides when a writer is stuck and when those who wait give up."""

    def __init__(self) -> None:
        super().__init__()
        self.said_stuck = False
        self.give_up = threading.Event()

    @property
    def stuck(self) -> bool:
        return self.said_stuck

    def _wait(self) -> bool:
        while not self.give_up.is_set():
            if self._lock.acquire(timeout=0.01):
                return True
        return False


class Disk:
    """Writes numbers and remembers which came together. The first write lasts until told to go on."""

    def __init__(self) -> None:
        self.written: list[list[int]] = []
        self.queue = Queue()
        self.group = GroupCommit(self.queue, self._write)
        self.writing, self.go_on = threading.Event(), threading.Event()

    def _write(self, numbers: Sequence[int]) -> None:
        self.writing.set()
        assert self.go_on.wait(PATIENCE)
        if 13 in numbers:
            raise ValueError("13")
        self.written.append(list(numbers))

    def commit_behind_the_first(self, pool: ThreadPoolExecutor, *numbers: int) -> list[Future[None]]:
        """The first is being written while the others arrive."""
        first = pool.submit(self.group.commit, 0)
        assert self.writing.wait(PATIENCE)
        others = [pool.submit(self.group.commit, number) for number in numbers]
        wait_for(lambda: len(self.group._waiting) == len(numbers))
        return [first, *others]


def test_whoever_comes_during_a_write_is_written_with_the_next() -> None:
    disk = Disk()
    with ThreadPoolExecutor(6) as pool:
        commits = disk.commit_behind_the_first(pool, 1, 2, 3, 4)
        assert not any(commit.done() for commit in commits)
        disk.go_on.set()
        for commit in commits:
            commit.result(PATIENCE)
    assert [sorted(together) for together in disk.written] == [[0], [1, 2, 3, 4]]


def test_what_fails_together_fails_alone() -> None:
    disk = Disk()
    with ThreadPoolExecutor(6) as pool:
        commits = disk.commit_behind_the_first(pool, 1, 13, 3)
        disk.go_on.set()
        failed = [type(commit.exception(PATIENCE)) for commit in commits]
    assert failed == [type(None), type(None), ValueError, type(None)]
    assert sorted(number for together in disk.written for number in together) == [0, 1, 3]


def test_nobody_waits_longer_than_whoever_stands_in_the_queue_for_them() -> None:
    disk = Disk()
    with ThreadPoolExecutor(6) as pool:
        first, *others = disk.commit_behind_the_first(pool, 1, 2)
        disk.queue.give_up.set()
        assert [type(commit.exception(PATIENCE)) for commit in others] == [Busy, Busy]
        disk.go_on.set()
        first.result(PATIENCE)
    assert disk.written == [[0]]


def test_behind_a_writer_who_is_stuck_only_a_few_wait() -> None:
    disk = Disk()
    with ThreadPoolExecutor(MOST_WAITING + 6) as pool:
        commits = disk.commit_behind_the_first(pool, *range(20, 24 + MOST_WAITING))
        disk.queue.said_stuck = True
        wait_for(lambda: len(disk.group._waiting) <= MOST_WAITING)
        disk.go_on.set()
        failed = [type(commit.exception(PATIENCE)) for commit in commits]
    assert failed.count(Busy) == 4
    assert failed.count(type(None)) == 1 + MOST_WAITING


def test_moves_of_different_games_share_a_flush(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_queue, "PATIENCE", PATIENCE)
    with room(tmp_path) as tables, ThreadPoolExecutor(8) as pool:
        games = [tables.create(PEOPLE).game.id for _ in range(8)]
        commits: list[object] = []
        event.listen(tables.store.engine, "commit", commits.append)
        with _held(tables):
            moves = [pool.submit(_resign, tables, game) for game in games]
            wait_for(lambda: len(tables.store._group._waiting) == len(games))  # type: ignore[union-attr]
        for move in moves:
            move.result(PATIENCE)
        assert len(commits) == 1
        assert all(everything(tables.open(game)) == everything(folded(tables, game)) for game in games)


def _held(tables: Tables) -> AbstractContextManager[None]:
    """Somebody else is writing."""
    assert tables.store._writer is not None
    return tables.store._writer.turn()


def _resign(tables: Tables, game: str) -> None:
    assert tables.resign(tables.open(game), 0).over
