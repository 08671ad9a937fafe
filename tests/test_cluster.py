"""Duels and training on a real Dask cluster: workers that die change nothing, and errors are one sentence."""

import gc
import json
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from logging.handlers import BufferingHandler
from pathlib import Path

import pytest
from tools.catalogue import ROOT

pytest.importorskip("distributed")

from distributed import Client

from jaipur import JaipurError, Record
from jaipur.arena.duel import Duel, Standing, run
from jaipur.arena.play import Contender
from jaipur.bots import Budget
from jaipur.bots.weights import shipped_weights
from jaipur.cluster import Cluster
from jaipur.programs import ends_with_us
from jaipur.training.checkpoint import Checkpoint, Plan
from jaipur.training.run import TrainingRun
from jaipur.training.train import train
from tests.support.program import PATIENCE
from tests.support.terminal import jaipur

pytestmark = pytest.mark.slow

SCHEDULER = ["scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show"]
WORKER = ["worker", "--host", "127.0.0.1", "--no-nanny", "--no-dashboard"]
FEW = Budget(worlds=6)


class DaskForTests:
    """A scheduler on loopback, and the workers started for it."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder = folder
        self.settings = settings
        self.file = folder / "scheduler.json"
        self.scheduler = self._start(*SCHEDULER, "--scheduler-file", str(self.file))
        self.workers: list[subprocess.Popen[bytes]] = []
        while not self.file.exists() or not self.file.read_text():
            assert self.scheduler.poll() is None
            time.sleep(0.05)
        self.address: str = json.loads(self.file.read_text())["address"]

    def _start(self, *arguments: str) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [sys.executable, "-m", "dask", *arguments],
            cwd=self.folder,
            env=os.environ | self.settings,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **ends_with_us(signal.SIGKILL),
        )

    def add_worker(self, threads: int = 1) -> "subprocess.Popen[bytes]":
        worker = self._start(*WORKER, "--nthreads", str(threads), self.address)
        self.workers.append(worker)
        return worker

    def end(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@contextmanager
def dask(folder: Path, workers: int, **settings: str) -> Iterator[DaskForTests]:
    cluster = DaskForTests(folder, **settings)
    try:
        for _ in range(workers):
            cluster.add_worker()
        yield cluster
    finally:
        cluster.end()


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine workers take long to start, and a client takes long to close."""
    monkeypatch.setattr("jaipur.cluster._CONNECT", PATIENCE)


@pytest.fixture(scope="module")
def two_workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskForTests]:
    with dask(tmp_path_factory.mktemp("dask"), 2) as cluster:
        yield cluster


def whole(standing: Standing) -> tuple[object, ...]:
    """Everything but how long it took."""
    sides = [(side.rupees, side.decisions) for side in standing.sides]
    return standing.pairs, standing.games, standing.rounds, standing.turns, sides, standing.forfeits


def last(standings: Iterator[Standing]) -> tuple[object, ...]:
    *_before, standing = standings
    return whole(standing)


NO_PATIENCE = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}
"""Dask gives up on a task with the first worker that dies, instead of the fourth."""


def test_a_worker_that_is_killed_changes_nothing(tmp_path: Path) -> None:
    """One of two dies in the middle of a duel, another joins, and every pair counts once and in its place."""
    duel = Duel(Contender("vizier", FEW), Contender("trader", FEW), 30, seed=7)
    alone = last(run(duel, workers=1))
    with dask(tmp_path, 2, **NO_PATIENCE) as cluster, Cluster(cluster.address) as executor:
        for played in run(duel, executor):
            if played.games == 10:
                cluster.workers[0].kill()
                cluster.add_worker()
        assert whole(played) == alone


def submit(cluster: DaskForTests, task: Callable[..., object], *arguments: object) -> object:
    with Cluster(cluster.address) as executor:
        return executor.submit(task, *arguments).result()


def test_a_task_that_ends_every_worker_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jaipur.cluster._TRIES", 2)
    with dask(tmp_path, 3, **NO_PATIENCE) as cluster:
        with pytest.raises(JaipurError, match="One task killed worker after worker"):
            submit(cluster, os._exit, 1)
        assert sorted(worker.poll() is None for worker in cluster.workers) == [False, False, True]


def test_an_error_of_a_task_is_not_a_lost_scheduler(two_workers: DaskForTests) -> None:
    with pytest.raises(FileNotFoundError):
        submit(two_workers, os.stat, "/nowhere/at/all")


def fail_here(cluster: DaskForTests) -> None:
    with Cluster(cluster.address):
        raise BrokenPipeError


def test_an_error_of_this_machine_is_not_a_lost_scheduler(two_workers: DaskForTests) -> None:
    with pytest.raises(BrokenPipeError):
        fail_here(two_workers)


def test_the_sequential_test_stops_at_the_same_pair_everywhere(two_workers: DaskForTests) -> None:
    duel = Duel(Contender("trader", FEW), Contender("pedlar", FEW), 100, seed=2)
    alone = last(run(duel, 1, (0, 30)))
    with Cluster(two_workers.address) as executor:
        assert last(run(duel, executor, (0, 30))) == alone
    assert isinstance(alone[1], int)
    assert alone[1] < 200


def test_weights_go_to_the_workers_and_records_come_back(two_workers: DaskForTests, tmp_path: Path) -> None:
    """The workers run in another folder, so a relative path would not be found there."""
    weights = tmp_path / "some.weights"
    weights.write_bytes(shipped_weights("merchant"))
    duel = Duel(Contender(f"merchant:{weights}", FEW), Contender("merchant", FEW), 3, records=tmp_path)
    with Cluster(two_workers.address) as executor:
        assert last(run(duel, executor))[0] == [0.5] * 3
        weights.write_bytes(shipped_weights("stranger"))
        assert last(run(duel, executor)) == last(run(duel, 1))
    records = [Record.load(path) for path in sorted(tmp_path.glob("*.jaipur"))]
    assert len(records) == 6
    assert records[0].players == ("bot:merchant some.weights", "bot:merchant")


