"""The coach's words at the table: a hint in three steps, and a question before a blunder."""

from dataclasses import dataclass

from jaipur.coach.advice import Hint
from jaipur.coach.coach_words import chance_in_words, loss_in_words, reasons_in_words
from jaipur.coach.grades import FAULTS, Grade
from jaipur.coach.style import Kind, kind_of_move
from jaipur.language import _
from jaipur.language.words import move_in_words
from jaipur.rules.bag import letters
from jaipur.rules.errors import N_
from jaipur.rules.move import Move

_CARDS, _NUMBERS = 2, 3
_KINDS = {
    Kind.TAKE: N_("Take a single card."),
    Kind.CAMELS: N_("Take the camels."),
    Kind.EXCHANGE: N_("Exchange cards."),
    Kind.SALE: N_("Sell."),
}


@dataclass(frozen=True)
class ShownHint:
    """As much of a hint as was asked for. `take` and `give` are the letters of the cards to mark."""

    step: int
    text: str
    take: str = ""
    give: str = ""
    best: tuple[tuple[str, str], ...] = ()
    why: str = ""


def shown(hint: Hint, step: int, market: list[str | None], rival: str) -> ShownHint:
    """A hint up to a step, in words. A hint to take the camels marks all of them in the market."""
    move = Move.parse(hint.best[0].move)
    kind = kind_of_move(move)
    if step < _CARDS:
        return ShownHint(step, _(_KINDS[kind]))
    take = "M" * market.count("M") if kind is Kind.CAMELS else letters(move.take)
    text = move_in_words(move) + "."
    if step < _NUMBERS:
        return ShownHint(step, text, take, letters(move.give))
    best = tuple((move_in_words(Move.parse(one.move)), chance_in_words(one.win, one.error)) for one in hint.best)
    return ShownHint(step, text, take, letters(move.give), best, _why(hint.beside, rival))


def _why(beside: Grade | None, rival: str) -> str:
    if beside is None:
        return _("It is the only legal move.")
    if beside.label not in FAULTS:
        words = _("Played on further, the second-best move is not clearly worse: it loses {lost} points.")
        return words.format(lost=loss_in_words(max(beside.loss, 0.0), beside.error))
    return reasons_in_words(beside.reasons, rival, N_("After the second-best move: {reasons}"))


def question(doubt: Grade, rival: str) -> str:
    """The tutor's question. It names no better move: that would be a hint, and hints are marked."""
    words = _("Are you sure? This move lowers your chance of winning the round by {lost} points.")
    return f"{words.format(lost=loss_in_words(doubt.loss, doubt.error))} {reasons_in_words(doubt.reasons, rival)}"
