"""PostgreSQL for the tests, with empty databases to use. CI must have it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from jaipur.bench.own_postgres import PostgresServer, own_postgres, programs
from jaipur.rules.errors import JaipurError
from jaipur.store import open_database
from jaipur.store.schema import metadata

QUICK = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")
"""Settings for tests that never kill the database in the middle of a write."""


def require_postgres() -> None:
    """Skips the test if there is no PostgreSQL, or fails it where one is required."""
    try:
        programs()
    except JaipurError as error:
        if os.environ.get("JAIPUR_POSTGRESQL") == "required":
            pytest.fail(str(error))
        pytest.skip(str(error))


class Databases:
    """The databases of one cluster: emptied and reused, since making one takes time."""

    def __init__(self, started: PostgresServer) -> None:
        self.cluster = started
        self._free: list[str] = []

    @contextmanager
    def database(self) -> Iterator[str]:
        """The address of a database with our tables and nothing in them."""
        name = self._free.pop() if self._free else self.cluster.new_database()
        address = self.cluster.address(name)
        engine = open_database(address)
        with engine.begin() as connection:
            names = ", ".join(table.name for table in metadata.sorted_tables)
            connection.exec_driver_sql(f"TRUNCATE {names}")
        engine.dispose()
        yield address
        self._free.append(name)


@contextmanager
def databases() -> Iterator[Databases]:
    require_postgres()
    with own_postgres(*QUICK) as started:
        yield Databases(started)
