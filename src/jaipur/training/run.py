"""A training run from start to end: kept in a folder, tested now and then, finished as a file of weights."""

import os
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from pathlib import Path

from librt.vecs import vec

from jaipur.arena.calibration import correction
from jaipur.arena.duel import Duel, run
from jaipur.arena.play import Contender
from jaipur.bots import Budget
from jaipur.bots.weights import find_network, to_bytes
from jaipur.files import check_writable, make_folder, write_file
from jaipur.training.checkpoint import Checkpoint, Plan, Stage
from jaipur.training.train import train

_CALIBRATION_ROUNDS = 5_000
_SAVE_EVERY = 10.0
"""Seconds between saves: about what a killed run has to repeat."""


class TrainingRun:
    """A folder with a run in it. If there is one already, it is continued with its own plan.

    Every `check_every` rounds it is tested against the trader, in `check_rounds` rounds.
    """

    def __init__(self, folder: Path, plan: Plan, check_every: int, check_rounds: int) -> None:
        self.path = folder / "run.training"
        self.weights = folder / "learned.weights"
        self.check_every = check_every
        self.check_rounds = check_rounds
        if os.path.exists(self.path):
            self.checkpoint = Checkpoint.load(self.path)
        else:
            if plan.against:
                find_network(plan.against)
            self.checkpoint = Checkpoint.start(plan)
            make_folder(folder)
            check_writable(self.path)

    def learn(self, executor: Executor | None = None) -> Iterator[Stage]:
        """Learns until the plan is done; yields after every stretch.

        If the workers are lost, everything up to the last complete stretch is kept.
        """
        checkpoint = self.checkpoint
        next_check = checkpoint.rounds + self.check_every
        saved = time.monotonic()
        try:
            for _stretch in train(checkpoint, executor):
                if time.monotonic() > saved + _SAVE_EVERY:
                    checkpoint.save(self.path)
                    saved = time.monotonic()
                if checkpoint.rounds >= min(next_check, checkpoint.plan.rounds):
                    next_check += self.check_every
                    checkpoint.history[-1].against_trader = self._check()
                yield checkpoint.history[-1]
        except Exception:
            checkpoint.save(self.path)
            raise
        checkpoint.save(self.path)

    def _check(self) -> float:
        """What the current network wins against the trader."""
        write_file(self.weights, to_bytes(*self.checkpoint.steady))
        sides = Contender(f"merchant:{self.weights}", Budget()), Contender("trader", Budget())
        *_before, standing = run(Duel(*sides, self.check_rounds // 2, self.checkpoint.rounds), workers=1)
        return standing.estimate.rate

    def finish(self) -> tuple[float, float]:
        """Writes the weights of the final network, its probabilities corrected; returns the factor and the shift."""
        weights, output = self.checkpoint.steady
        rounds = min(_CALIBRATION_ROUNDS, self.checkpoint.plan.rounds)
        factor, shift = correction(self.checkpoint.network(), rounds, self.checkpoint.plan.seed)
        scaled = [factor * weight for weight in output]
        scaled[-1] += shift
        write_file(self.weights, to_bytes(weights, vec[float](scaled)))
        return factor, shift
