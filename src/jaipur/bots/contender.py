"""Who takes part in a duel: a level, a file of weights, or a program of somebody else."""

from dataclasses import dataclass
from pathlib import Path

from jaipur.bots.external import ExternalBot
from jaipur.bots.levels import LEVELS, make_player
from jaipur.bots.merchant import Merchant, Vizier
from jaipur.bots.player import DEFAULT_BUDGET, Budget, Player
from jaipur.bots.weights import load_network, shipped_network
from jaipur.core.errors import N_, JaipurError

EXEC = "exec:"


@dataclass(frozen=True)
class Contender:
    """A player by its description: `vizier`, `merchant:FILE` with other weights, or `exec:COMMAND`."""

    name: str
    budget: Budget = DEFAULT_BUDGET

    @property
    def short(self) -> str:
        """A name for tables and records: of a file or a command only its own name."""
        level, colon, rest = self.name.partition(":")
        return f"{level} {Path(rest.split()[0]).name}" if colon and rest.split() else level

    def make(self) -> Player:
        """The player itself."""
        if self.name.startswith(EXEC):
            return ExternalBot(self.name.removeprefix(EXEC))
        level, colon, file = self.name.partition(":")
        if not colon:
            return make_player(level)
        if level == "merchant":
            return Merchant(load_network(Path(file)))
        if level == "vizier":
            return Vizier(load_network(Path(file)), shipped_network("merchant"))
        raise JaipurError(
            N_("“{name}” is no contender: choose {names}, merchant:FILE, vizier:FILE or exec:COMMAND."),
            name=self.name[:40],
            names=", ".join(LEVELS),
        )
