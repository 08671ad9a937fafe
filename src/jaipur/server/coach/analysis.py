"""What a page shows of an analysed position: all moves with their values, and one move compared with the best."""

from dataclasses import dataclass

from jaipur.coach.advice import Valued
from jaipur.coach.coach_words import inside_sentence, label_in_words, points, reasons_in_words
from jaipur.coach.grades import FAULTS, Grade
from jaipur.language import _
from jaipur.language.phrases import read_move
from jaipur.language.words import choice_in_words
from jaipur.rules.errors import N_, IllegalMove, NotationError
from jaipur.rules.move import Move
from jaipur.rules.view import View
from jaipur.server.coach.jobs import tried, values_of
from jaipur.server.services import Services


@dataclass(frozen=True)
class Verdict:
    """A move compared with the best: the name and words of its label, and what it loses and why."""

    move: str
    name: str
    label: str
    why: str


@dataclass(frozen=True)
class Analysis:
    """A position as its player sees it, the values of all moves, and the verdict on one of them.

    `wrong` says why the move that was asked about cannot be played.
    """

    view: View
    values: list[Valued]
    verdict: Verdict | None
    wrong: str

    def in_words(self, move: str) -> str:
        """A move that can be chosen here."""
        return choice_in_words(self.view, Move.parse(move))


async def analysed(services: Services, view: View, text: str) -> Analysis:
    """The values of all moves, and a verdict on one that is given in notation or in words, if any."""
    position, verdict, wrong = str(view), None, ""
    values = await services.advisor.ask(values_of, position)
    if text.strip():
        try:
            move = _read(view, text.strip())
            grade = await services.advisor.ask(tried, position, values[0].move, str(move))
            verdict = _verdict(view, move, grade, len(values) == 1)
        except (IllegalMove, NotationError) as error:
            wrong = error.text(_)
    return Analysis(view, values, verdict, wrong)


def _read(view: View, text: str) -> Move:
    """The move that was typed or clicked."""
    try:
        move = read_move(text, view)
    except NotationError as error:
        raise NotationError(
            N_("“{text}” is not understood: choose a move from the list, or write for instance +D or sell 3 leather."),
            text=text[:40],
        ) from error
    if (reason := view.why_illegal(move)) is not None:
        raise reason
    return move


def _verdict(view: View, move: Move, grade: Grade, only: bool) -> Verdict:
    if grade.best == str(move):
        why = _("It is the only legal move.") if only else _("No better move was found.")
        return Verdict(str(move), "", "", why)
    best = inside_sentence(choice_in_words(view, Move.parse(grade.best)))
    why = _("It loses {lost} ± {error} points against the best: {best}.").format(
        lost=points(max(grade.loss, 0.0)), error=points(grade.error), best=best
    )
    if grade.label in FAULTS:
        why += " " + reasons_in_words(grade.reasons)
    return Verdict(str(move), grade.label.split()[0], label_in_words(grade.label), why)
