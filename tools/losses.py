"""What players lose in measured positions (`headroom.py`), in rounds won per decision.

The best move is unknown, and the best of several noisy truths is an overestimate. So there are two figures. "At least"
chooses a move on other tries than those that measure it: whatever that move gains over the player's can be had.
"Probably" expects a model: truths differ from beliefs by as much as the moves of all positions show, beyond the noise.
"""

import math
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean, pvariance

from rich.table import Table

from jaipur.arena.statistics import Z95
from jaipur.coach.summary import is_open

PLAYERS = ("network", "vizier, 0.1 s", "vizier, 1 s")
GROUPS = 8
_DRAWS = 1000
_BLOCKS = 20


@dataclass(frozen=True)
class Position:
    """One decision: each player's choice, and for each move what was believed of it and its truth by groups of tries.

    Where all agree and no other move is close, there are no truths, and nobody loses anything.
    """

    plan: dict[str, int]
    number: int
    rival: str
    turn: int
    view: str
    choices: dict[str, str]
    beliefs: dict[str, float]
    truths: dict[str, list[float]]

    @property
    def open(self) -> bool:
        """Whether the round is still open, by the belief in the last player's move."""
        return is_open(self.beliefs[self.choices[PLAYERS[-1]]])

    def behind(self, player: str) -> float:
        """How far the player's move is behind that of the last player."""
        if not self.truths:
            return 0.0
        return fmean(self.truths[self.choices[PLAYERS[-1]]]) - fmean(self.truths[self.choices[player]])

    def at_least(self, player: str, signal: float) -> float:
        """What the player's move loses against moves that were each chosen on the other groups of tries."""
        if not self.truths:
            return 0.0
        chosen = [self.truths[self._choice(without, signal)][without] for without in range(GROUPS)]
        return fmean(chosen) - fmean(self.truths[self.choices[player]])

    def _choice(self, without: int, signal: float) -> str:
        def value(move: str) -> float:
            others = fmean(truth for group, truth in enumerate(self.truths[move]) if group != without)
            return signal * (GROUPS - 1) / GROUPS * others + self.beliefs[move]

        return max(self.truths, key=value)

    def surprises(self) -> dict[str, float]:
        """How much better each move did than was believed, compared with the mean of all moves."""
        found = {move: fmean(truths) - self.beliefs[move] for move, truths in self.truths.items()}
        mean = fmean(found.values())
        return {move: surprise - mean for move, surprise in found.items()}

    def noise(self) -> float:
        """The variance of a surprise that comes from having only so many tries."""
        rows = [[truth - fmean(truths) for truth in truths] for truths in self.truths.values()]
        means = [fmean(column) for column in zip(*rows, strict=True)]
        squares = sum((gap - mean) ** 2 for row in rows for gap, mean in zip(row, means, strict=True))
        return squares / ((len(rows) - 1) * (GROUPS - 1)) / GROUPS

    def probably(self, player: str, signal: float) -> float:
        """What the player's move loses by the model."""
        if not self.truths:
            return 0.0
        seen = {move: self.beliefs[move] + gap * signal / (1 + signal) for move, gap in self.surprises().items()}
        unsure, rng = math.sqrt(self.noise() * signal / (1 + signal)), random.Random(self.number)
        best = fmean(max(value + unsure * rng.gauss(0, 1) for value in seen.values()) for _ in range(_DRAWS))
        return best - seen[self.choices[player]]


PHASES: dict[str, Callable[[Position], bool]] = {
    "all": lambda one: True,
    "open": lambda one: one.open,
    "early": lambda one: one.turn < 15,
    "middle": lambda one: 15 <= one.turn < 30,
    "late": lambda one: one.turn >= 30,
}
"""By the number of turns played."""


def signal_of(positions: Sequence[Position]) -> float:
    """How far surprises are to be believed: their true variance, as a multiple of that of their noise."""
    measured = [one for one in positions if one.truths]
    seen = sum(gap**2 for one in measured for gap in one.surprises().values())
    noise = sum(one.noise() * (len(one.truths) - 1) for one in measured)
    return max(seen / noise - 1, 0.0) if noise else 0.0


def mean_losses(positions: Sequence[Position]) -> dict[tuple[str, str], list[float]]:
    """By phase and player: what is lost at least, what probably, and how far the last player is ahead."""
    signal, found = signal_of(positions), defaultdict(list)
    for one in positions:
        for player in PLAYERS:
            losses = one.at_least(player, signal), one.probably(player, signal), one.behind(player)
            for phase, belongs in PHASES.items():
                if belongs(one):
                    found[phase, player].append(losses)
    return {key: [fmean(column) for column in zip(*rows, strict=True)] for key, rows in found.items()}


def report(positions: Sequence[Position]) -> Table:
    """The losses with 95% intervals: a jackknife, so that they include how well the model's signal is known."""
    blocks = min(_BLOCKS, len(positions))
    parts = [[one for at, one in enumerate(positions) if at % blocks != block] for block in range(blocks)]
    whole, without = mean_losses(positions), [mean_losses(part) for part in parts]
    table = Table("decisions", "player", "loses at least", "probably", f"behind {PLAYERS[-1]}")
    for phase, belongs in PHASES.items():
        measured = [bool(one.truths) for one in positions if belongs(one)]
        for player in PLAYERS if measured else ():
            others = [part[phase, player] for part in without if (phase, player) in part]
            columns = [[losses[at] for losses in others] for at in range(3)]
            cells = (_interval(loss, column) for loss, column in zip(whole[phase, player], columns, strict=True))
            table.add_row(f"{phase}: {len(measured)}, measured {sum(measured)}", player, *cells)
    return table


def _interval(loss: float, without: list[float]) -> str:
    """A mean and the reach of its interval, from the means without one block of positions each."""
    reach = Z95 * math.sqrt((len(without) - 1) * pvariance(without)) if len(without) > 1 else math.inf
    return f"{loss:.4f} ± {reach:.4f}"
