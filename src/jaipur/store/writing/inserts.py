"""Adds rows, all or none. A statement costs little in SQLite; to PostgreSQL each one is a message to another process.

So there the rows of all tables travel in one statement, as JSON. It needs no BEGIN and COMMIT, and a process that hangs
on the way holds no locks.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from functools import cache
from typing import Any, Protocol

from sqlalchemy import Connection, Table, insert

from jaipur.store.schema import events, figures, games, invites, results, seats

Rows = dict[Table, Sequence[Any]]
"""What is written as one unit: for each table, rows as objects whose attributes are its columns."""
_ADD = {table: insert(table) for table in (games, seats, invites, events, results, figures)}
"""In an order in which each row comes after those it refers to."""
_COLUMNS = {table: [(column.key, column.name) for column in table.c] for table in _ADD}
"""What each column is called in a row object, and in the database."""
_KEYS = {table: [column.key for column in table.primary_key] for table in _ADD}
_AT_ONCE = 200
"""Rows handed to the database in one call: all events of a long match would take megabytes on their way."""


class Writing(Protocol):
    """A transaction, given the number of statements in it."""

    def __call__(self, statements: int) -> AbstractContextManager[Connection]:
        """Opens it."""


def insert_rows(writing: Writing, together: bool, wanted: Sequence[Rows]) -> None:
    """Adds the rows of several units, either with one statement for each table or with one for all `together`."""
    rows: Rows = {table: _sorted(table, wanted) for table in _ADD}
    add = _add_together if together else _add
    pieces = list(_pieces(rows))
    with writing(len(pieces) if together else sum(map(len, rows.values()))) as connection:
        for piece in pieces:
            add(connection, piece)


def _sorted(table: Table, wanted: Sequence[Rows]) -> list[Any]:
    """The rows for a table, in an order that all processes share: two of them cannot each wait for the other."""
    rows = [row for unit in wanted for row in unit.get(table, ())]
    return sorted(rows, key=lambda row: [getattr(row, key) for key in _KEYS[table]])


def _pieces(rows: Rows) -> Iterator[Rows]:
    for start in range(0, max(map(len, rows.values())), _AT_ONCE):
        pieces = {table: found[start : start + _AT_ONCE] for table, found in rows.items()}
        yield {table: piece for table, piece in pieces.items() if piece}


def _add(connection: Connection, piece: Rows) -> None:
    for table, rows in piece.items():
        connection.execute(_ADD[table], [{key: getattr(row, key) for key, _name in _COLUMNS[table]} for row in rows])


def _add_together(connection: Connection, piece: Rows) -> None:
    told = {
        table.name: json.dumps([{name: getattr(row, key) for key, name in _COLUMNS[table]} for row in rows])
        for table, rows in piece.items()
    }
    connection.exec_driver_sql(_statement(tuple(piece)), told)


@cache
def _statement(tables: tuple[Table, ...]) -> str:
    """Inserts into several tables; references between them are checked at its end."""
    *others, last = map(_insert_from_json, tables)
    steps = [f"step{number} AS ({one})" for number, one in enumerate(others)]
    return f"WITH {', '.join(steps)} {last}" if steps else last


def _insert_from_json(table: Table) -> str:
    names = ", ".join(f'"{column.name}"' for column in table.c)
    types = ", ".join(f'"{column.name}" {column.type}' for column in table.c)
    new = f"json_to_recordset(%({table.name})s::json) AS new({types})"
    return f"INSERT INTO {table.name} ({names}) SELECT {names} FROM {new}"
