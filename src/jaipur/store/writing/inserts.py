"""Statements that add rows. One costs little in SQLite; to PostgreSQL each one is a message to another process.

So there the rows of all tables travel in one statement, as JSON. It needs no BEGIN and COMMIT, and a process that hangs
on the way holds no locks.
"""

import json
from collections.abc import Iterator, Sequence
from functools import cache
from operator import attrgetter
from typing import Any

from sqlalchemy import Table, insert
from sqlalchemy.dialects import sqlite

from jaipur.store.schema import ROWS, Row

_VALUES = {kind: attrgetter(*table.c.keys()) for kind, table in ROWS.items()}
_KEY = {kind: attrgetter(*table.primary_key.c.keys()) for kind, table in ROWS.items()}
_INSERT = {kind: str(insert(table).compile(dialect=sqlite.dialect())) for kind, table in ROWS.items()}
"""Compiled once: SQLAlchemy's way from an `insert` to its text costs more than running it."""


def for_sqlite(units: Sequence[Sequence[Row]]) -> Iterator[tuple[str, list[Any]]]:
    """A statement for each table, with the rows to execute it with."""
    for kind, rows in _by_kind(units).items():
        yield _INSERT[kind], list(map(_VALUES[kind], rows))


def for_postgres(units: Sequence[Sequence[Row]]) -> tuple[str, dict[str, str]]:
    """One statement for all tables, and its parameters."""
    rows = _by_kind(units)
    json_of = {
        ROWS[kind].name: json.dumps([dict(zip(ROWS[kind].c.keys(), _VALUES[kind](row), strict=True)) for row in some])
        for kind, some in rows.items()
    }
    return _insert_together(tuple(ROWS[kind] for kind in rows)), json_of


def _by_kind(units: Sequence[Sequence[Row]]) -> dict[type[Row], list[Row]]:
    """The rows for each table, in an order that all processes share: two of them cannot each wait for the other."""
    rows: dict[type[Row], list[Row]] = {kind: [] for kind in ROWS}
    for unit in units:
        for row in unit:
            rows[type(row)].append(row)
    return {kind: sorted(some, key=_KEY[kind]) for kind, some in rows.items() if some}


@cache
def _insert_together(tables: tuple[Table, ...]) -> str:
    """Inserts into several tables; references between them are checked at its end."""
    *others, last = map(_insert_from_json, tables)
    steps = [f"step{number} AS ({one})" for number, one in enumerate(others)]
    return f"WITH {', '.join(steps)} {last}" if steps else last


def _insert_from_json(table: Table) -> str:
    names = ", ".join(f'"{column.name}"' for column in table.c)
    types = ", ".join(f'"{column.name}" {column.type}' for column in table.c)
    new = f"json_to_recordset(%({table.name})s::json) AS new({types})"
    return f"INSERT INTO {table.name} ({names}) SELECT {names} FROM {new}"
