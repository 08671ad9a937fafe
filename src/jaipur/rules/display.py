"""How positions are shown: as text (docs/records.md), and as a picture that a room above knows how to draw."""

from collections.abc import Callable
from typing import Final

from mypy_extensions import i64

from jaipur.rules.bag import count, letters, size
from jaipur.rules.bonus import bonus_values
from jaipur.rules.box import BONUS_PILES, GOODS, LETTERS, SMALLEST_BONUS_SALE
from jaipur.rules.discard import discarded
from jaipur.rules.side import Rival, Side

Painter = Callable[[object], str]
_PAINTERS: Final[list[Painter]] = []


def paint_with(painter: Painter) -> None:
    """Has this painter draw the views and rounds that a notebook shows."""
    _PAINTERS[:] = [painter]


def painted(position: object) -> str | None:
    """The SVG of a view or a round; None when there is no painter."""
    return _PAINTERS[0](position) if _PAINTERS else None


def position_text(head: str, market: i64, deck: str, discard: i64, piles: list[str], seats: list[str]) -> str:
    """The text of a position, put together from its parts."""
    sold = "".join([LETTERS[good] * discarded(discard, good) for good in range(GOODS)])
    bonus = [f"bonus{pile + SMALLEST_BONUS_SALE} {piles[pile] or '-'}" for pile in range(BONUS_PILES)]
    return "\n".join(
        [
            head,
            f"market {letters(market)} / deck {deck or '-'} / discard {sold or '-'}",
            " / ".join(bonus),
            f"seat0 {seats[0]}",
            f"seat1 {seats[1]}",
        ]
    )


def one_line(text: str) -> str:
    """The same position on one line."""
    return " / ".join(text.split("\n"))


def side_text(side: Side) -> str:
    """A side as its owner sees it."""
    known = f" known {letters(side.known)}" if side.known else ""
    owned = " ".join([str(value) for value in bonus_values(side.bonus)])
    bonus = f" bonus {owned}" if owned else ""
    return (
        f"hand {letters(side.hand) or '-'}{known} herd {side.herd}"
        f" rupees {side.goods_rupees} tokens {side.goods_tokens}{bonus}"
    )


def rival_text(rival: Rival) -> str:
    """A side as the opponent sees it."""
    hand = letters(rival.known) + "?" * (rival.hand_size - size(rival.known))
    taken = [
        f"{pile + SMALLEST_BONUS_SALE}?" for pile in range(BONUS_PILES) for _ in range(count(rival.bonus_taken, pile))
    ]
    bonus = f" bonus {' '.join(taken)}" if taken else ""
    return f"hand {hand or '-'} herd {rival.herd} rupees {rival.goods_rupees} tokens {rival.goods_tokens}{bonus}"
