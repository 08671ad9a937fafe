"""The training run: workers play and learn on their own for a stretch, then their weights are averaged."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from librt.vecs import vec

from jaipur.arena.workers import pool_of
from jaipur.core.learner import learner_of
from jaipur.core.rng import Rng
from jaipur.training.checkpoint import Checkpoint

_REFRESH = 50
"""Rounds after which self-play takes over the weights that were learned meanwhile."""


@dataclass(frozen=True)
class Stretch:
    """One worker's task."""

    weights: bytes
    output: bytes
    rounds: int
    rate: float
    trace: float
    explore: float
    seed: int


@dataclass(frozen=True)
class Learned:
    """What a worker brings back."""

    weights: bytes
    output: bytes
    error: float
    positions: int


def learn_stretch(task: Stretch) -> Learned:
    """Plays a number of rounds against itself and learns from each."""
    learner = learner_of(_to_list(task.weights), _to_list(task.output), Rng(task.seed))
    learner.play(task.rounds, task.rate, task.trace, task.explore, _REFRESH)
    return Learned(_to_bytes(learner.weights), _to_bytes(learner.output), learner.error, learner.positions)


def train(run: Checkpoint) -> Iterator[Checkpoint]:
    """Goes on with a run until its plan is fulfilled; yields it after every stretch."""
    plan = run.plan
    with pool_of(plan.workers) as pool:
        while run.rounds < plan.rounds:
            weights, output = _to_bytes(run.weights[0]), _to_bytes(run.weights[1])
            tasks = [
                Stretch(
                    weights,
                    output,
                    plan.stretch,
                    plan.rate_at(run.rounds),
                    plan.trace,
                    plan.explore,
                    plan.seed * 1_000_000_007 + run.rounds * plan.workers + worker,
                )
                for worker in range(plan.workers)
            ]
            learned = list(pool.map(learn_stretch, tasks))
            run.weights = _average([one.weights for one in learned]), _average([one.output for one in learned])
            run.rounds += plan.stretch * plan.workers
            positions = sum(one.positions for one in learned)
            run.history.append(
                {
                    "rounds": run.rounds,
                    "error": sum(one.error for one in learned) / positions,
                    "turns": positions / (plan.stretch * plan.workers),
                }
            )
            if run.rounds > (1 - plan.averaged) * plan.rounds:
                run.tail = _sum(run.tail[0], run.weights[0]), _sum(run.tail[1], run.weights[1])
                run.tail_count += 1
            yield run


def _average(parts: list[bytes]) -> "vec[float]":
    return vec[float]([math.fsum(weights) / len(parts) for weights in zip(*map(_to_list, parts), strict=True)])


def _sum(total: "vec[float]", more: "vec[float]") -> "vec[float]":
    return vec[float]([a + b for a, b in zip(total, more, strict=True)])


def _to_bytes(weights: "vec[float]") -> bytes:
    return bytes(memoryview(weights))


def _to_list(data: bytes) -> list[float]:
    return list(memoryview(data).cast("d"))
