"""Luck in a finished round: what each card and token changed, compared with the mean of everything possible.

Every number is for seat 0. Seat 1 has the same luck with the opposite sign.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from jaipur.brain.luck import bonus_outcomes, refill_outcomes, value
from jaipur.coach.judging import judge_network
from jaipur.rules.bag import letters
from jaipur.rules.move import Move
from jaipur.rules.round import Round
from jaipur.rules.score import Ending

DIGITS = 6


@dataclass(frozen=True)
class Step:
    """One move and what followed: seat 0's chance afterwards, and what the refill and the bonus token added to it."""

    win: float
    refill: float = 0.0
    bonus: float = 0.0

    @property
    def luck(self) -> float:
        """The refill and the bonus token together."""
        return self.refill + self.bonus


@dataclass(frozen=True)
class RoundLuck:
    """A round as chances: before the first move, after each move, and the result.

    If a round was broken off, its last chance counts as the result.
    """

    opening: float
    steps: tuple[Step, ...]
    result: float


@dataclass(frozen=True)
class Refill:
    """One possible refill: its cards, its probability, and seat 0's chance after it."""

    cards: str
    probability: float
    win: float


def round_luck(dealt: Round, played: Round) -> RoundLuck:
    """Replays a round from its deal."""
    network = judge_network()
    opening = round(value(dealt, network), DIGITS)
    steps: list[Step] = []
    for before, move in positions(dealt, played):
        refill = _surprise(refill_outcomes(before, move.code, network))
        bonus = _surprise(bonus_outcomes(before, move.code, network))
        after = before.copy()
        after.play(move)
        steps.append(Step(round(value(after, network), DIGITS), refill, bonus))
    result = played.score().result(0) if played.over else steps[-1].win
    if played.ending is Ending.STOPPED:
        steps[-1] = Step(result, steps[-1].refill, steps[-1].bonus)
    return RoundLuck(opening, tuple(steps), result)


def positions(dealt: Round, played: Round) -> Iterator[tuple[Round, Move]]:
    """Each position of a round, with the move played in it."""
    now = dealt.copy()
    for move in played.moves:
        yield now.copy(), move
        now.play(move)


def refill_map(before: Round, move: Move) -> list[Refill]:
    """What the deck could have brought after a move, the actual cards first. Only for a match that is over."""
    outcomes = refill_outcomes(before, move.code, judge_network())
    total = sum(ways for _bag, ways, _win in outcomes)
    return [Refill(letters(bag), ways / total, round(win, DIGITS)) for bag, ways, win in outcomes]


def _surprise(outcomes: list[tuple[int, int, float]]) -> float:
    """The value of what came (the first outcome) minus the mean of all outcomes."""
    if not outcomes:
        return 0.0
    total = sum(ways for _what, ways, _value in outcomes)
    mean = sum(ways * then for _what, ways, then in outcomes) / total
    return round(outcomes[0][2] - mean, DIGITS)
