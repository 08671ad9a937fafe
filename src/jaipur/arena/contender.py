"""Who takes part in a duel."""

from dataclasses import dataclass, replace
from pathlib import Path

from jaipur.bots import DEFAULT_BUDGET, LEVELS, Budget, Player, make_player
from jaipur.bots.weights import read_weights
from jaipur.processes import Elsewhere


@dataclass(frozen=True)
class Contender:
    """A player by its name (see `make_player`), and how long it may think.

    If its file of weights had to be sent to the workers, `sent` is the file's name there.
    """

    name: str
    budget: Budget = DEFAULT_BUDGET
    sent: str = ""

    @property
    def short(self) -> str:
        """A name for tables and records; a file or a command appears by its bare name."""
        level, _colon, rest = self.name.partition(":")
        return f"{level} {Path(rest.split()[0]).name}" if rest.split() else level

    def make(self) -> Player:
        """The player itself."""
        level = self.name.partition(":")[0]
        return make_player(f"{level}:{self.sent}" if self.sent else self.name)

    def sent_to(self, workers: Elsewhere) -> "Contender":
        """The same contender, with its file of weights, if any, sent to the workers."""
        level, _colon, file = self.name.partition(":")
        return replace(self, sent=workers.send(read_weights(file))) if file and level in LEVELS else self
