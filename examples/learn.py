"""Learns Jaipur by policy gradient and shows how it does against the trader.

    python examples/learn.py --minutes 8

Both seats of 256 rounds are played by the same policy in the vector environment. It scores each legal move by the sum
of the weights of its features, so it needs no mask and no output for 25,499 actions. A second set of weights values
moves. The advantage of a move is what came of it (generalized advantage estimation; the sign changes from turn to
turn, since the other seat moves) over the mean value of the moves that it was chosen from.
"""

import argparse
import time
from dataclasses import dataclass, field
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from jaipur.envs import FEATURES, SLOTS, SOLO, SelfPlayEnv

Array = NDArray[Any]
ROUNDS = 256
STEPS = 32
LAMBDA = 0.9
ENTROPY = 0.01


class Weights:
    """A weight for each feature, moved by Adam."""

    def __init__(self, rate: float) -> None:
        self.rate = rate
        self.now = np.zeros(FEATURES, np.float32)
        self.mean = np.zeros(FEATURES)
        self.square = np.zeros(FEATURES)
        self.updates = 0

    def move(self, gradient: Array) -> None:
        """One step uphill."""
        self.updates += 1
        self.mean += 0.1 * (gradient - self.mean)
        self.square += 0.001 * (gradient**2 - self.square)
        size = np.sqrt(self.square / (1 - 0.999**self.updates)) + 1e-8
        self.now += (self.rate * self.mean / (1 - 0.9**self.updates) / size).astype(np.float32)


@dataclass
class Learner:
    """What it has learned: which moves to play, and how good they are."""

    policy: Weights = field(default_factory=lambda: Weights(0.01))
    value: Weights = field(default_factory=lambda: Weights(0.003))


@dataclass
class Step:
    """One turn of all rounds: the legal moves, their odds and values, and what came of the chosen ones."""

    moves: Any
    first: Array
    odds: Array
    values: Array
    expected: Array
    chosen: Array
    rewards: Array
    ended: Array

    def sums(self, numbers: Array) -> Array:
        """The sum over the moves of each round."""
        return np.add.reduceat(numbers, self.first[:-1])

    def spread(self, numbers: Array) -> Array:
        """A number of each round for all of its moves."""
        return np.repeat(numbers, np.diff(self.first))


def rows(features: Array) -> Any:
    """Features as a sparse matrix with a row for each move."""
    ends = np.arange(0, features.size + 1, SLOTS, dtype=np.int32)
    return csr_array(
        (np.ones(features.size, np.float32), features.ravel().astype(np.int32), ends), (len(features), FEATURES)
    )


def look(learner: Learner, infos: dict[str, Any], luck: np.random.Generator) -> Step:
    """Values all moves and draws one for each round by its odds."""
    moves, first = rows(infos["features"]), infos["first"]
    scores = moves @ learner.policy.now
    values = np.tanh(moves @ learner.value.now)
    nothing = np.zeros(ROUNDS)
    step = Step(moves, first, scores, values, nothing, nothing, nothing, nothing)
    odds = np.exp(scores - step.spread(np.maximum.reduceat(scores, first[:-1])))
    step.odds = odds / step.spread(step.sums(odds))
    step.expected = step.sums(step.odds * values)
    ends = np.cumsum(step.odds, dtype=np.float64)
    aim = np.arange(ROUNDS) + luck.random(ROUNDS)
    step.chosen = np.clip(np.searchsorted(ends, aim), first[:-1], first[1:] - 1)
    return step


def advantages(steps: list[Step], last: Array) -> list[Array]:
    """Backwards through the steps: what is good for one seat is bad for the other."""
    ahead, following = np.zeros(ROUNDS), last
    found: list[Array] = []
    for step in reversed(steps):
        surprise = np.where(step.ended, step.rewards, -following) - step.expected
        ahead = surprise - np.where(step.ended, 0.0, LAMBDA * ahead)
        following = step.expected
        found.append(ahead)
    return found[::-1]


def learn(learner: Learner, steps: list[Step], last: Array) -> None:
    """One update from all the steps."""
    policy, value = np.zeros(FEATURES), np.zeros(FEATURES)
    for step, ahead in zip(steps, advantages(steps, last), strict=True):
        logs = np.log(step.odds + 1e-12)
        push = -step.odds * (step.spread(ahead) + ENTROPY * (logs - step.spread(step.sums(step.odds * logs))))
        push[step.chosen] += ahead
        error = np.zeros(len(push))
        seen = step.values[step.chosen]
        error[step.chosen] = (step.expected + ahead - seen) * (1 - seen**2)
        policy += step.moves.T @ push
        value += step.moves.T @ error
    learner.policy.move(policy / (ROUNDS * STEPS))
    learner.value.move(value / (ROUNDS * STEPS))


def practise(learner: Learner, env: SelfPlayEnv, infos: dict[str, Any], luck: np.random.Generator) -> Any:
    """Plays and learns; answers what the rounds look like now, and how many of them ended."""
    steps = []
    for _ in range(STEPS):
        step = look(learner, infos, luck)
        _, step.rewards, step.ended, _, infos = env.step(infos["legal"][step.chosen])
        steps.append(step)
    learn(learner, steps, look(learner, infos, luck).expected)
    return infos, sum(int(step.ended.sum()) for step in steps)


def win_rate(learner: Learner, opponent: str, rounds: int) -> float:
    """How often the moves with the best score win a round against one of our levels."""
    env = gymnasium.make(SOLO, opponent=opponent, features=True)
    wins = 0.0
    for number in range(rounds):
        _, info = env.reset(seed=number)
        ended = False
        while not ended:
            best = (rows(np.array(info["features"])) @ learner.policy.now).argmax()
            _, reward, ended, _, info = env.step(info["legal"][best])
        wins += (float(reward) + 1) / 2
    return wins / rounds


def main() -> None:
    """Learns for some minutes and prints a line now and then."""
    options = argparse.ArgumentParser(description="Learn Jaipur by policy gradient.")
    options.add_argument("--minutes", type=float, default=8)
    options.add_argument("--opponent", default="trader")
    options.add_argument("--test-rounds", type=int, default=200)
    options.add_argument("--reports", type=int, default=10)
    wanted = options.parse_args()
    luck = np.random.default_rng(1)
    env = SelfPlayEnv(ROUNDS, features=True)
    _, infos = env.reset(seed=1)
    learner = Learner()
    start, played = time.monotonic(), 0
    for report in range(wanted.reports + 1):
        while time.monotonic() - start < 60 * wanted.minutes * report / wanted.reports:
            infos, ended = practise(learner, env, infos, luck)
            played += ended
        rate = win_rate(learner, wanted.opponent, wanted.test_rounds)
        print(f"{time.monotonic() - start:5.0f} s {played:8,} rounds: {rate:4.0%} won against the {wanted.opponent}")


if __name__ == "__main__":
    main()
