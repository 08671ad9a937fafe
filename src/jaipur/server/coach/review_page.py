"""A review in words and pictures for a page, from the viewer's side of the table."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from markupsafe import Markup, escape

from jaipur.bots import LEVELS
from jaipur.coach.drawing import svg_graph
from jaipur.coach.figures import figures
from jaipur.coach.grades import FAULTS
from jaipur.coach.luck import Refill
from jaipur.coach.review import Ply, Review, RoundReview
from jaipur.coach.summary import PlayerSummary, dearest, player_summary, round_worth, sum_for
from jaipur.coach.words import (
    inside_sentence,
    label_in_words,
    loss_in_words,
    luck_in_words,
    meanings,
    percent,
    points,
    reasons_in_words,
)
from jaipur.language import _
from jaipur.language.words import cards_in_words, deed_in_words, move_in_words
from jaipur.rules.move import Move
from jaipur.table import GameKind, Seen

_LUCK = ("deal", "refills", "bonus")
_MOST_REFILLS = 28
_BAR = 50.0
"""Half the width of a bar's picture, in its own units."""


@dataclass(frozen=True)
class Bar:
    """A signed number, in words and as a bar to the left or right of a middle line."""

    words: str
    start: float
    width: float
    good: bool


@dataclass(frozen=True)
class Line:
    """One row of a table: its heading, and a cell for each player, which may be a bar."""

    heading: str
    cells: tuple[str | Bar, str | Bar]


@dataclass(frozen=True)
class MoveLine:
    """One move: `ply` counts through the match, `number` through the round. A move not yet graded has no label."""

    ply: int
    number: int
    round: int
    seat: int
    move: str
    deed: str
    label: str
    name: str
    better: str
    lost: str
    why: str
    win: str
    luck: str


@dataclass(frozen=True)
class RoundPart:
    """One round of the page."""

    number: int
    worth: str
    graph: Markup
    moves: list[MoveLine]
    sums: list[tuple[str, str]]

    @property
    def faults(self) -> list[MoveLine]:
        """The moves that clearly cost something."""
        return [line for line in self.moves if line.name in FAULTS]


@dataclass(frozen=True)
class RefillLine:
    """One refill that the deck could have brought; the chance of winning is the viewer's."""

    cards: str
    words: str
    came: bool
    likely: str
    win: str
    share: int


@dataclass(frozen=True)
class ReviewPage:
    """The whole page. Until grading is done, only luck and graphs are known."""

    graded: bool
    summary: list[Line]
    levels: list[tuple[str, str]]
    rounds: list[RoundPart]
    dearest: list[MoveLine]
    judged: str
    meanings: list[tuple[str, str]]


def review_page(review: Review, seen: Seen, graded: bool = True) -> ReviewPage:
    """The page for a viewer: graphs, sums and the costliest moves are those of the player in front.

    Spectators, and two players at one screen, see the costliest moves of both.
    """
    front = seen.seat or 0
    rounds: list[RoundPart] = []
    seals, ply = [0, 0], 0
    for number, part in enumerate(review.rounds, 1):
        worth = round_worth(seals[0], seals[1], figures().start)
        rounds.append(_round(_from_seat(part, front), number, ply, worth, seen, graded))
        ply += len(part.plies)
        if part.sum.result in {0.0, 1.0}:
            seals[part.sum.result == 0.0] += 1
    lines = {(line.round, line.number): line for part in rounds for line in part.moves}
    whose = None if seen.kind is GameKind.ONE_SCREEN else seen.seat
    dear = [lines[move.round, move.number] for move in dearest(review, whose)] if graded else []
    levels = [
        (LEVELS[name].shown_title, loss_in_words(found.loss, found.error)) for name, found in figures().levels.items()
    ]
    return ReviewPage(graded, _summary(review, graded), levels, rounds, dear, _judged(review), meanings(graded))


def _from_seat(part: RoundReview, seat: int) -> RoundReview:
    """A round with its chances, luck and sum as seen from a seat."""
    if seat == 0:
        return part
    plies = tuple(replace(ply, win=1 - ply.win, luck=-ply.luck) for ply in part.plies)
    return replace(part, opening=1 - part.opening, plies=plies, sum=sum_for(part.sum, 1))


def _judged(review: Review) -> str:
    words = _("Judged by {judge} with {worlds} worlds for each decision, each from what its player could know.")
    return words.format(judge=review.judge, worlds=review.worlds)


