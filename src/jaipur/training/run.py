"""A training run from start to end: kept in a folder, tested now and then, finished as a file of weights."""

import os
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

from librt.vecs import vec

from jaipur.arena.calibration import correction
from jaipur.arena.contender import Contender
from jaipur.arena.duel import Duel, run
from jaipur.bots import Budget
from jaipur.bots.weights import find_network, to_bytes
from jaipur.files import check_writable, make_folder, write_file
from jaipur.training.checkpoint import Checkpoint, Plan
from jaipur.training.train import train

_CALIBRATION_ROUNDS = 5_000
_SAVE_EVERY = 10.0
"""Seconds between saves: about what a killed run has to repeat."""


@dataclass(frozen=True)
class Checks:
    """How many rounds of learning pass between tests against the trader, and how many rounds each test has."""

    every: int
    rounds: int


@dataclass(frozen=True)
class Checked:
    """What a test found."""

    rounds: int
    won: float
    turns: float
    error: float


@dataclass(frozen=True)
class Finished:
    """The factor and the shift that made the final network's probabilities true."""

    factor: float
    shift: float


class TrainingRun:
    """A folder with a run in it. If there is one already, it is continued with its own plan."""

    def __init__(self, folder: Path, plan: Plan, checks: Checks) -> None:
        self.path = folder / "run.training"
        self.weights = folder / "learned.weights"
        self.checks = checks
        if os.path.exists(self.path):
            self.checkpoint = Checkpoint.load(self.path)
        else:
            if plan.against:
                find_network(plan.against)
            self.checkpoint = Checkpoint.start(plan)
            make_folder(folder)
            check_writable(self.path)

    @property
    def rounds(self) -> int:
        """Rounds played so far."""
        return self.checkpoint.rounds

    def learn(self, executor: Executor | None = None) -> Iterator[Checked | None]:
        """Learns until the plan is done; yields after every stretch, with the test if there was one.

        If the workers are lost, everything up to the last complete stretch is kept.
        """
        plan = self.checkpoint.plan
        next_check = self.rounds + self.checks.every
        saved = time.monotonic()
        for _stretch in self._kept_when_lost(train(self.checkpoint, executor)):
            if time.monotonic() > saved + _SAVE_EVERY:
                self.checkpoint.save(self.path)
                saved = time.monotonic()
            checked = None
            if self.rounds >= min(next_check, plan.rounds):
                next_check += self.checks.every
                checked = self._check()
            yield checked
        self.checkpoint.save(self.path)

    def _kept_when_lost(self, stretches: Iterator[Checkpoint]) -> Iterator[Checkpoint]:
        try:
            yield from stretches
        except Exception:
            self.checkpoint.save(self.path)
            raise

    def _check(self) -> Checked:
        """Tests the current network against the trader."""
        write_file(self.weights, to_bytes(*self.checkpoint.steady))
        sides = Contender(f"merchant:{self.weights}", Budget()), Contender("trader", Budget())
        *_before, standing = run(Duel(*sides, self.checks.rounds // 2, self.rounds), workers=1)
        now = self.checkpoint.history[-1]
        now["against_trader"] = standing.estimate.rate
        return Checked(self.rounds, standing.estimate.rate, now["turns"], now["error"])

    def finish(self) -> Finished:
        """Corrects the probabilities of the final network and writes its weights."""
        weights, output = self.checkpoint.steady
        rounds = min(_CALIBRATION_ROUNDS, self.checkpoint.plan.rounds)
        factor, shift = correction(self.checkpoint.network(), rounds, self.checkpoint.plan.seed)
        scaled = [factor * weight for weight in output]
        scaled[-1] += shift
        write_file(self.weights, to_bytes(weights, vec[float](scaled)))
        return Finished(factor, shift)
