"""A review in words, from one side of the table: what the terminal, the web page and the file lay out."""

from collections.abc import Callable
from dataclasses import dataclass

from jaipur.bots import LEVELS
from jaipur.coach.coach_words import (
    DASH,
    inside_sentence,
    label_in_words,
    loss_in_words,
    luck_in_words,
    meanings,
    percent,
    points,
    reasons_in_words,
)
from jaipur.coach.drawing import svg_graph
from jaipur.coach.figures import KINDS, figures
from jaipur.coach.grades import FAULTS
from jaipur.coach.review import Ply, Review, RoundReview, Sum
from jaipur.coach.summary import PlayerSummary, dearest, player_summary, round_worth
from jaipur.language import _
from jaipur.language.words import Names, move_in_words
from jaipur.rules.move import Move


@dataclass(frozen=True)
class Line:
    """A figure of both players in words. `amounts` are those of a figure that can be drawn as bars."""

    heading: str
    cells: tuple[str, str]
    amounts: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class MoveLine:
    """One move: `ply` counts through the match, `number` through the round; `name` is that of the label for programs.

    `better` is empty for the best move; `lost` is empty where there was no choice.
    """

    ply: int
    round: int
    number: int
    seat: int
    move: str
    deed: str
    best: str
    better: str
    name: str
    label: str
    lost: str
    why: str
    win: str
    luck: str

    @property
    def where(self) -> str:
        """The place of the move in the match."""
        return _("Round {round}, move {number}").format(round=self.round, number=self.number)

    @property
    def verdict(self) -> str:
        """What was better, and what this move lost."""
        words = _("Better: {move}. The move played lost {lost} points.")
        return words.format(move=self.better, lost=self.lost)


@dataclass(frozen=True)
class RoundPart:
    """One round; `drawn` is the round as seen from the side of the page, for a graph other than this one in SVG.

    The sums add up to the result, unless the round was not finished.
    """

    number: int
    worth: str
    drawn: RoundReview
    graph: str
    moves: list[MoveLine]
    sums: list[tuple[str, str]]

    @property
    def faults(self) -> list[MoveLine]:
        """The moves that clearly cost something."""
        return [line for line in self.moves if line.name in FAULTS]


@dataclass(frozen=True)
class Totals:
    """What both players did in the whole match, and what luck gave them."""

    decisions: Line
    open_decisions: Line
    rates: list[Line]
    lost: Line
    luck: list[Line]

    @property
    def largest(self) -> float:
        """The largest amount that is drawn as a bar."""
        return max(0.01, *(abs(amount) for line in (self.lost, *self.luck) for amount in line.amounts))


@dataclass(frozen=True)
class ReviewPage:
    """The whole page. Until grading is done, only luck and graphs are known."""

    graded: bool
    totals: Totals
    levels: list[tuple[str, str]]
    chance: str
    rounds: list[RoundPart]
    sum_title: str
    dearest: list[MoveLine]
    judged: str
    meanings: list[tuple[str, str]]


def review_page(
    review: Review, names: Names, front: int = 0, whose: int | None = None, graded: bool = True
) -> ReviewPage:
    """Graphs and sums are those of the player in front, the costliest moves those of one seat or of both."""
    chance = _("{name}'s chance of winning the round").format(name=names.shown[front])
    sum_title = _("How the round adds up for {name}").format(name=names.called(front))
    if names.is_you(front):
        chance, sum_title = _("Your chance of winning the round"), _("How the round adds up for you")
    judged = _("Judged by {judge} with {worlds} worlds for each decision, each from what its player could know.")
    rounds = _rounds(review, names, front, chance, graded)
    moves = [move for part in rounds for move in part.moves]
    return ReviewPage(
        graded=graded,
        totals=_totals(review),
        levels=[(LEVELS[name].shown_title, loss_in_words(*level)) for name, level in figures().levels.items()],
        chance=chance,
        rounds=rounds,
        sum_title=sum_title,
        dearest=[moves[at - 1] for at in dearest(review, whose)],
        judged=judged.format(judge=review.judge, worlds=review.worlds),
        meanings=meanings(graded),
    )


def _totals(review: Review) -> Totals:
    first, second = (player_summary(review, seat) for seat in (0, 1))

    def line(heading: str, in_words: Callable[[PlayerSummary], str]) -> Line:
        return Line(heading, (in_words(first), in_words(second)))

    return Totals(
        decisions=line(_("decisions"), lambda one: str(one.decisions)),
        open_decisions=line(_("open decisions"), lambda one: str(one.open_decisions)),
        rates=[
            line(_("points lost per open decision"), lambda one: loss_in_words(one.loss, one.error)),
            line(_("played like"), lambda one: LEVELS[one.level_like].shown_title),
        ],
        lost=_amounts(_("lost through decisions"), -first.lost, -second.lost),
        luck=[
            _amounts(_("luck: {kind}").format(kind=luck_in_words(kind)), first.luck[kind], second.luck[kind])
            for kind in KINDS
        ],
    )


def _amounts(heading: str, first: float, second: float) -> Line:
    return Line(heading, (points(first, True), points(second, True)), (first, second))


def _rounds(review: Review, names: Names, front: int, chance: str, graded: bool) -> list[RoundPart]:
    rounds: list[RoundPart] = []
    seals, before = [0, 0], 0
    for number, played in enumerate(review.rounds, 1):
        part = played.seen_from(front)
        worth = f"{100 * round_worth(seals[0], seals[1], figures().start):.0f}"
        moves = [_move(ply, before + at, number, at, names) for at, ply in enumerate(part.plies, 1)]
        rounds.append(RoundPart(number, worth, part, svg_graph(part, chance), moves, _sums(part.sum, graded)))
        before += len(moves)
        if played.sum.result in {0.0, 1.0}:
            seals[played.sum.result == 0.0] += 1
    return rounds


def _move(ply: Ply, at: int, round_: int, number: int, names: Names) -> MoveLine:
    grade, best = ply.grade, Move.parse(ply.grade.best)
    return MoveLine(
        ply=at,
        round=round_,
        number=number,
        seat=ply.seat,
        move=str(ply.move),
        deed=names.deed(ply.seat, ply.move),
        best=grade.best,
        better=inside_sentence(move_in_words(best)) if best != ply.move else "",
        name=str(grade.label),
        label=label_in_words(grade.label),
        lost=loss_in_words(max(grade.loss, 0.0), grade.error) if ply.decided else "",
        why=reasons_in_words(grade.reasons, names.rival(ply.seat)) if grade.label in FAULTS else "",
        win=percent(ply.win),
        luck=points(ply.luck, True) if ply.luck else "",
    )


def _sums(part: Sum, graded: bool) -> list[tuple[str, str]]:
    rows = [(_("start"), percent(part.start))]
    rows += [(luck_in_words(kind), points(getattr(part, kind), True)) for kind in KINDS]
    if graded:
        rows += [
            (_("own losses"), points(-part.own_losses, True)),
            (_("rival's losses"), points(part.rival_losses, True)),
            (_("not explained"), DASH if part.rest is None else points(part.rest, True)),
        ]
    return [*rows, (_("result"), DASH if part.result is None else percent(part.result))]
