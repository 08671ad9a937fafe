"""The coach at the table: a hint in three steps, and a question before a blunder. Both know only the seat's view."""

import asyncio
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass
from typing import TypeVar

from cachetools import FIFOCache

from jaipur.coach.advice import Hint
from jaipur.coach.coach_words import chance_in_words, loss_in_words, reasons_in_words
from jaipur.coach.grades import FAULTS, Grade
from jaipur.coach.style import Kind
from jaipur.language import _
from jaipur.language.words import move_in_words
from jaipur.rules.bag import letters
from jaipur.rules.errors import N_
from jaipur.rules.move import Move
from jaipur.rules.view import View
from jaipur.server.coach.jobs import advice_for, doubt_about
from jaipur.server.coach.questions import Questions
from jaipur.table import NotAllowed

_T = TypeVar("_T")
_PATIENCE = 8.0
_TUTOR_PATIENCE = 2.5
"""Somebody who plays a move should not wait long for a question about it."""
_AGAIN_PATIENCE = 2.0
_KEPT = 500
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


class Hints:
    """Asks the coach for advice. The same view always gives the same advice, so recent ones are remembered."""

    def __init__(self, questions: Questions) -> None:
        self.questions = questions
        self._known: FIFOCache[str, Hint] = FIFOCache(_KEPT)

    def known(self, view: View) -> Hint | None:
        """Advice that is remembered. May be called on any thread."""
        try:
            return self._known[str(view)]
        except KeyError:
            return None

    async def find(self, view: View, owner: str, patience: float = _PATIENCE) -> Hint:
        """Advice for the seat whose turn it is in this view."""
        position = str(view)
        if position not in self._known:
            self._known[position] = await self.ask(owner, advice_for, position, patience=patience)
        return self._known[position]

    async def find_again(self, view: View, owner: str) -> Hint | None:
        """Advice that was given before, perhaps by another process or before a restart; None if the coach is busy."""
        try:
            return await self.find(view, owner, _AGAIN_PATIENCE)
        except NotAllowed:
            return None

    async def doubt(self, view: View, move: Move, owner: str) -> Grade | None:
        """The case against a move that is surely a blunder; None if it is not, or if the coach is too slow to say."""
        try:
            return await self.ask(owner, doubt_about, str(view), str(move), patience=_TUTOR_PATIENCE)
        except NotAllowed:
            return None

    async def ask(
        self,
        owner: str,
        task: Callable[..., _T],
        *about: str,
        patience: float = _PATIENCE,
    ) -> _T:
        """Has the bot workers judge something, within a few seconds or not at all."""
        try:
            async with asyncio.timeout(patience):
                return await self.questions.ask(owner, task, *about)
        except (TimeoutError, BrokenExecutor) as error:
            raise NotAllowed(N_("The coach is busy: ask again in a moment.")) from error


def shown(hint: Hint, step: int, market: list[str | None], rival: str) -> ShownHint:
    """A hint up to a step, in words. A hint to take the camels marks all of them in the market."""
    if step < _CARDS:
        return ShownHint(step, _(_KINDS[hint.kind]))
    move = Move.parse(hint.move)
    take = "M" * market.count("M") if hint.kind is Kind.CAMELS else letters(move.take)
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
    asked = _("Are you sure? This move lowers your chance of winning the round by {lost} points.")
    told = asked.format(lost=loss_in_words(doubt.loss, doubt.error))
    return f"{told} {reasons_in_words(doubt.reasons, rival)}"
