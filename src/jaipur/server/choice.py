"""What a selection of cards would do, in words: the text of the one button of the table."""

from dataclasses import dataclass

from jaipur.core.errors import JaipurError
from jaipur.core.move import Move
from jaipur.core.view import View
from jaipur.i18n import _
from jaipur.words import choice_in_words

_MOST_CARDS = 20


@dataclass(frozen=True)
class Choice:
    """A selection: its move if it is legal now, and words that say what it does or why not."""

    text: str
    move: Move | None = None

    @property
    def legal(self) -> bool:
        """Whether it can be played."""
        return self.move is not None


def read_choice(view: View, take: list[str], give: list[str]) -> Choice:
    """The choice of a seat that has selected these letters in the market, and these in hand and herd."""
    if not take and not give:
        return Choice(_("Choose cards: in the market to take or exchange, in your hand to sell."))
    try:
        move = Move.parse(_notation(take[:_MOST_CARDS], give[:_MOST_CARDS]))
        reason = view.why_illegal(move)
    except JaipurError as error:
        return Choice(error.text(_))
    return Choice(choice_in_words(view, move), move) if reason is None else Choice(reason.text(_))


def _notation(take: list[str], give: list[str]) -> str:
    """One camel or more, and nothing else, is all the camels (R9)."""
    if set(take) == {"M"} and not give:
        take = ["M"]
    plus, minus = "".join(take), "".join(give)
    return ("+" + plus if take else "") + ("-" + minus if give else "")
