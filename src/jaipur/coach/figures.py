"""Measured figures that ship with the package: what starting is worth, each level's losses and style, luck weights.

`make figures` measures them again; they hold for one network, which they name.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from jaipur.bots import LEVELS
from jaipur.coach.style import Style


@dataclass(frozen=True)
class LevelFigure:
    """What a level loses per open decision under the judge (`summary`), with its standard error."""

    loss: float
    error: float


@dataclass(frozen=True)
class Figures:
    """All figures. `start` is the starter's probability of winning a round; `weights` are those of the kinds of luck.

    `spread` is the standard deviation of a round's result between equals, with the luck taken off.
    """

    judge: str
    start: float
    weights: dict[str, float]
    levels: dict[str, LevelFigure]
    styles: dict[str, Style]
    spread: float


GRADED = tuple(name for name in LEVELS if name != "random")
"""The levels that a person is compared with."""
KINDS = ("deal", "refills", "bonus")
"""The kinds of luck."""


def measured() -> dict[str, Any]:
    """Everything that was measured, by name."""
    return dict(json.loads(files("jaipur.coach").joinpath("figures.json").read_text(encoding="utf-8")))


@cache
def figures() -> Figures:
    """The figures that ship with the package."""
    data = measured()
    weights = {kind: data[f"{kind}_weight"] for kind in KINDS}
    levels = {name: LevelFigure(data[f"{name}_loss"], data[f"{name}_error"]) for name in GRADED}
    styles = {one.pop("level"): Style(**one) for one in data["styles"]}
    return Figures(data["judge"], data["start"], weights, levels, styles, data["sd_without_weighed_luck"])


def level_like(loss: float) -> str:
    """The level whose losses per open decision are nearest."""
    levels = figures().levels
    return min(levels, key=lambda name: abs(levels[name].loss - loss))
