"""Luck in a finished round: what each card and token changed, compared with the mean of everything possible.

Every number is for seat 0. Seat 1 has the same luck with the opposite sign.

A result with the luck taken off has the same mean and less noise. Luck has a mean of zero for all players, since it is
measured against everything the true deck could have brought. So any weights are unbiased as long as they were fixed
before the games they are used on; those in `figures.json` are a least-squares fit to other games.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from jaipur.brain.luck import bonus_outcomes, refill_outcomes, value
from jaipur.coach.figures import KINDS, figures
from jaipur.coach.grades import DIGITS, judge_network
from jaipur.rules.move import Move
from jaipur.rules.round import Round
from jaipur.rules.score import Ending


@dataclass(frozen=True)
class MoveLuck:
    """One move and what followed: seat 0's chance afterwards, and what the refill and the bonus token added to it."""

    win: float
    refill: float
    bonus: float


@dataclass(frozen=True)
class RoundLuck:
    """A round as chances: before the first move, after each move, and the result.

    If a round was broken off, its last chance counts as the result.
    """

    starter: int
    opening: float
    moves: tuple[MoveLuck, ...]
    result: float


@dataclass(frozen=True)
class Refill:
    """One possible refill: its cards, its probability, and seat 0's chance after it."""

    cards: int
    probability: float
    win: float


def for_seat(chance: float, seat: int) -> float:
    """Seat 0's chance as that of a seat, or a seat's as that of seat 0."""
    return 1 - chance if seat else chance


def round_luck(dealt: Round, played: Round) -> RoundLuck:
    """The luck in a round, which is replayed from its deal."""
    network, now = judge_network(), dealt.copy()
    moves: list[MoveLuck] = []
    for move in played.moves:
        refill = _surprise(refill_outcomes(now, move.code, network))
        bonus = _surprise(bonus_outcomes(now, move.code, network))
        now.play(move)
        moves.append(MoveLuck(round(value(now, network), DIGITS), refill, bonus))
    result = played.score().result(0) if played.over else moves[-1].win
    if played.ending is Ending.STOPPED:
        moves[-1] = replace(moves[-1], win=result)
    return RoundLuck(dealt.starter, round(value(dealt, network), DIGITS), tuple(moves), result)


def refill_map(before: Round, move: Move) -> list[Refill]:
    """What the deck could have brought after a move, the actual cards first. Only for a match that is over."""
    outcomes = refill_outcomes(before, move.code, judge_network())
    total = sum(ways for _bag, ways, _win in outcomes)
    return [Refill(bag, ways / total, round(win, DIGITS)) for bag, ways, win in outcomes]


def _surprise(outcomes: list[tuple[int, int, float]]) -> float:
    """The value of what came (the first outcome) minus the mean of all outcomes."""
    if not outcomes:
        return 0.0
    total = sum(ways for _what, ways, _value in outcomes)
    mean = sum(ways * then for _what, ways, then in outcomes) / total
    return round(outcomes[0][2] - mean, DIGITS)


def luck_by_kind(luck: RoundLuck, start: float) -> tuple[float, float, float]:
    """The luck of seat 0 in a round: from the deal, the refills and the bonus tokens."""
    deal = luck.opening - for_seat(start, luck.starter)
    return deal, sum(move.refill for move in luck.moves), sum(move.bonus for move in luck.moves)


def weighed_luck(luck: RoundLuck) -> float:
    """What luck gave seat 0 in a round, by the weights that ship with the package."""
    kinds = luck_by_kind(luck, figures().start)
    return sum(figures().weights[name] * amount for name, amount in zip(KINDS, kinds, strict=True))


def least_squares(rows: Sequence[Sequence[float]], results: Sequence[float]) -> list[float]:
    """The column weights that best explain the results, without a constant term."""
    size = len(rows[0])
    table = [
        [sum(row[i] * row[j] for row in rows) for j in range(size)]
        + [sum(row[i] * result for row, result in zip(rows, results, strict=True))]
        for i in range(size)
    ]
    for pivot in range(size):
        for other in range(size):
            if other != pivot:
                factor = table[other][pivot] / table[pivot][pivot]
                table[other] = [a - factor * b for a, b in zip(table[other], table[pivot], strict=True)]
    return [table[i][size] / table[i][i] for i in range(size)]
