"""Measured figures that ship with the package: starting, what each level loses and how it plays, how luck is weighed.

`make figures` measures them again; they belong to one network, which they name.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from jaipur.bots import LEVELS
from jaipur.review.style import Style


@dataclass(frozen=True)
class LevelFigure:
    """What a level loses per open decision under the judge (`headline`), with its standard error."""

    loss: float
    error: float


@dataclass(frozen=True)
class Figures:
    """All of them. `start` is the starter's probability of winning a round; `weights` are those of the luck.

    `spread` is that of one round's result between equals when its luck is taken off.
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
    return dict(json.loads(files("jaipur.review").joinpath("figures.json").read_text(encoding="utf-8")))


@cache
def figures() -> Figures:
    """The figures that ship."""
    data = measured()
    weights = {kind: data[f"{kind}_weight"] for kind in KINDS}
    levels = {name: LevelFigure(data[f"{name}_loss"], data[f"{name}_error"]) for name in GRADED}
    styles = {one.pop("level"): Style(**one) for one in data["styles"]}
    return Figures(data["judge"], data["start"], weights, levels, styles, data["sd_without_weighed_luck"])


def level_like(loss: float) -> str:
    """The level whose losses per open decision are nearest."""
    levels = figures().levels
    return min(levels, key=lambda name: abs(levels[name].loss - loss))
