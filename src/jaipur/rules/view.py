"""What one seat may know (R18 to R21), as plain data. Players, pages and environments get this and nothing else."""

from typing import final

from mypy_extensions import i64

from jaipur.rules.bag import count
from jaipur.rules.box import BONUS_PILES
from jaipur.rules.display import one_line, painted, position_text, rival_text, side_text
from jaipur.rules.errors import N_, IllegalMove
from jaipur.rules.legal import legal_codes
from jaipur.rules.move import Move, from_code
from jaipur.rules.reasons import why_illegal
from jaipur.rules.side import Rival, Side, rival_of_key, side_of_key


@final
class View:
    """The table as one seat sees it, with a perfect memory of all that was played openly.

    `me` is this seat's own side, `rival` what it may know of the other. `market` is a bag, `discard` the discard pile,
    `bonus_left` counts the tokens left in each bonus pile, as a bag. `quiet` counts turns for R25.
    """

    def __init__(
        self,
        *,
        seat: i64,
        turn: i64,
        starter: i64,
        over: bool,
        market: i64,
        deck_size: i64,
        discard: i64,
        bonus_left: i64,
        quiet: i64,
        me: Side,
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
        """What this seat may play now: nothing if it is not its turn or the round is over."""
        if self.over or self.turn != self.seat:
            return []
        return [from_code(code) for code in legal_codes(self.me.hand, self.me.herd, self.market)]

    def why_illegal(self, move: Move) -> IllegalMove | None:
        """Why this seat may not play this move now, or None."""
        if self.over:
            return IllegalMove(N_("The round is over (R22)."))
        if self.turn != self.seat:
            return IllegalMove(N_("It is not your turn."))
        return why_illegal(self.me.hand, self.me.herd, self.market, move)

    def key(self) -> tuple[object, ...]:
        """All its contents, for comparison."""
        table = (self.market, self.deck_size, self.discard, self.bonus_left, self.quiet)
        return (self.seat, self.turn, self.starter, self.over, table, self.me.key(), self.rival.key())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __reduce__(self) -> tuple[object, ...]:
        """How it is copied and pickled: with nothing but what it shows."""
        return _view_of_key, self.key()

    def __str__(self) -> str:
        over = " / over" if self.over else ""
        seats = [side_text(self.me), rival_text(self.rival)]
        if self.seat == 1:
            seats.reverse()
        return position_text(
            f"view {self.seat} / turn {self.turn} / starter {self.starter} / quiet {self.quiet}{over}",
            self.market,
            "?" * self.deck_size,
            self.discard,
            ["?" * count(self.bonus_left, pile) for pile in range(BONUS_PILES)],
            seats,
        )

    def __repr__(self) -> str:
        return f"parse_view('{one_line(str(self))}')"

    def _repr_svg_(self) -> str | None:
        """The picture that a notebook shows."""
        return painted(self)


def _view_of_key(
    seat: i64, turn: i64, starter: i64, over: bool, table: tuple[i64, ...], me: tuple[i64, ...], rival: tuple[i64, ...]
) -> View:
    market, deck_size, discard, bonus_left, quiet = table
    return View(
        seat=seat,
        turn=turn,
        starter=starter,
        over=over,
        market=market,
        deck_size=deck_size,
        discard=discard,
        bonus_left=bonus_left,
        quiet=quiet,
        me=side_of_key(*me),
        rival=rival_of_key(*rival),
    )
