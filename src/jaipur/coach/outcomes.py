"""What two moves led to in the same worlds, counted to the end of the round, and the reasons that follow from it."""

from dataclasses import dataclass
from enum import StrEnum

from jaipur.brain.judge import (
    MY_BONUS,
    MY_CAMEL,
    MY_GOODS,
    MY_UNSOLD,
    TAKEN_NEXT,
    THEIR_BONUS,
    THEIR_GOODS,
    THEIR_UNSOLD,
    TURNS,
    Count,
)
from jaipur.rules.box import CAMEL_TOKEN, GOODS, KINDS

_SURE = 3.0
"""Standard errors. Of 25 outcomes only the largest are shown, so with a limit of two, many would be chance."""
_MOST = 2
_LEAST_RUPEES = 0.5
_LEAST_FREQUENCY = 0.05
_TURN = 0.25
"""A longer or shorter round favours nobody, so other reasons go first."""


class Outcome(StrEnum):
    """What is counted in a round."""

    GOODS = "goods"
    RIVAL_GOODS = "rival goods"
    BONUS = "bonus"
    RIVAL_BONUS = "rival bonus"
    CAMEL_TOKEN = "camel token"
    TURNS = "turns"
    UNSOLD = "unsold"
    RIVAL_UNSOLD = "rival unsold"
    TAKEN_NEXT = "taken next"


FREQUENCIES = (Outcome.CAMEL_TOKEN, Outcome.TAKEN_NEXT)
"""Outcomes counted as a share of the worlds; the others are rupees, cards or turns."""


@dataclass(frozen=True)
class Reason:
    """Why a move is worse than the best one: an outcome after the best move, and after the move played."""

    outcome: Outcome
    kind: int | None
    best: float
    played: float
    error: float


@dataclass(frozen=True)
class _Column:
    """A column of the judge: which outcome, of which kind of card, and whom more of it favours.

    `weight` is roughly what one unit is worth in rupees, to put the largest reason first.
    """

    outcome: Outcome
    kind: int | None
    good_for_me: int
    weight: float = 1.0


_COLUMNS = {
    **{MY_GOODS + good: _Column(Outcome.GOODS, good, 1) for good in range(GOODS)},
    **{THEIR_GOODS + good: _Column(Outcome.RIVAL_GOODS, good, -1) for good in range(GOODS)},
    MY_BONUS: _Column(Outcome.BONUS, None, 1),
    THEIR_BONUS: _Column(Outcome.RIVAL_BONUS, None, -1),
    MY_CAMEL: _Column(Outcome.CAMEL_TOKEN, None, 1, CAMEL_TOKEN),
    MY_UNSOLD: _Column(Outcome.UNSOLD, None, -1),
    THEIR_UNSOLD: _Column(Outcome.RIVAL_UNSOLD, None, 1),
    TURNS: _Column(Outcome.TURNS, None, 0, _TURN),
    **{TAKEN_NEXT + kind: _Column(Outcome.TAKEN_NEXT, kind, -1, CAMEL_TOKEN) for kind in range(KINDS)},
}


def reasons_for(counts: list[Count]) -> tuple[Reason, ...]:
    """The largest reasons that are certain and count against the move played."""
    weighed: list[tuple[float, Reason]] = []
    for column, reason in zip(_COLUMNS.values(), all_outcomes(counts), strict=True):
        change = reason.best - reason.played
        least = _LEAST_FREQUENCY if column.outcome in FREQUENCIES else _LEAST_RUPEES
        against = column.good_for_me * change >= 0
        if against and abs(change) >= least and abs(change) > _SURE * reason.error:
            weighed.append((column.weight * abs(change), reason))
    weighed.sort(key=lambda pair: -pair[0])
    return tuple(reason for _weight, reason in weighed[:_MOST])


def all_outcomes(counts: list[Count]) -> list[Reason]:
    """Every outcome, whether it is a reason or not."""
    return [_reason(column, counts[number]) for number, column in _COLUMNS.items()]


def _reason(column: _Column, counted: Count) -> Reason:
    unit = 1 / CAMEL_TOKEN if column.outcome is Outcome.CAMEL_TOKEN else 1.0
    numbers = (round(unit * number, 4) for number in (counted.better, counted.worse, counted.error))
    return Reason(column.outcome, column.kind, *numbers)