def play_all(address: str, duel: Duel) -> tuple[object, ...]:
    with Cluster(address) as executor:
        return last(run(duel, executor))


def test_a_program_must_be_at_the_workers(two_workers: DaskForTests) -> None:
    there = Contender(f"exec:{sys.executable} {ROOT / 'tests' / 'support' / 'bots_for_tests.py'} first", FEW)
    only_here = Contender("exec:./only-here", FEW)
    assert play_all(two_workers.address, Duel(there, Contender("random", FEW), 1))[1] == 2
    with pytest.raises(JaipurError, match="There is no program"):
        play_all(two_workers.address, Duel(only_here, Contender("random", FEW), 1))


def test_learning_on_a_cluster_is_learning_here(two_workers: DaskForTests, tmp_path: Path) -> None:
    weights = tmp_path / "some.weights"
    weights.write_bytes(shipped_weights("merchant"))
    plan = Plan(rounds=120, workers=3, stretch=20, against=str(weights))
    *_before, here = train(Checkpoint.start(plan))
    with Cluster(two_workers.address) as executor:
        *_all, there = train(Checkpoint.start(plan), executor)
    assert there.history == here.history
    assert list(there.weights[0]) == list(here.weights[0])
    assert list(there.steady[1]) == list(here.steady[1])


def learn_until_lost(learning: TrainingRun, cluster: DaskForTests) -> None:
    with Cluster(cluster.address) as executor:
        for number, _stretch in enumerate(learning.learn(executor)):
            if number == 1:
                cluster.scheduler.kill()


def test_a_lost_scheduler_ends_a_run_whose_checkpoint_is_kept(tmp_path: Path) -> None:
    plan = Plan(rounds=200, workers=2, stretch=20)
    learning = TrainingRun(tmp_path / "run", plan, 1000, 2)
    with dask(tmp_path, 1) as cluster, pytest.raises(JaipurError, match="was lost"):
        learn_until_lost(learning, cluster)
    kept = Checkpoint.load(learning.path)
    assert kept.rounds == learning.checkpoint.rounds >= 80
    *_before, resumed = train(kept)
    *_all, alone = train(Checkpoint.start(plan))
    assert list(resumed.weights[0]) == list(alone.weights[0])


def play_until_lost(cluster: DaskForTests, shown: list[Standing]) -> None:
    with Cluster(cluster.address) as executor:
        for standing in run(Duel(Contender("trader"), Contender("random"), 100_000), executor):
            shown.append(standing)
            cluster.scheduler.kill()


def test_a_lost_scheduler_ends_a_duel_with_what_it_has(tmp_path: Path) -> None:
    """And with one sentence: Dask would log its attempts to connect again."""
    shown: list[Standing] = []
    logged = BufferingHandler(1000)
    logging.getLogger("distributed.client").addHandler(logged)
    with dask(tmp_path, 1) as cluster, pytest.raises(JaipurError, match="was lost"):
        play_until_lost(cluster, shown)
    logging.getLogger("distributed.client").removeHandler(logged)
    assert shown[-1].games > 0
    assert logged.buffer == []


def test_tasks_are_handed_out_while_dask_goes_through_them(two_workers: DaskForTests) -> None:
    """As it does on a thread of its own once it has lost the scheduler."""
    with Cluster(two_workers.address) as executor:
        answers = [executor.submit(abs, -1)]
        for _task in executor._client.futures.values():
            answers.append(executor.submit(abs, -1))
        assert [answer.result() for answer in answers] == [1, 1]


def test_workers_with_several_threads_are_refused(tmp_path: Path) -> None:
    with dask(tmp_path, 0) as cluster:
        cluster.add_worker(threads=2)
        result = jaipur("duel", "trader", "random", "--rounds", "4", "--cluster", cluster.address, games=tmp_path)
    assert result.returncode == 1
    assert "has several threads" in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_worker_with_other_code_is_refused(two_workers: DaskForTests, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jaipur.cluster.code_digest", lambda: "another one")
    with pytest.raises(JaipurError, match="has a different jaipur from this machine"):
        play_all(two_workers.address, Duel(Contender("random"), Contender("random"), 1))


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense:1:2", "tcp://", "ftp://127.0.0.1:1"])
def test_an_address_without_a_scheduler_is_one_sentence(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jaipur.cluster._CONNECT", 0.5)
    with pytest.raises(JaipurError, match="No Dask scheduler answers at"):
        Cluster(address)
    left = [found for found in gc.get_objects() if isinstance(found, Client)]
    assert all(client.status in {"closed", "newly-created"} for client in left)


def test_the_commands_play_on_a_cluster(two_workers: DaskForTests, tmp_path: Path) -> None:
    arguments = ["--worlds", "2", "--rounds", "4", "--json"]
    where = ["--cluster", two_workers.address]
    duel = jaipur("duel", "broker", "random", *arguments, *where, games=tmp_path)
    alone = jaipur("duel", "broker", "random", *arguments, "--workers", "1", games=tmp_path)
    names = ("win_rate", "games", "rounds", "rupees_per_round")
    assert [json.loads(duel.stdout)[name] for name in names] == [json.loads(alone.stdout)[name] for name in names]
    assert duel.stderr == ""
    learning = ["train", str(tmp_path / "run"), "--rounds", "40", "--workers", "2", "--check-every", "20"]
    result = jaipur(*learning, "--check-rounds", "2", *where, games=tmp_path)
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "run" / "learned.weights").exists()
