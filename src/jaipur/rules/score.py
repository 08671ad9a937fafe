"""The end of a round: what ended it (R22), the score sheet (R23, R24), and what each seat gets for it."""

from enum import StrEnum
from typing import NamedTuple


class Ending(StrEnum):
    """What ended a round: three goods out of tokens, no card to refill the market (R22), or a program (R25)."""

    TOKENS = "tokens"
    DECK = "deck"
    STOPPED = "stopped"


class Decision(StrEnum):
    """What decided who gets the seal (R24)."""

    RUPEES = "rupees"
    BONUS_TOKENS = "bonus tokens"
    GOODS_TOKENS = "goods tokens"
    NOTHING = "nothing"


class Tally(NamedTuple):
    """One player's column of the score sheet."""

    goods: int
    bonus: int
    camel: int
    bonus_tokens: int
    goods_tokens: int

    @property
    def rupees(self) -> int:
        """The total."""
        return self.goods + self.bonus + self.camel


class Score(NamedTuple):
    """The score sheet: a tally for each seat, who gets the seal (None if nobody does), and what decided it (R24)."""

    tallies: tuple[Tally, Tally]
    winner: int | None
    decided_by: Decision

    def result(self, seat: int) -> float:
        """What the round is worth to a seat: 1 with the seal, 0 without it, one half for a draw."""
        if self.winner is None:
            return 0.5
        return 1.0 if self.winner == seat else 0.0

    def reward(self, seat: int, count_rupees: bool) -> float:
        """A learner's reward: the difference in rupees, or 1 with the seal, -1 without it, 0 for a draw."""
        if count_rupees:
            return float(self.tallies[seat].rupees - self.tallies[1 - seat].rupees)
        return 2.0 * self.result(seat) - 1.0


def score_of(first: Tally, second: Tally) -> Score:
    """Who gets the seal (R24): the richer player, else whoever has more bonus tokens, else more goods tokens."""
    tallies = (first, second)
    if first.rupees != second.rupees:
        return Score(tallies, int(first.rupees < second.rupees), Decision.RUPEES)
    if first.bonus_tokens != second.bonus_tokens:
        return Score(tallies, int(first.bonus_tokens < second.bonus_tokens), Decision.BONUS_TOKENS)
    if first.goods_tokens != second.goods_tokens:
        return Score(tallies, int(first.goods_tokens < second.goods_tokens), Decision.GOODS_TOKENS)
    return Score(tallies, None, Decision.NOTHING)
