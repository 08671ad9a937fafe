"""Turns a match that was played elsewhere into events, and a table into a record."""

from jaipur.record import Ended, Loss, Record, bot_name
from jaipur.rules.score import Ending
from jaipur.store import Event, GameRow, SeatRow
from jaipur.table.enums import EventKind
from jaipur.table.table import Table

_ENDS = {Loss.RESIGNED: EventKind.RESIGN, Loss.TIME: EventKind.TIMEOUT}


def events_of(game: GameRow, record: Record, reader: int) -> list[Event]:
    """The events of a match that was played elsewhere; `reader` is the seat that confirms the score sheets."""
    happened: list[tuple[int, EventKind, str]] = []
    if any(record.hints):
        happened.append((reader, EventKind.HINTED, "{}-{}".format(*record.hints)))
    for number, played in enumerate(record.match.rounds):
        if number:
            happened.append((reader, EventKind.READY, ""))
        happened += [(mover, EventKind.MOVE, str(move)) for mover, move in played.turns()]
        if played.ending is Ending.STOPPED:
            happened.append((0, EventKind.STOP, ""))
    if record.ended is not None:
        happened.append((record.ended.seat, _ENDS[record.ended.by], ""))
    return [Event(game.id, n, seat, kind, text, None, game.created) for n, (seat, kind, text) in enumerate(happened, 1)]


def record_of(table: Table) -> Record:
    """The record of a table, with the names of its players."""
    names = _record_name(table.seats[0]), _record_name(table.seats[1])
    return Record(table.match, names, hints=table.hints, ended=_ended(table))


def _ended(table: Table) -> Ended | None:
    """How a match ended early, if it did."""
    if table.resigned is not None:
        return Ended(table.resigned, Loss.RESIGNED)
    return None if table.timed_out is None else Ended(table.timed_out, Loss.TIME)


def _record_name(row: SeatRow | None) -> str:
    if row is None:
        return ""
    return row.name if row.level is None else bot_name(row.level)
