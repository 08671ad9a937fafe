"""What the reviews of somebody's matches say about them over time."""

import json
import math
from dataclasses import dataclass

from jaipur.bots import LEVELS
from jaipur.review.figures import level_like
from jaipur.review.words import points
from jaipur.store import Reviewed

SHOWN = 20
_HEIGHT, _WIDTH, _EDGE = 90.0, 306.0, 6.0
_FEW = 5


@dataclass(frozen=True)
class Match:
    """One match: points lost per open decision, and what luck gave in all of it."""

    game: str
    at: int
    lost: str
    luck: str


@dataclass(frozen=True)
class Skill:
    """All reviewed matches: the mean of what was lost, the level that loses as much, and the last ones one by one.

    `decisions` are those that the mean is over, the open ones. `dots` are the losses from match to match, the oldest
    first, for a small drawing whose top is `most`, and `path` is the line through them.
    """

    matches: int
    decisions: int
    lost: str
    level: str
    luck: str
    last: list[Match]
    dots: list[tuple[float, float]]
    path: str
    most: str
    few: bool


def skill_of(reviewed: list[Reviewed]) -> Skill | None:
    """The skill of somebody, from their reviewed matches, the newest first; nothing without any."""
    told = [(one, json.loads(one.players)[one.seat]) for one in reviewed]
    told = [(one, player) for one, player in told if player["open_decisions"]]
    if not told:
        return None
    players = [player for _one, player in told]
    decisions = sum(player["open_decisions"] for player in players)
    loss = sum(player["loss"] * player["open_decisions"] for player in players) / decisions
    error = math.sqrt(sum((player["error"] * player["open_decisions"]) ** 2 for player in players)) / decisions
    luck = sum(sum(player["luck"].values()) for player in players) / sum(player["rounds"] for player in players)
    losses = [max(player["loss"], 0.0) for player in players[:SHOWN]][::-1]
    most = max(*losses, 0.01)
    dots = _dots(losses, most)
    last = [
        Match(one.game, one.at, _spread(player), points(sum(player["luck"].values()), True)) for one, player in told
    ]
    return Skill(
        matches=len(told),
        decisions=decisions,
        lost=f"{points(loss)} ± {points(error)}",
        level=LEVELS[level_like(loss)].shown_title,
        luck=points(luck, True),
        last=last[:SHOWN],
        dots=dots,
        path=" ".join(f"{x},{y}" for x, y in dots),
        most=points(most),
        few=len(told) < _FEW,
    )


def _spread(player: dict[str, float]) -> str:
    return f"{points(player['loss'])} ± {points(player['error'])}"


def _dots(losses: list[float], most: float) -> list[tuple[float, float]]:
    step = (_WIDTH - 2 * _EDGE) / max(len(losses) - 1, 1)
    inner = _HEIGHT - 2 * _EDGE
    heights = [_EDGE + inner * (1 - loss / most) for loss in losses]
    return [(round(_EDGE + step * at, 1), round(height, 1)) for at, height in enumerate(heights)]
