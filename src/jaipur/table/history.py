"""What was played, for other places: a match as events, a table as a record, and how its seed dealt."""

from dataclasses import dataclass

from jaipur.core.bag import letters
from jaipur.core.box import CAMEL, LETTERS
from jaipur.core.round import STOPPED, Round
from jaipur.core.trader import Trader
from jaipur.match import Match
from jaipur.record import Record, bot_name
from jaipur.store import Event, Game, Seat
from jaipur.table.table import EventKind, Table


@dataclass(frozen=True)
class Deal:
    """How a round was dealt: two hands, the market, and the deck from the top."""

    starter: int
    first: str
    second: str
    market: str
    deck: str


def events_of(game: Game, match: Match, reader: int) -> list[Event]:
    """The events of a match that was played elsewhere; one seat looks at the score sheets."""
    happened: list[tuple[int, EventKind, str]] = []
    for number, played in enumerate(match.rounds):
        if number:
            happened.append((reader, EventKind.READY, ""))
        for i, move in enumerate(played.moves):
            happened.append(((played.starter + i) % 2, EventKind.MOVE, str(move)))
        if played.ended_by == STOPPED:
            happened.append((0, EventKind.STOP, ""))
    return [Event(game.id, n, seat, kind, text, None, game.created) for n, (seat, kind, text) in enumerate(happened, 1)]


def record_of(table: Table) -> Record:
    """The record of a table, with the names of its company."""
    return Record(table.match, (_record_name(table.seats[0]), _record_name(table.seats[1])))


def _record_name(row: Seat | None) -> str:
    if row is None:
        return ""
    return row.name if row.level is None else bot_name(row.level)


def deals_of(match: Match) -> list[Deal]:
    """How the seed of a match dealt each round."""
    dealt = [match.deal(number, played.starter) for number, played in enumerate(match.rounds, 1)]
    return [Deal(deal.starter, _dealt(deal.first), _dealt(deal.second), *_laid(deal)) for deal in dealt]


def _dealt(trader: Trader) -> str:
    return letters(trader.hand) + LETTERS[CAMEL] * trader.herd


def _laid(deal: Round) -> tuple[str, str]:
    return letters(deal.market), "".join(LETTERS[kind] for kind in deal.deck.kinds())
