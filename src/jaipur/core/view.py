"""What one seat may know (R18 to R21), as plain data. Players, pages and environments get this and nothing else."""

from typing import final

from mypy_extensions import i64

from jaipur.core.errors import N_, IllegalMove
from jaipur.core.legal import legal_codes
from jaipur.core.move import Move, from_code
from jaipur.core.reasons import why_illegal
from jaipur.core.trader import Trader


@final
class Rival:
    """What a player may know of the opponent.

    `known` is the part of the hand that was taken in the open; the other cards of the hand are from the deal.
    `bonus_taken` is a bag of how many bonus tokens came from each pile.
    """

    def __init__(
        self, hand_size: i64, known: i64, herd: i64, goods_rupees: i64, goods_tokens: i64, bonus_taken: i64
    ) -> None:
        self.hand_size = hand_size
        self.known = known
        self.herd = herd
        self.goods_rupees = goods_rupees
        self.goods_tokens = goods_tokens
        self.bonus_taken = bonus_taken

    def key(self) -> tuple[i64, ...]:
        """All that it holds, to compare."""
        return (self.hand_size, self.known, self.herd, self.goods_rupees, self.goods_tokens, self.bonus_taken)


@final
class View:
    """The table as one seat sees it, with a perfect memory of what was open.

    `me` is this seat's own side, `rival` what it may know of the other. `market` is a bag, `discard` a tally,
    `bonus_left` a bag of how many tokens each bonus pile still has. `quiet` counts turns for R25.
    """

    def __init__(
        self,
        seat: i64,
        turn: i64,
        starter: i64,
        over: bool,
        market: i64,
        deck_size: i64,
        discard: i64,
        bonus_left: i64,
        quiet: i64,
        me: Trader,
        rival: Rival,
    ) -> None:
        self.seat = seat
        self.turn = turn
        self.starter = starter
        self.over = over
        self.market = market
        self.deck_size = deck_size
        self.discard = discard
        self.bonus_left = bonus_left
        self.quiet = quiet
        self.me = me
        self.rival = rival

    def legal_moves(self) -> list[Move]:
        """What this seat may play now: nothing when it is not its turn or the round is over."""
        if self.over or self.turn != self.seat:
            return []
        return [from_code(code) for code in legal_codes(self.me.hand, self.me.herd, self.market)]

    def why_illegal(self, move: Move) -> IllegalMove | None:
        """The reason why this seat may not play the move now, or None."""
        if self.over:
            return IllegalMove(N_("The round is over (R22)."))
        if self.turn != self.seat:
            return IllegalMove(N_("It is not your turn."))
        return why_illegal(self.me.hand, self.me.herd, self.market, move)

    def key(self) -> tuple[object, ...]:
        """All that it holds, to compare."""
        table = (self.market, self.deck_size, self.discard, self.bonus_left, self.quiet)
        return (self.seat, self.turn, self.starter, self.over, table, self.me.key(), self.rival.key())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())
