"""Writes that arrive while one is running share the next flush; each succeeds or fails on its own."""

import sys
import threading
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial

import pytest

from jaipur.store import Event, Store, Taken, store
from jaipur.store.schema import Row
from jaipur.store.writing import write_queue
from jaipur.store.writing.group_commit import GroupCommit
from jaipur.store.writing.write_queue import MOST_WAITING, Away, Busy, WriteQueue
from jaipur.table import Tables
from tests.support.postgres import Databases
from tests.support.program import PATIENCE
from tests.support.served import wait_for
from tests.support.server import PEOPLE, everything, folded


class Queue(WriteQueue):
    """A queue in which the test decides when a writer is stuck and when those who wait give up."""

    def __init__(self) -> None:
        super().__init__()
        self.said_stuck = False
        self.give_up = threading.Event()

    @property
    def stuck(self) -> bool:
        return self.said_stuck

    def _wait(self, _deadline: float) -> bool:
        while not self.give_up.is_set():
            if self._lock.acquire(timeout=0.01):
                return True
        return False


class Disk:
    """Writes numbers and remembers which came together. The first write lasts until told to go on."""

    def __init__(self) -> None:
        self.written: list[list[int]] = []
        self.tried = 0
        self.queue = Queue()
        self.group = GroupCommit(self.queue, self._write)
        self.writing, self.go_on = threading.Event(), threading.Event()

    def _write(self, numbers: Sequence[int]) -> None:
        self.writing.set()
        assert self.go_on.wait(PATIENCE)
        self.tried += 1
        if 13 in numbers:
            raise ValueError("13")
        if 503 in numbers:
            raise Away
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


def test_a_database_out_of_reach_is_not_tried_again_for_each() -> None:
    disk = Disk()
    with ThreadPoolExecutor(6) as pool:
        commits = disk.commit_behind_the_first(pool, 1, 503, 3)
        disk.go_on.set()
        failed = [type(commit.exception(PATIENCE)) for commit in commits]
    assert failed == [type(None), Away, Away, Away]
    assert disk.tried == 2


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


ON_BOTH = pytest.mark.parametrize("_database", ["sqlite", "postgres"], indirect=True)


@ON_BOTH
def test_moves_of_different_games_share_a_flush(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_queue, "PATIENCE", PATIENCE)
    monkeypatch.setattr(tables.store, "_turns", defaultdict(WriteQueue))
    monkeypatch.setattr(store, "_STRIPES", sys.maxsize)  # or now and then, two games would wait for each other
    games = [tables.create(PEOPLE).game.id for _ in range(8)]
    group, flushes = tables.store._group, list[object]()
    write = group._write

    def flush(units: Sequence[Sequence[Row]]) -> None:
        flushes.append(units)
        write(units)

    monkeypatch.setattr(group, "_write", flush)
    moves = _together(tables.store, [partial(_resign, tables, game) for game in games])
    assert [move.exception() for move in moves] == [None] * len(games)
    assert len(flushes) == 1
    assert all(everything(tables.open(game)) == everything(folded(tables, game)) for game in games)


@ON_BOTH
def test_a_number_that_is_taken_fails_alone(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_queue, "PATIENCE", PATIENCE)
    resigned = [Event(tables.create(PEOPLE).game.id, 1, 0, "resign", "", None, 1) for _ in range(4)]
    tables.store.append(resigned[2])
    writes = _together(tables.store, [partial(tables.store.append, one) for one in resigned])
    assert [type(write.exception()) for write in writes] == [type(None), type(None), Taken, type(None)]
    assert [tables.store.events(one.game) for one in resigned] == [[one] for one in resigned]


@pytest.mark.slow
def test_two_processes_that_write_the_same_games_do_not_block_each_other(
    two: tuple[Tables, Tables], postgres: Databases
) -> None:
    """PostgreSQL ends a deadlock after a second and fails one of the two; it counts them, too."""
    games = [two[0].create(PEOPLE).game.id for _ in range(100)]
    before = _deadlocks(postgres)
    with ThreadPoolExecutor(2) as pool:
        for number in range(1, 21):
            rows = [[Event(game, number, 0, "hint", "1", None, 1)] for game in games]
            tries = [pool.submit(two[0].store._insert, rows), pool.submit(two[1].store._insert, rows[::-1])]
            assert {type(one.exception(PATIENCE)) for one in tries} == {type(None), Taken}
    assert _deadlocks(postgres) == before


def _deadlocks(postgres: Databases) -> object:
    return postgres.cluster.execute("SELECT sum(deadlocks) FROM pg_stat_database")


def _together(store: Store, writes: Sequence[Callable[[], object]]) -> list[Future[object]]:
    """Makes writes that all arrive while somebody else is writing; they are done when this returns."""
    with ThreadPoolExecutor(len(writes)) as pool:
        with store._group._queue.turn():
            done = [pool.submit(write) for write in writes]
            wait_for(lambda: len(store._group._waiting) == len(writes))
        return done


def _resign(tables: Tables, game: str) -> None:
    assert tables.resign(tables.open(game), 0).over
