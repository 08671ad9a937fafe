"""A database with a reviewed match, one that is not reviewed yet, and one in which a blunder is close at hand."""

import json
from dataclasses import dataclass
from pathlib import Path

from jaipur.match import Match
from jaipur.review.advice import analyse
from jaipur.review.judging import judge_name
from jaipur.review.review import review_match
from jaipur.review.saved import review_to_text
from jaipur.review.summary import dearest
from jaipur.server.judgements import doubt_about
from jaipur.server.reviews import short_summary
from jaipur.store import ReviewRow, ReviewShelf, Store, open_database
from jaipur.table import Table, Tables
from tests.review.matches import played_match
from tests.server.harness import BOT, played_here

_WORLDS = 60


@dataclass(frozen=True)
class Reviewed:
    """Games of the person in seat 0; `exercise` is the ply of a fault, `refilled` a ply with cards from the deck.

    In `games` it is the person's turn, and the tutor warns against `blunder`.
    """

    done: str
    exercise: int
    refilled: int
    fresh: str
    games: tuple[str, ...]
    blunder: str


def fill(folder: Path) -> Reviewed:
    """Fills the database of a server that has not started yet."""
    tables = Tables(Store(open_database(str(folder / "jaipur.sqlite3"))))
    match = played_match(1)
    done = played_here(tables, BOT, match)
    _review(tables, done)
    given_up = tables.create(BOT, history=played_match(3).until(9))
    _review(tables, tables.resign(given_up, 0))
    fresh = tables.create(BOT, history=played_match(2))
    position, blunder = _near_blunder()
    games = tuple(tables.create(BOT, history=position).game.id for _ in range(3))
    fault = dearest(review_match(match, _WORLDS), 0)[0]
    before = sum(len(part.moves) for part in match.rounds[: fault.round - 1])
    refilled = next(at for at, played in enumerate(done.log, 1) if not played.move.give)
    tables.store.close()
    return Reviewed(done.game.id, before + fault.number, refilled, fresh.game.id, games, blunder)


def _review(tables: Tables, table: Table) -> None:
    made = review_match(table.match, _WORLDS, ended=True)
    both = json.dumps([short_summary(made, seat) for seat in (0, 1)])
    row = ReviewRow(table.game.id, judge_name(), _WORLDS, both, review_to_text(made), tables.clock())
    ReviewShelf(tables.store).keep(row)


def _near_blunder() -> tuple[Match, str]:
    """A match in which it is seat 0's turn, and a move that the tutor warns against."""
    match = played_match(5)
    for ply in range(4, match.ply):
        now = match.until(ply)
        if now.round.over or now.round.turn != 0:
            continue
        view = now.round.view(0)
        worst = str(min(analyse(view, 100), key=lambda one: one.win).move)
        if doubt_about(str(view), worst) is not None:
            return now, worst
    raise AssertionError
