"""What a selection of cards would do, in words: the text on the table's one button."""

from dataclasses import dataclass

from jaipur.language import _
from jaipur.language.words import choice_in_words
from jaipur.rules.errors import N_, JaipurError, NotationError
from jaipur.rules.move import Move
from jaipur.rules.view import View


@dataclass(frozen=True)
class Choice:
    """A selection: whether it is a legal move now, and what it does in words, or why it cannot be played."""

    text: str
    legal: bool = False


NO_CHOICE = Choice("", legal=True)


def read_selection(take: list[str], give: list[str]) -> Move:
    """The move that takes these letters from the market and gives these from hand and herd.

    Camels alone mean all the camels (R9).
    """
    if not take and not give:
        raise NotationError(N_("Choose cards: in the market to take or exchange, in your hand to sell."))
    if set(take) == {"M"} and not give:
        take = ["M"]
    plus, minus = "".join(take), "".join(give)
    return Move.parse(("+" + plus if take else "") + ("-" + minus if give else ""))


def read_choice(view: View, take: list[str], give: list[str]) -> Choice:
    """What a selection would do now."""
    try:
        move = read_selection(take, give)
        if (reason := view.why_illegal(move)) is not None:
            raise reason
    except JaipurError as error:
        return Choice(error.text(_))
    return Choice(choice_in_words(view, move), legal=True)
