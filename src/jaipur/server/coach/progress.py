"""What the reviews of a person's matches say about their play over time.

A match in which they asked for a hint is listed but not counted: some of its decisions were the coach's.
"""

import json
import math
from dataclasses import dataclass
from typing import Any

from jaipur.bots import LEVELS
from jaipur.coach.coach_words import loss_in_words, percent, points
from jaipur.coach.figures import figures, level_like
from jaipur.store import Reviewed

_SHOWN = 20
ENOUGH_ROUNDS = 30
"""With fewer, a result is uncertain by more than six points, even with luck taken out."""
_HEIGHT, _WIDTH, _EDGE = 90.0, 306.0, 6.0
_FEW = 5

_Rows = list[tuple[Reviewed, dict[str, Any]]]
"""Matches, each with its review's brief summary of the person's play."""


@dataclass(frozen=True)
class ReviewedMatch:
    """One match: points lost per open decision, what luck brought in all, and whether there were hints."""

    game: str
    at: int
    lost: str
    luck: str
    hints: bool


@dataclass(frozen=True)
class Mean:
    """All matches that count: points lost per open decision, the level that loses as much, and luck per round."""

    matches: int
    lost: str
    level: str
    luck: str
    few: bool


@dataclass(frozen=True)
class Adjusted:
    """The share of rounds won, and the same with luck taken out, give or take `error`."""

    rounds: int
    won: str
    without_luck: str
    error: str


@dataclass(frozen=True)
class Skill:
    """The means over all matches that count, if there are any, and the latest matches one by one.

    `dots` are the losses match by match, the oldest first, for a small drawing whose top is `most`.
    """

    mean: Mean | None
    adjusted: Adjusted | None
    last: list[ReviewedMatch]
    hints: int
    dots: list[tuple[float, float]]
    most: str


def skill_of(reviewed: list[Reviewed]) -> Skill | None:
    """A person's skill, from their reviewed matches, the newest first; None if there are none."""
    rows = [(one, json.loads(one.players)[one.seat]) for one in reviewed]
    rows = [(one, player) for one, player in rows if player["open_decisions"]]
    if not rows:
        return None
    counted = [(one, player) for one, player in rows if not one.hints]
    losses = [max(player["loss"], 0.0) for _one, player in counted[:_SHOWN]][::-1]
    most = max([*losses, 0.01])
    return Skill(
        mean=_mean(counted) if counted else None,
        adjusted=_adjusted(counted),
        last=[_match(one, player) for one, player in rows[:_SHOWN]],
        hints=len(rows) - len(counted),
        dots=_dots(losses, most),
        most=points(most),
    )


def _mean(rows: _Rows) -> Mean:
    players = [player for _one, player in rows]
    decisions = sum(player["open_decisions"] for player in players)
    loss = sum(player["loss"] * player["open_decisions"] for player in players) / decisions
    error = math.sqrt(sum((player["error"] * player["open_decisions"]) ** 2 for player in players)) / decisions
    luck = sum(sum(player["luck"].values()) for player in players) / sum(player["rounds"] for player in players)
    level = LEVELS[level_like(loss)].shown_title
    return Mean(len(rows), loss_in_words(loss, error), level, points(luck, True), len(rows) < _FEW)


def _adjusted(rows: _Rows) -> Adjusted | None:
    """Rounds that were broken off count in neither share. With luck taken out, the share is kept between 0 and 1."""
    rounds = sum(one.rounds for one, _player in rows)
    if rounds < ENOUGH_ROUNDS:
        return None
    won, adjusted = (sum(one.rounds * player[share] for one, player in rows) / rounds for share in ("won", "adjusted"))
    error = figures().spread / math.sqrt(rounds)
    return Adjusted(rounds, percent(won), percent(min(max(adjusted, 0.0), 1.0)), percent(error))


def _match(one: Reviewed, player: dict[str, Any]) -> ReviewedMatch:
    lost, luck = loss_in_words(player["loss"], player["error"]), points(sum(player["luck"].values()), True)
    return ReviewedMatch(one.game, one.at, lost, luck, one.hints)


def _dots(losses: list[float], most: float) -> list[tuple[float, float]]:
    step = (_WIDTH - 2 * _EDGE) / max(len(losses) - 1, 1)
    inner = _HEIGHT - 2 * _EDGE
    heights = [_EDGE + inner * (1 - loss / most) for loss in losses]
    return [(round(_EDGE + step * at, 1), round(height, 1)) for at, height in enumerate(heights)]
