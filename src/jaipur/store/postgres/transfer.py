"""Copies everything from one database to another, of either kind, and checks that it arrived."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from sqlalchemy import Connection, Row, Table, func, insert, select
from sqlalchemy.exc import DBAPIError

from jaipur.rules.errors import N_
from jaipur.store.database import file_of, on_file
from jaipur.store.faults import explained
from jaipur.store.schema import games, metadata, operations
from jaipur.store.sqlite.file_lock import check_free
from jaipur.store.sqlite.recognition import tables_of
from jaipur.store.sqlite.sqlite_engine import check_usable, look
from jaipur.store.store import Store
from jaipur.store.writing.write_queue import StoreError

_Row = Row[*tuple[object, ...]]
_AT_ONCE = 200
"""How many games are read and written at a time, so that memory use does not grow with the database."""
_OF_GAMES = {games: games.c.id} | {table: table.c.game for table in metadata.sorted_tables if "game" in table.c}
"""The tables of games, each after those it refers to, and the columns that name the game."""
_OTHERS = [table for table in metadata.sorted_tables if table not in _OF_GAMES]


def move_database(source: Store, target: Store, on_games: Callable[[int], None] = lambda _number: None) -> int:
    """Copies everything in one transaction, then compares both databases; returns the number of games.

    The target has to be empty.
    """
    with _one_moment(source) as old:
        with target.writing() as new:
            _wait_for_us(new)
            for ids in _chunks(old):
                for table in _OF_GAMES:
                    _add(new, table, _rows(old, table, ids))
                on_games(len(ids))
            for table in _OTHERS:
                for rows in _parts(old, table):
                    _add(new, table, rows)
            _settle_in(new)
        with _one_moment(target) as new:
            return _compare(old, new, on_games)


@contextmanager
def _one_moment(store: Store) -> Iterator[Connection]:
    """A connection that sees the database at one moment, whatever others write in the meantime."""
    engine = store.engine
    if store.shared:
        engine = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    try:
        with engine.connect() as connection:
            if not store.shared:
                connection.exec_driver_sql("BEGIN")
            _wait_for_us(connection)
            yield connection
    except DBAPIError as error:
        raise explained(error, store.where) from error


def _wait_for_us(connection: Connection) -> None:
    """Otherwise PostgreSQL would end a transaction that sits idle while the other database works."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")


def require_empty(target: Store) -> None:
    """Refuses a database that already holds something: existing rows are never mixed with copied ones."""
    with target.reading() as new:
        for table in metadata.sorted_tables:
            if new.execute(select(table).limit(1)).first() is not None:
                raise _not_empty(target.where)


def check_target(where: str) -> None:
    """Refuses a file as a target before anything is done to either database."""
    if not on_file(where):
        return
    if check_usable(file := file_of(where)):
        with look(file) as new:
            for table in tables_of(new) & metadata.tables.keys():
                if new.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone():
                    raise _not_empty(where)
    check_free(file)


def _not_empty(where: str) -> StoreError:
    return StoreError(N_("{where} has games already: give an empty database."), where=where)


def _chunks(old: Connection) -> Iterator[list[str]]:
    """The ids of the games, in order, some at a time."""
    ids = [""]
    some = select(games.c.id).order_by(games.c.id).limit(_AT_ONCE)
    while ids := list(old.execute(some.where(games.c.id > ids[-1])).scalars()):
        yield ids


def _rows(connection: Connection, table: Table, ids: list[str]) -> Sequence[_Row]:
    return connection.execute(select(table).where(_OF_GAMES[table].in_(ids))).all()


def _add(new: Connection, table: Table, rows: Sequence[_Row]) -> None:
    if rows:
        new.execute(insert(table), [dict(row._mapping) for row in rows])


def _parts(connection: Connection, table: Table) -> Iterator[Sequence[_Row]]:
    """All rows, some at a time, in any order."""
    return connection.execute(select(table), execution_options={"yield_per": _AT_ONCE}).partitions()


def _settle_in(new: Connection) -> None:
    """Lets PostgreSQL's sequence, which does not follow the rows, continue after them.

    Its indexes by time are brought up to date too.
    """
    if new.dialect.name == "postgresql":
        for index in ("events_by_time", "games_by_time"):  # otherwise this would happen only minutes later
            new.exec_driver_sql(f"SELECT brin_summarize_new_values('{index}')")
        highest = select(func.max(operations.c.number)).scalar_subquery()
        new.execute(select(func.setval(func.pg_get_serial_sequence("operations", "number"), highest)))


def _compare(old: Connection, new: Connection, on_games: Callable[[int], None]) -> int:
    number = 0
    for ids in _chunks(old):
        for table, key in _OF_GAMES.items():
            for row in set(_rows(old, table, ids)) ^ set(_rows(new, table, ids)):
                raise StoreError(N_("Game {game} did not arrive as it was: drop the new database, and try again."),
                                 game=row._mapping[key])  # fmt: skip
        number += len(ids)
        on_games(len(ids))
    arrived = new.execute(select(func.count()).select_from(games)).scalar_one()
    if arrived != number or any(_digest(old, table) != _digest(new, table) for table in _OTHERS):
        raise StoreError(N_("Not everything arrived: drop the new database, and try again."))
    return number


def _digest(connection: Connection, table: Table) -> int:
    """A sum over all rows of a table, because databases return them in different orders."""
    rows = (repr(tuple(row)).encode() for part in _parts(connection, table) for row in part)
    return sum(1 + int.from_bytes(hashlib.sha256(row).digest()) for row in rows)
