"""The training loop: workers play and learn on their own for a stretch, then their weights are averaged."""

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cache, partial

from librt.vecs import vec

from jaipur.bots.weights import SHIPPED, find_network, read_weights
from jaipur.brain.learner import learner_of
from jaipur.brain.network import Network
from jaipur.processes import Elsewhere, in_order, pool_of
from jaipur.rules.rng import Rng
from jaipur.training.checkpoint import Checkpoint, Plan, Stage

Packed = tuple[bytes, ...]
"""Both sets of weights, hidden layer and output of each, and the feature counts, for another process."""


@dataclass(frozen=True)
class Learned:
    """What a worker brings back."""

    weights: Packed
    error: float
    positions: int


def learn_stretch(plan: Plan, weights: Packed, rounds: int, worker: int) -> Learned:
    """One worker's part of the stretch that begins after so many rounds: it plays and learns from each round."""
    rng = Rng(plan.seed * 1_000_000_007 + rounds * plan.workers + worker)
    learner = learner_of([_to_list(part) for part in weights], rng)
    if plan.against:
        learner.opponent = _opponent(plan.against)
    learner.play(plan.stretch, plan.rate_at(rounds), plan.trace, plan.explore, plan.follow_at(rounds))
    both = learner.weights, learner.output, learner.steady_weights, learner.steady_output
    return Learned(_pack(*both, learner.seen), learner.error, learner.positions)


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
    if isinstance(executor, Elsewhere) and plan.against and plan.against not in SHIPPED:
        plan = replace(plan, against=executor.send(read_weights(plan.against)))
    with pool_of(plan.workers) if executor is None else nullcontext(executor) as pool:
        while run.rounds < plan.rounds:
            task = partial(learn_stretch, plan, _pack(*run.weights, *run.steady, run.seen), run.rounds)
            learned = list(in_order(task, range(plan.workers), pool))
            parts = [_average(same) for same in zip(*(one.weights for one in learned), strict=True)]
            run.weights, run.steady, run.seen = (parts[0], parts[1]), (parts[2], parts[3]), parts[4]
            run.rounds += plan.stretch * plan.workers
            positions = sum(one.positions for one in learned)
            error = sum(one.error for one in learned) / positions
            run.history.append(Stage(run.rounds, error, positions / (plan.stretch * plan.workers)))
            yield run


def _pack(*weights: "vec[float]") -> Packed:
    return tuple(bytes(memoryview(part)) for part in weights)


def _average(parts: tuple[bytes, ...]) -> "vec[float]":
    return vec[float]([sum(weights) / len(parts) for weights in zip(*map(_to_list, parts), strict=True)])


def _to_list(data: bytes) -> list[float]:
    return list(memoryview(data).cast("d"))
