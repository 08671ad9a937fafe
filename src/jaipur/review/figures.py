"""Measured figures that ship with the package: what starting is worth, what each level loses, how luck is weighed.

`make figures` measures them again; they belong to one network, which they name.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from jaipur.bots import LEVELS


@dataclass(frozen=True)
class LevelFigure:
    """What a level loses per open decision under the judge (`headline`), with its standard error."""

    loss: float
    error: float


@dataclass(frozen=True)
class Figures:
    """All of them. `start` is the starter's probability of winning a round; `weights` are those of the luck."""

    judge: str
    start: float
    weights: dict[str, float]
    levels: dict[str, LevelFigure]


GRADED = tuple(name for name in LEVELS if name != "random")
"""The levels that a person is compared with."""
KINDS = ("deal", "refills", "bonus")
"""The kinds of luck."""


def measured() -> dict[str, Any]:
    """Everything that was measured, by name."""
    return dict(json.loads(files("jaipur.review").joinpath("figures.json").read_text(encoding="utf-8")))


@cache
def figures() -> Figures:
    """The figures that ship."""
    data = measured()
    weights = {kind: data[f"{kind}_weight"] for kind in KINDS}
    levels = {name: LevelFigure(data[f"{name}_loss"], data[f"{name}_error"]) for name in GRADED}
    return Figures(data["judge"], data["start"], weights, levels)


def level_like(loss: float) -> str:
    """The level whose losses per open decision are nearest."""
    levels = figures().levels
    return min(levels, key=lambda name: abs(levels[name].loss - loss))
