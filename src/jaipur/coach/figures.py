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
class Figures:
    """All figures. `start` is the starter's probability of winning a round; `weights` are those of the kinds of luck.

    `levels` has what each level loses per open decision (`summary`), with the standard error. `spread` is the standard
    deviation of a round's result between equals, with the luck taken off.
    """

    start: float
    weights: dict[str, float]
    levels: dict[str, tuple[float, float]]
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
    levels = {name: (data[f"{name}_loss"], data[f"{name}_error"]) for name in GRADED}
    styles = {one.pop("level"): Style(**one) for one in data["styles"]}
    return Figures(data["start"], weights, levels, styles, data["sd_without_weighed_luck"])


def level_like(loss: float) -> str:
    """The level whose losses per open decision are nearest."""
    return min(GRADED, key=lambda name: abs(figures().levels[name][0] - loss))
