"""The rows for setting up games: a new one, one that already has moves, and a rematch."""

from dataclasses import dataclass

from jaipur.match import Match
from jaipur.record import Loss, Record
from jaipur.rules.score import Ending
from jaipur.store import Event, GameRow, NewGame, Result, SeatRow
from jaipur.table.events import EventKind, GameKind
from jaipur.table.secrets import hashed, invite_secret
from jaipur.table.table import Table


@dataclass(frozen=True)
class Seating:
    """Who plays: for each seat a name, and the bot's level or the person's holder."""

    kind: GameKind
    names: tuple[str, str]
    levels: tuple[str | None, str | None] = (None, None)
    holders: tuple[str | None, str | None] = (None, None)
    watchable: bool = False
    avatars: tuple[str, str] = ("", "")
    pace: str = ""


def new_game(game_id: str, seating: Seating, record: Record, now: int, host: str = "") -> NewGame:
    """A game with everything in a record. The invitation to a free seat is derived from the host's secret."""
    game = GameRow(game_id, seating.kind, record.match.seed.hex(), seating.watchable, now, seating.pace)
    taken = [
        SeatRow(game_id, seat, seating.names[seat], seating.levels[seat], seating.holders[seat], seating.avatars[seat])
        for seat in (0, 1)
        if seating.levels[seat] or seating.holders[seat]
    ]
    invite = hashed(invite_secret(host, game_id)) if len(taken) == 1 else None
    events = _events_of(game, record, seating.levels.index(None) if None in seating.levels else 0)
    return NewGame(game, taken, invite, events, result_of(Table(game, taken, events), game.created))


def _events_of(game: GameRow, record: Record, reader: int) -> list[Event]:
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
        kind = EventKind.TIMEOUT if record.ended.by is Loss.TIME else EventKind.RESIGN
        happened.append((record.ended.seat, kind, ""))
    return [Event(game.id, n, seat, kind, text, None, game.created) for n, (seat, kind, text) in enumerate(happened, 1)]


def rematch_of(table: Table, match: Match) -> Seating:
    """The same players, with the loser in the seat that starts."""
    order = (1, 0) if table.winner == match.round.starter else (0, 1)
    rows = [table.seats[old] for old in order]
    names, levels, holders, avatars = zip(
        *((row.name, row.level, row.holder, row.avatar) for row in rows if row), strict=True
    )
    return Seating(table.kind, names, levels, holders, table.game.watchable, avatars, table.game.pace)


def result_of(table: Table, at: int) -> Result | None:
    """The result of a game, if it is over."""
    first, second = table.match.seals
    return None if table.winner is None else Result(table.game.id, table.winner, f"{first}-{second}", at)
