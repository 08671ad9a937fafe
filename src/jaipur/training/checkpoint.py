"""A training run as saved to disk, so that it can be resumed after a stop."""

import json
from array import array
from dataclasses import asdict, dataclass, field
from pathlib import Path

from librt.vecs import vec

from jaipur.bots.weights import weights_of
from jaipur.brain.features import FEATURES
from jaipur.brain.learner import STEP_ROUNDS, new_output, new_seen, new_weights
from jaipur.brain.network import HIDDEN, Network, network_of
from jaipur.files import read_file, write_file
from jaipur.rules.errors import N_, JaipurError
from jaipur.rules.rng import Rng

MAGIC = b"jaipur training 3\n"
Weights = tuple["vec[float]", "vec[float]"]
"""The weights of the hidden layer and of the output."""

_MEMORY = 1 / 30
"""At the end, the steady weights are an average over about this fraction of the run."""


@dataclass(frozen=True)
class Plan:
    """How to learn. Two runs with the same plan learn the same."""

    rounds: int = 1_000_000
    rate: float = 0.01
    last_rate: float = 0.0005
    trace: float = 0.85
    explore: float = 0.02
    seed: int = 1
    workers: int = 2
    stretch: int = 2_000
    """Rounds that each worker plays on its own before the weights are averaged."""
    start: str = ""
    """The network to start from, a level's or a file's; if empty, the run starts from scratch."""
    against: str = ""
    """The network that plays the other side and does not learn; if empty, the learner plays itself."""

    def rate_at(self, rounds: int) -> float:
        """The learning rate, which falls linearly."""
        return self.rate + (self.last_rate - self.rate) * min(rounds / self.rounds, 1.0)

    def follow_at(self, rounds: int) -> float:
        """What fraction of the way to the learning weights the steady ones go in one step.

        All the way at first, since early opinions are wrong; then it falls exponentially until half of the run is over.
        """
        last = min(STEP_ROUNDS * self.workers / (_MEMORY * self.rounds), 1.0)
        return float(last ** min(2 * rounds / self.rounds, 1.0))


@dataclass
class Stage:
    """What a stretch was like, once so many rounds were played; `against_trader` is the share won in a test."""

    rounds: int
    error: float
    turns: float
    against_trader: float | None = None


@dataclass
class Checkpoint:
    """A run in progress: the weights that learn, the steady ones that play and are the result, and feature counts."""

    plan: Plan
    weights: Weights
    steady: Weights
    seen: "vec[float]"
    rounds: int = 0
    history: list[Stage] = field(default_factory=list)

    @classmethod
    def start(cls, plan: Plan) -> "Checkpoint":
        """A run that has not played a round yet."""
        rng = Rng(plan.seed)
        weights = weights_of(plan.start) if plan.start else (new_weights(rng), new_output(rng))
        return cls(plan, weights, (vec[float](weights[0]), vec[float](weights[1])), new_seen())

    def network(self) -> Network:
        """A network with the steady weights."""
        weights, output = self.steady
        return network_of(list(weights), list(output))

    def save(self, path: Path) -> None:
        """Writes the run to a file."""
        head = {"plan": asdict(self.plan), "rounds": self.rounds, "history": list(map(asdict, self.history))}
        body = b"".join(bytes(memoryview(part)) for part in (*self.weights, *self.steady, self.seen))
        write_file(path, MAGIC + json.dumps(head).encode() + b"\n" + body)

    @classmethod
    def load(cls, path: Path) -> "Checkpoint":
        """Reads a run from a file."""
        sizes = [(FEATURES + 1) * HIDDEN, HIDDEN + 1] * 2 + [FEATURES + 1]
        data = read_file(path)
        try:
            head_line, _, body = data.removeprefix(MAGIC).partition(b"\n")
            head = json.loads(head_line)
            numbers = array("d", body)
            if not data.startswith(MAGIC) or len(numbers) != sum(sizes):
                raise ValueError
            parts = []
            for size in sizes:
                parts.append(vec[float](numbers[:size]))
                numbers = numbers[size:]
            history = [Stage(**one) for one in head["history"]]
            weights, steady = (parts[0], parts[1]), (parts[2], parts[3])
            return cls(Plan(**head["plan"]), weights, steady, parts[4], head["rounds"], history)
        except (ValueError, KeyError, TypeError) as error:
            raise JaipurError(
                N_("{path} is not a training run of this version, or it is damaged."), path=str(path)
            ) from error
