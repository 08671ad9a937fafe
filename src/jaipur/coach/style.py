"""How a player plays, well or badly: which moves, how large the sales, what they bring. Counted, never judged."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from jaipur.rules.bag import ONE_CAMEL, size
from jaipur.rules.errors import N_
from jaipur.rules.move import Move
from jaipur.rules.round import Round

LARGEST = 5
"""Sales of this many cards or more count as one size: they all draw from the last bonus pile (R4)."""


class Kind(StrEnum):
    """The four kinds of moves."""

    TAKE = "take"
    CAMELS = "camels"
    EXCHANGE = "exchange"
    SALE = "sale"


class Style(NamedTuple):
    """Counts of what one player did in some rounds: moves by kind, sales by size, and what they earned.

    `rupees` come from goods tokens only; `camel_tokens` counts the rounds in which the player won the camel token.
    """

    rounds: int = 0
    takes: int = 0
    camels: int = 0
    exchanges: int = 0
    sales_of_1: int = 0
    sales_of_2: int = 0
    sales_of_3: int = 0
    sales_of_4: int = 0
    sales_of_5: int = 0
    cards_sold: int = 0
    rupees: int = 0
    bonus_tokens: int = 0
    camel_tokens: int = 0

    @property
    def sales(self) -> int:
        """Sales of all sizes."""
        return self.sales_of_1 + self.sales_of_2 + self.sales_of_3 + self.sales_of_4 + self.sales_of_5

    @property
    def moves(self) -> int:
        """Moves of all kinds."""
        return self.takes + self.camels + self.exchanges + self.sales

    def __str__(self) -> str:
        """The counts in order, as `style_from_text` reads them."""
        return " ".join(map(str, self))


def kind_of_move(move: Move) -> Kind:
    """Which of the four kinds a move is."""
    if not move.take:
        return Kind.SALE
    if move.give:
        return Kind.EXCHANGE
    return Kind.CAMELS if move.take == ONE_CAMEL else Kind.TAKE


def style_of(rounds: Iterable[Round], seat: int) -> Style:
    """The style of a seat in finished rounds."""
    return added(_in_round(played, seat) for played in rounds)


def added(styles: Iterable[Style]) -> Style:
    """Several styles as one."""
    return Style(*map(sum, zip(Style(), *styles, strict=True)))


def style_from_text(text: str) -> Style:
    """Reads what `str` of a style wrote; an empty text means that nothing was counted."""
    return Style(*map(int, text.split()))


def _in_round(played: Round, seat: int) -> Style:
    moves = [move for mover, move in played.turns() if mover == seat]
    kinds = [kind_of_move(move) for move in moves]
    sold = [size(move.give) for move, kind in zip(moves, kinds, strict=True) if kind is Kind.SALE]
    tally = played.score().tallies[seat]
    counts = [kinds.count(kind) for kind in (Kind.TAKE, Kind.CAMELS, Kind.EXCHANGE)]
    sizes = [sum(min(cards, LARGEST) == number for cards in sold) for number in range(1, LARGEST + 1)]
    return Style._make([1, *counts, *sizes, sum(sold), tally.goods, tally.bonus_tokens, int(tally.camel > 0)])


@dataclass(frozen=True)
class Trait:
    """One thing to compare styles by: the ratio of `part` to `whole`, which says little if `whole` is below `enough`.

    A share is shown in per cent, anything else as a number.
    """

    name: str
    part: Callable[[Style], int]
    whole: Callable[[Style], int]
    enough: int
    share: bool = True

    def value(self, style: Style) -> float | None:
        """The ratio; None if nothing was counted."""
        whole = self.whole(style)
        return self.part(style) / whole if whole else None

    def few(self, style: Style) -> bool:
        """Whether too little was counted to say much."""
        return self.whole(style) < self.enough


TRAITS = {
    N_("Of all moves"): (
        Trait(N_("take a single card"), lambda style: style.takes, lambda style: style.moves, 100),
        Trait(N_("take the camels"), lambda style: style.camels, lambda style: style.moves, 100),
        Trait(N_("exchange"), lambda style: style.exchanges, lambda style: style.moves, 100),
        Trait(N_("sell"), lambda style: style.sales, lambda style: style.moves, 100),
    ),
    N_("Of all sales"): (
        Trait(N_("1 card"), lambda style: style.sales_of_1, lambda style: style.sales, 50),
        Trait(N_("2 cards"), lambda style: style.sales_of_2, lambda style: style.sales, 50),
        Trait(N_("3 cards"), lambda style: style.sales_of_3, lambda style: style.sales, 50),
        Trait(N_("4 cards"), lambda style: style.sales_of_4, lambda style: style.sales, 50),
        Trait(N_("5 cards or more"), lambda style: style.sales_of_5, lambda style: style.sales, 50),
    ),
    N_("What it brings"): (
        Trait(N_("rupees per card sold"), lambda style: style.rupees, lambda style: style.cards_sold, 100, share=False),
        Trait(
            N_("bonus tokens per round"), lambda style: style.bonus_tokens, lambda style: style.rounds, 20, share=False
        ),
        Trait(N_("rounds with the camel token"), lambda style: style.camel_tokens, lambda style: style.rounds, 20),
    ),
}
"""What styles are compared by, under headings. A share out of 100 has a standard error of at most five points."""
