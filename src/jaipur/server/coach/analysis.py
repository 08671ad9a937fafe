"""What a page shows of an analysed position: all moves with their values, and one move compared with the best."""

from dataclasses import dataclass

from jaipur.coach.advice import Valued
from jaipur.coach.coach_words import chance_in_words, inside_sentence, label_in_words, points, reasons_in_words
from jaipur.coach.grades import FAULTS, Grade
from jaipur.language import _
from jaipur.language.phrases import read_move
from jaipur.language.words import choice_in_words
from jaipur.rules.bag import letters
from jaipur.rules.errors import NotationError
from jaipur.rules.move import Move
from jaipur.rules.view import View
from jaipur.server.coach.jobs import tried, values_of
from jaipur.server.edge.client_address import asking, owner_of
from jaipur.server.services import Services


@dataclass(frozen=True)
class Line:
    """A move, its chance of winning, in how many worlds it was tried, and whether it was played or is being tried."""

    move: str
    words: str
    win: str
    worlds: int
    played: bool
    tried: bool


@dataclass(frozen=True)
class Verdict:
    """A move compared with the best: what it loses, and why."""

    move: str
    words: str
    name: str
    label: str
    lost: str
    why: str


@dataclass(frozen=True)
class Analysis:
    """A position in brief (the market, the player's own hand and herd), its moves, and the verdict on one of them.

    `wrong` says why the move that was asked about cannot be played.
    """

    market: str
    hand: str
    herd: int
    lines: list[Line]
    verdict: Verdict | None
    wrong: str


async def analysed(services: Services, view: View, wanted: str = "", played: str = "") -> Analysis:
    """The values of all moves, and a verdict on one that is given in notation or in words."""
    move, wrong = _wanted(view, wanted.strip())
    owner, position = owner_of(asking.get()), str(view)
    values = await services.hints.ask(owner, values_of, position)
    verdict = None
    if move is not None:
        best = values[0].move
        found = await services.hints.ask(owner, tried, position, best, str(move))
        verdict = _verdict(view, move, found, len(values) == 1)
    lines = [_line(view, value, played, "" if move is None else str(move)) for value in values]
    return Analysis(letters(view.market), letters(view.me.hand), view.me.herd, lines, verdict, wrong)


def _wanted(view: View, text: str) -> tuple[Move | None, str]:
    """The move that was typed or clicked, or the reason why it is not one."""
    if not text:
        return None, ""
    try:
        move = read_move(text, view)
    except NotationError:
        said = _("“{text}” is not understood: choose a move from the list, or write for instance +D or sell 3 leather.")
        return None, said.format(text=text[:40])
    reason = view.why_illegal(move)
    return (move, "") if reason is None else (None, reason.text(_))


def _line(view: View, value: Valued, played: str, wanted: str) -> Line:
    move, words = value.move, choice_in_words(view, Move.parse(value.move))
    chance = chance_in_words(value.win, value.error)
    return Line(move, words, chance, value.worlds, move == played, move == wanted)


def _verdict(view: View, move: Move, found: Grade, only: bool) -> Verdict:
    words = choice_in_words(view, move)
    if found.best == str(move):
        said = _("It is the only legal move.") if only else _("No better move was found.")
        return Verdict(str(move), words, "", "", "", said)
    best = inside_sentence(choice_in_words(view, Move.parse(found.best)))
    lost = _("It loses {lost} ± {error} points against the best: {best}.").format(
        lost=points(max(found.loss, 0.0)), error=points(found.error), best=best
    )
    why = reasons_in_words(found.reasons) if found.label in FAULTS else ""
    return Verdict(str(move), words, found.label.split()[0], label_in_words(found.label), lost, why)
