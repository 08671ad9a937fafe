"""Who takes part in a duel."""

from dataclasses import dataclass, replace

from jaipur.bots import DEFAULT_BUDGET, Budget, Player, make_player
from jaipur.bots.levels import short_name, split_name
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
        """A name for tables and records."""
        return short_name(self.name)

    def make(self) -> Player:
        """The player itself."""
        return make_player(f"{split_name(self.name)[0]}:{self.sent}" if self.sent else self.name)

    def sent_to(self, workers: Elsewhere) -> "Contender":
        """The same contender, with its file of weights, if any, sent to the workers."""
        _level, file = split_name(self.name)
        return replace(self, sent=workers.send(read_weights(file))) if file else self
