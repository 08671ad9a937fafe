"""The coach at the table: a hint in three steps, and a question before a blunder. Both know a seat's view, no more."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass
from itertools import count
from typing import TypeVar

from jaipur.language import _
from jaipur.language.words import move_in_words, sentence_start
from jaipur.notation import parse_view
from jaipur.review.advice import Kind, hint, warning
from jaipur.review.grades import Grade
from jaipur.review.words import percent, points, reasons_in_words
from jaipur.rules.bag import letters
from jaipur.rules.errors import N_
from jaipur.rules.move import Move
from jaipur.rules.view import View
from jaipur.server.bot_workers import BotWorkers
from jaipur.server.review_page import grade_words
from jaipur.server.work_queue import Rank, Work
from jaipur.table import NotAllowed

_T = TypeVar("_T")
HINT_WORLDS = 600
WARNING_WORLDS = 400
_SECONDS = 0.2
_PATIENCE = 8.0
_TUTOR_PATIENCE = 2.5
"""Whoever plays a move does not wait long to be asked about it."""
_KEPT = 500
_CARDS, _NUMBERS = 2, 3
_KINDS = {
    Kind.TAKE: N_("Take a single card."),
    Kind.CAMELS: N_("Take the camels."),
    Kind.EXCHANGE: N_("Exchange cards."),
    Kind.SALE: N_("Sell."),
}


@dataclass(frozen=True)
class Advice:
    """A hint as plain texts and numbers: moves in notation, the best few with their chance and its error."""

    kind: Kind
    move: str
    best: tuple[tuple[str, float, float | None], ...]
    beside: Grade | None


@dataclass(frozen=True)
class ShownHint:
    """As much of a hint as was asked for. `take` and `give` are the letters of the cards that are marked."""

    step: int
    text: str
    take: str = ""
    give: str = ""
    best: tuple[tuple[str, str], ...] = ()
    why: str = ""


class Hints:
    """Asks the bot workers for advice. The same view always gives the same advice, so some are remembered."""

    def __init__(self, workers: BotWorkers) -> None:
        self.workers = workers
        self._known: OrderedDict[str, Advice] = OrderedDict()
        self._numbers = count()

    def known(self, view: View) -> Advice | None:
        """Advice that was given lately."""
        return self._known.get(str(view))

    async def find(self, view: View, owner: str) -> Advice:
        """Advice for the seat of a view, whose turn it is."""
        found = self.known(view)
        if found is None:
            found = self._known[str(view)] = await self.ask(owner, advice_for, str(view))
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return found

    async def doubt(self, view: View, move: Move, owner: str) -> Grade | None:
        """What speaks against a move that is surely a blunder; the coach keeps nobody waiting who wants to play."""
        try:
            return await self.ask(owner, doubt_about, str(view), str(move), patience=_TUTOR_PATIENCE)
        except NotAllowed:
            return None

    async def ask(
        self,
        owner: str,
        task: Callable[..., _T],
        *about: str,
        rank: Rank = Rank.PERSON,
        patience: float = _PATIENCE,
    ) -> _T:
        """Has something judged by the bot workers, within a few seconds or not at all."""
        work, key = Work(rank, owner, _SECONDS), f"advice {next(self._numbers)}"
        try:
            async with asyncio.timeout(patience):
                return await self.workers.compute(key, work, task, *about)
        except (TimeoutError, BrokenExecutor) as error:
            raise NotAllowed(N_("The coach is busy: ask again in a moment.")) from error


def advice_for(position: str) -> Advice:
    """Advice for a position in text, so that it can be asked of another process."""
    found = hint(parse_view(position), HINT_WORLDS)
    best = tuple((str(one.move), one.win, one.error) for one in found.best)
    return Advice(found.kind, str(found.move), best, found.beside)


def doubt_about(position: str, move: str) -> Grade | None:
    """The tutor's doubt, likewise."""
    return warning(parse_view(position), Move.parse(move), WARNING_WORLDS)


def shown(advice: Advice, step: int, market: list[str | None]) -> ShownHint:
    """A hint up to a step, in words; one camel in the market stands for all of them."""
    if step < _CARDS:
        return ShownHint(step, _(_KINDS[advice.kind]))
    move = Move.parse(advice.move)
    take = "M" * market.count("M") if advice.kind is Kind.CAMELS else letters(move.take)
    text = move_in_words(move) + "."
    if step < _NUMBERS:
        return ShownHint(step, text, take, letters(move.give))
    best = tuple((move_in_words(Move.parse(found)), _chance(win, error)) for found, win, error in advice.best)
    return ShownHint(step, text, take, letters(move.give), best, _why(advice))


def _chance(win: float, error: float | None) -> str:
    return percent(win) if error is None else f"{percent(win)} ± {points(error)}"


def _why(advice: Advice) -> str:
    beside = advice.beside
    if beside is None or not beside.reasons:
        return _("No single reason stands out.")
    return _("After the next best move: {reasons}").format(reasons=reasons_in_words(beside.reasons))


def question(doubt: Grade) -> str:
    """The tutor's question."""
    return _("Are you sure?") + " " + sentence_start(grade_words(doubt))
