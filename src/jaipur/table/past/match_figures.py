"""What each person did in a finished match. It is stored with the result, so statistics never replay a game."""

from collections.abc import Iterator

from jaipur.coach.style import style_of
from jaipur.rules.bag import kind_of, letters, size
from jaipur.rules.box import GOODS, LETTERS
from jaipur.rules.discard import sale_rupees, with_discarded
from jaipur.rules.round import Round
from jaipur.store import MatchFigures
from jaipur.table.events import GameKind
from jaipur.table.table import Table

COUNTED = (GameKind.BOT, GameKind.FRIEND)
"""The kinds that count: a guided round is a lesson, and at one screen nobody knows who was who."""


def figures_of(table: Table) -> list[MatchFigures]:
    """A row for each person at the table, if this kind of game counts."""
    if table.kind not in COUNTED or not table.full:
        return []
    return [_figures(table, seat) for seat in table.persons]


def _figures(table: Table, seat: int) -> MatchFigures:
    finished = [played for played in table.match.rounds if played.over]
    scores = [played.score() for played in finished]
    sales = [sale for played in table.match.rounds for sale in _sales(played, seat)]
    sold = [sum(len(cards) for cards, _value in sales if cards[0] == LETTERS[good]) for good in range(GOODS)]
    best, value = max(sales, key=lambda sale: sale[1], default=("", 0))
    return MatchFigures(
        game=table.game.id,
        seat=seat,
        rounds=len(finished),
        rounds_won=sum(score.winner == seat for score in scores),
        rupees=sum(score.tallies[seat].rupees for score in scores),
        sold=" ".join(map(str, sold)),
        best_sale=best,
        best_rupees=value,
        style=str(style_of(finished, seat)),
    )


def _sales(played: Round, seat: int) -> Iterator[tuple[str, int]]:
    """The sales of a seat in a round, each with the rupees of its goods tokens."""
    discard = 0
    for mover, move in played.turns():
        if move.take:
            continue
        good, cards = kind_of(move.give), size(move.give)
        if mover == seat:
            yield letters(move.give), sale_rupees(discard, good, cards)
        discard = with_discarded(discard, good, cards)
