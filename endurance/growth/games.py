"""Databases of any size for measurements: real games, played by the rules and saved by the tables, then copied.

A copy has another id and another player. Copies are made inside the database, table by table, so that a million games
take only a minute or two.
"""

import random
import time
from typing import Any

from sqlalchemy import ColumnElement, Connection, String, insert, literal, select
from sqlalchemy import Table as SqlTable
from sqlalchemy.sql import func
from tests.support.digest import random_match

from jaipur.match import Match
from jaipur.store import Store
from jaipur.store.schema import games, metadata
from jaipur.table import GameKind, Seating, Tables
from jaipur.table.secrets import hashed

BATCH = 100
"""Games that are copied together; those of the first batch are played."""
_BATCHES_PER_COMMIT = 50
_PLACES = 8
"""The length of the start of an id or a person's hash, which tells the batch; the rest tells the game or person."""
_SCATTER = 2_654_435_761
"""Odd, so that no two batches below 2^32 begin alike, and they are spread over the index as real ids are."""
_PERSONS = 10
"""How many people play the games of a batch."""
_MINUTE = 60_000
_OF_GAMES = [table for table in metadata.sorted_tables if "game" in table.c]


def endless_match(plies: int) -> Match:
    """A match of this many moves in one round: both players exchange goods back and forth."""
    match = Match(0)
    while match.ply < plies:
        match.play(next(move for move in match.round.legal_moves() if move.take and move.give and "M" not in str(move)))
    return match


def seat_two(tables: Tables, secrets: tuple[str, str], match: Match) -> str:
    """Saves a game between two people with the moves of a match; returns its id."""
    first, second = map(hashed, secrets)
    seating = Seating(GameKind.FRIEND, ("A", "B"), holders=(first, second), watchable=True)
    return tables.create(seating, history=match).game.id


def fill(store: Store, size: int, plies: int, before: int = 0, going: bool = False) -> None:
    """Adds games against a bot, in whole batches; each has `plies` random moves and is resigned unless `going`."""
    if not before:
        _play_first(store, plies, going)
    batches = range(max(before // BATCH, 1), size // BATCH)
    for start in range(0, len(batches), _BATCHES_PER_COMMIT):
        with store.writing() as connection:
            for batch in batches[start : start + _BATCHES_PER_COMMIT]:
                _copy_first(connection, batch)


def stored_games(size: int, number: int) -> list[str]:
    """Some of the games that a database was filled with, from all over it."""
    places = random.Random(size).sample(range(size), number)
    return [f"{_beginning(place // BATCH)}{place % BATCH:04}" for place in places]


def _beginning(batch: int) -> str:
    return f"{batch * _SCATTER % 2**32:0{_PLACES}x}"


def _play_first(store: Store, plies: int, going: bool) -> None:
    """The games that all others are copied from."""
    now = time.time_ns() // 1_000_000
    for game in range(BATCH):
        tables = Tables(store, clock=lambda: now, new_id=lambda: f"{_beginning(0)}{game:04}")  # noqa: B023 - used at once
        holder = hashed(f"person {game % _PERSONS}")
        seating = Seating(GameKind.BOT, ("A", ""), (None, "trader"), (holder, None), watchable=True)
        table = tables.create(seating, history=random_match(game, plies))
        if not going and not table.over:
            tables.resign(table, 0)


def _copy_first(connection: Connection, batch: int) -> None:
    for table in (games, *_OF_GAMES):
        key = games.c.id if table is games else table.c.game
        first = (key >= _beginning(0)) & (key < f"{_beginning(0)[:-1]}1")
        changed = [_changed(table, name, batch) for name in table.c.keys()]  # noqa: SIM118 - columns, not their keys
        connection.execute(insert(table).from_select(table.c.keys(), select(*changed).where(first)))


def _changed(table: SqlTable, name: str, batch: int) -> ColumnElement[Any]:
    """A column as it is in a copy: another game, other people, some minutes earlier."""
    column = table.c[name]
    if name in {"game", "holder"} or column is games.c.id:
        return literal(_beginning(batch), String) + func.substr(column, _PLACES + 1)
    return column - batch * _MINUTE % (100 * 24 * 60 * _MINUTE) if name in {"at", "created"} else column
