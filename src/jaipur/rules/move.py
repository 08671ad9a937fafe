"""A move is a value: what it takes from the market, and what it gives up.

|                 | take    | give                  | text     |
|-----------------|---------|-----------------------|----------|
| take one good   | 1 good  | nothing               | `+D`     |
| take the camels | 1 camel | nothing               | `+M`     |
| exchange        | goods   | as many goods, camels | `+DG-LM` |
| sale            | nothing | goods of one kind     | `-LLL`   |

In the compiled rooms a move is one int, its code: the take bag in the low bits, the give bag above it.
"""

from typing import Final, final

from mypy_extensions import i64

from jaipur.rules.bag import BAG_BITS, BAG_MASK, letters, one
from jaipur.rules.box import LETTERS
from jaipur.rules.errors import N_, NotationError

_MOST_OF_A_KIND: Final = 7
_SHOWN: Final = 40


@final
class Move:
    """One move. `Move.parse(str(move)) == move`."""

    def __init__(self, take: i64, give: i64) -> None:
        if take < 0 or take > BAG_MASK or give < 0 or give > BAG_MASK or take + give == 0:
            raise ValueError("a move takes or gives a bag of cards")
        self._code = take | (give << BAG_BITS)

    @property
    def code(self) -> i64:
        """The move as one int."""
        return self._code

    @property
    def take(self) -> i64:
        """The bag that comes from the market; one camel stands for all of them."""
        return self._code & BAG_MASK

    @property
    def give(self) -> i64:
        """The bag that leaves the player."""
        return self._code >> BAG_BITS

    @staticmethod
    def parse(text: str) -> "Move":
        """Reads the text of a move: letters in any order, upper or lower case."""
        plus, dash, minus = text.strip().upper().partition("-")
        if not text.isascii():  # upper() turns ß into SS
            raise _unreadable(text)
        if (plus[:1] != "+" and plus) or len(plus) == 1 or (dash and not minus) or (not plus and not minus):
            raise _unreadable(text)
        return Move(_read_bag(plus[1:], text), _read_bag(minus, text))

    def __str__(self) -> str:
        plus = "+" + letters(self.take) if self.take else ""
        minus = "-" + letters(self.give) if self.give else ""
        return plus + minus

    def __repr__(self) -> str:
        return f"Move.parse('{self}')"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Move) and self._code == other._code

    def __hash__(self) -> int:
        return int(self._code)

    def __reduce__(self) -> tuple[object, ...]:
        """How it is copied and pickled: a compiled class is not made without its arguments."""
        return from_code, (self._code,)


def from_code(code: i64) -> Move:
    """The move with this code."""
    return Move(code & BAG_MASK, code >> BAG_BITS)


def _read_bag(cards: str, text: str) -> i64:
    bag: i64 = 0
    for letter in LETTERS:
        number: i64 = cards.count(letter)
        if number > _MOST_OF_A_KIND:
            raise NotationError(N_("“{text}” names more than 7 cards of one kind."), text=text[:_SHOWN])
        bag += number * one(LETTERS.index(letter))
    if cards.strip(LETTERS):
        raise _unreadable(text)
    return bag


def _unreadable(text: str) -> NotationError:
    return NotationError(
        N_("“{text}” is not a move: write +D to take one card, +M for the camels, +DG-LM to exchange, -LLL to sell."),
        text=text[:_SHOWN],
    )