def _summary(review: Review, graded: bool) -> list[Line]:
    both = player_summary(review, 0), player_summary(review, 1)
    lost = [one.lost for one in both]
    largest = max(*(abs(one.luck[kind]) for one in both for kind in _LUCK), *map(abs, lost), 0.01)
    lines = [_luck_line(kind, both, largest) for kind in _LUCK]
    if graded:
        lines = [
            Line(_("decisions"), _cells(both, lambda one: str(one.decisions))),
            Line(_("points lost per open decision"), _cells(both, lambda one: loss_in_words(one.loss, one.error))),
            Line(_("played like"), _cells(both, lambda one: LEVELS[one.level_like].shown_title)),
            Line(_("lost through decisions"), (_bar(-lost[0], largest), _bar(-lost[1], largest))),
            *lines,
        ]
    return lines


def _cells(both: tuple[PlayerSummary, PlayerSummary], tell: Callable[[PlayerSummary], str]) -> tuple[str, str]:
    return tell(both[0]), tell(both[1])


def _luck_line(kind: str, both: tuple[PlayerSummary, PlayerSummary], largest: float) -> Line:
    first, second = (_bar(one.luck[kind], largest) for one in both)
    return Line(_("luck: {kind}").format(kind=luck_in_words(kind)), (first, second))


def _bar(amount: float, largest: float) -> Bar:
    width = round(_BAR * abs(amount) / largest, 1)
    return Bar(points(amount, True), _BAR if amount >= 0 else _BAR - width, width, amount >= 0)


def _round(part: RoundReview, number: int, before: int, worth: float, seen: Seen, graded: bool) -> RoundPart:
    words = _("{name}'s chance of winning the round").format(name=seen.sides[seen.seat or 0].name)
    moves = [_move(ply, number, at, before + at, seen, graded) for at, ply in enumerate(part.plies, 1)]
    return RoundPart(
        number,
        f"{100 * worth:.0f}",
        Markup(svg_graph(part, str(escape(words)))),
        moves,
        _sums(part, graded),
    )


def _sums(part: RoundReview, graded: bool) -> list[tuple[str, str]]:
    """What added up to the result; empty if there is none."""
    one = part.sum
    if one.result is None or one.rest is None:
        return []
    known = [
        (_("start"), percent(one.start)),
        *((luck_in_words(kind), points(getattr(one, kind), True)) for kind in _LUCK),
    ]
    if graded:
        known += [
            (_("own losses"), points(-one.own_losses, True)),
            (_("rival's losses"), points(one.rival_losses, True)),
            (_("not explained"), points(one.rest, True)),
        ]
    return [*known, (_("result"), percent(one.result))]


def _move(ply: Ply, round_: int, number: int, at: int, seen: Seen, graded: bool) -> MoveLine:
    grade = ply.grade
    move = str(ply.move)
    fault = graded and grade.label in FAULTS
    return MoveLine(
        ply=at,
        number=number,
        round=round_,
        seat=ply.seat,
        move=move,
        deed=deed_in_words(seen.sides[ply.seat].called, ply.move),
        label=label_in_words(grade.label) if graded else "",
        name=str(grade.label) if graded else "",
        better=inside_sentence(move_in_words(Move.parse(grade.best))) if graded and grade.best != move else "",
        lost=loss_in_words(max(grade.loss, 0.0), grade.error) if graded and grade.best != move else "",
        why=reasons_in_words(grade.reasons, seen.sides[1 - ply.seat].called) if fault else "",
        win=percent(ply.win),
        luck=points(ply.luck, True) if ply.luck else "",
    )


def refill_lines(refills: list[Refill], seat: int | None) -> list[RefillLine]:
    """What the deck could have brought after a move, the viewer's best first; of many, only the likeliest."""
    came = refills[0].cards if refills else ""
    likely = sorted(refills, key=lambda one: (one.cards != came, -one.probability))[:_MOST_REFILLS]
    lines = [(one, one.win if seat in {None, 0} else 1 - one.win) for one in likely]
    lines.sort(key=lambda pair: -pair[1])
    return [
        RefillLine(
            one.cards,
            cards_in_words(Move.parse(f"-{one.cards}").give),
            one.cards == came,
            percent(one.probability),
            percent(win),
            round(100 * win),
        )
        for one, win in lines
    ]
