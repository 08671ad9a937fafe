"""The training run: workers play and learn on their own for a stretch, then their weights are averaged."""

from collections.abc import Iterator
from dataclasses import dataclass

from librt.vecs import vec

from jaipur.arena.workers import pool_of
from jaipur.core.learner import learner_of
from jaipur.core.rng import Rng
from jaipur.training.checkpoint import Checkpoint

Packed = tuple[bytes, ...]
"""The weights that learn and the steady ones, hidden layer and output of each, and what was seen, for another process.
"""


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


@dataclass(frozen=True)
class Learned:
    """What a worker brings back."""

    weights: Packed
    error: float
    positions: int


def learn_stretch(task: Stretch) -> Learned:
    """Plays a number of rounds against itself and learns from each."""
    learner = learner_of([_to_list(part) for part in task.weights], Rng(task.seed))
    learner.play(task.rounds, task.rate, task.trace, task.explore, task.follow)
    weights = learner.weights, learner.output, learner.steady_weights, learner.steady_output
    return Learned(_pack(*weights, learner.seen), learner.error, learner.positions)


def train(run: Checkpoint) -> Iterator[Checkpoint]:
    """Goes on with a run until its plan is fulfilled; yields it after every stretch."""
    plan = run.plan
    with pool_of(plan.workers) as pool:
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
                )
                for worker in range(plan.workers)
            ]
            learned = list(pool.map(learn_stretch, tasks))
            parts = [_average(same) for same in zip(*(one.weights for one in learned), strict=True)]
            run.weights, run.steady, run.seen = (parts[0], parts[1]), (parts[2], parts[3]), parts[4]
            run.rounds += plan.stretch * plan.workers
            positions = sum(one.positions for one in learned)
            run.history.append(
                {
                    "rounds": run.rounds,
                    "error": sum(one.error for one in learned) / positions,
                    "turns": positions / (plan.stretch * plan.workers),
                }
            )
            yield run


def _pack(*weights: "vec[float]") -> Packed:
    return tuple(bytes(memoryview(part)) for part in weights)


def _average(parts: tuple[bytes, ...]) -> "vec[float]":
    return vec[float]([sum(weights) / len(parts) for weights in zip(*map(_to_list, parts), strict=True)])


def _to_list(data: bytes) -> list[float]:
    return list(memoryview(data).cast("d"))
