"""The training loop: workers play and learn on their own for a stretch, then their weights are averaged."""

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache

from librt.vecs import vec

from jaipur.bots.weights import SHIPPED, find_network, read_weights
from jaipur.brain.learner import learner_of
from jaipur.brain.network import Network
from jaipur.processes import Elsewhere, in_order, pool_of
from jaipur.rules.rng import Rng
from jaipur.training.checkpoint import Checkpoint, Progress

Packed = tuple[bytes, ...]
"""Both sets of weights, hidden layer and output of each, and the feature counts, for another process."""


@dataclass(frozen=True)
class Stretch:
    """One worker's task."""

    weights: Packed
    rounds: int
    rate: float
    trace: float
    explore: float
    follow: float
    seed: int
    against: str


@dataclass(frozen=True)
class Learned:
    """What a worker brings back."""

    weights: Packed
    error: float
    positions: int


def learn_stretch(task: Stretch) -> Learned:
    """Plays a number of rounds and learns from each."""
    learner = learner_of([_to_list(part) for part in task.weights], Rng(task.seed))
    if task.against:
        learner.opponent = _opponent(task.against)
    learner.play(task.rounds, task.rate, task.trace, task.explore, task.follow)
    weights = learner.weights, learner.output, learner.steady_weights, learner.steady_output
    return Learned(_pack(*weights, learner.seen), learner.error, learner.positions)


@cache
def _opponent(name: str) -> Network:
    """The opponent, loaded once per process: it does not learn."""
    return find_network(name)


def train(run: Checkpoint, executor: Executor | None = None) -> Iterator[Checkpoint]:
    """Continues a run until its plan is done; yields it after every stretch.

    The plan says how many workers learn side by side. Whether they are processes made here or an executor's changes
    nothing.
    """
    plan = run.plan
    against = plan.against
    if isinstance(executor, Elsewhere) and against and against not in SHIPPED:
        against = executor.send(read_weights(against))
    with pool_of(plan.workers) if executor is None else nullcontext(executor) as pool:
        while run.rounds < plan.rounds:
            weights = _pack(*run.weights, *run.steady, run.seen)
            tasks = [
                Stretch(
                    weights,
                    plan.stretch,
                    plan.rate_at(run.rounds),
                    plan.trace,
                    plan.explore,
                    plan.follow_at(run.rounds),
                    plan.seed * 1_000_000_007 + run.rounds * plan.workers + worker,
                    against,
                )
                for worker in range(plan.workers)
            ]
            learned = list(in_order(learn_stretch, tasks, pool))
            parts = [_average(same) for same in zip(*(one.weights for one in learned), strict=True)]
            run.weights, run.steady, run.seen = (parts[0], parts[1]), (parts[2], parts[3]), parts[4]
            run.rounds += plan.stretch * plan.workers
            positions = sum(one.positions for one in learned)
            error = sum(one.error for one in learned) / positions
            run.history.append(Progress(run.rounds, error, positions / (plan.stretch * plan.workers)))
            yield run


def _pack(*weights: "vec[float]") -> Packed:
    return tuple(bytes(memoryview(part)) for part in weights)


def _average(parts: tuple[bytes, ...]) -> "vec[float]":
    return vec[float]([sum(weights) / len(parts) for weights in zip(*map(_to_list, parts), strict=True)])


def _to_list(data: bytes) -> list[float]:
    return list(memoryview(data).cast("d"))
