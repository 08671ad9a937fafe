"""Fixtures: tables on a database of their own, and a server on them with one person as its client."""

import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

from jaipur.server.people.push.sender import PushSender
from jaipur.store.writing import write_queue
from jaipur.table import Tables
from tests.support.effort import is_thorough
from tests.support.postgres import Databases, databases
from tests.support.program import PATIENCE
from tests.support.push_service import PushService, push_service
from tests.support.pushing import pushing
from tests.support.server import Caller, asking_elsewhere, new_tables, on_postgres, server
from tests.support.several_servers import Sites, sites
from tests.support.shared_tables import process

OVER_HTTP = {"http", "track", "twins", "over_http"}
"""Tests that reach a server through one of these fixtures can also run against several servers."""


@pytest.fixture(scope="session", autouse=True)
def _patient() -> None:
    """The servers in this process wait longer for a slow disk than a real one, which answers 503."""
    write_queue.PATIENCE = PATIENCE


@pytest.fixture(name="postgres", scope="session")
def _postgres() -> Iterator[Databases]:
    with databases() as started:
        yield started


@pytest.fixture(name="sites", scope="session")
def _sites(postgres: Databases) -> Iterator[Sites]:
    with sites(postgres) as started:
        yield started


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """On which databases a test runs: SQLite, with `both_databases` PostgreSQL too.

    If thorough, all tests of `each_database` run on both, and through a client that hops between three servers.
    """
    marks = metafunc.definition
    if not marks.get_closest_marker("each_database"):
        return
    inside = "monkeypatch" in inspect.signature(metafunc.function).parameters or marks.get_closest_marker("one_process")
    several = is_thorough() and OVER_HTTP & set(metafunc.fixturenames) and not inside
    both = is_thorough() or marks.get_closest_marker("both_databases")
    metafunc.parametrize(
        "_database", ["sqlite", *["postgres"] * bool(both), *["hopping"] * bool(several)], indirect=True
    )


@pytest.fixture(autouse=True)
def _database(request: pytest.FixtureRequest) -> Iterator[None]:
    match getattr(request, "param", "sqlite"):
        case "postgres":
            with on_postgres(request.getfixturevalue("postgres")):
                yield
        case "hopping":
            with asking_elsewhere(request.getfixturevalue("sites")):
                yield
        case _:
            yield


@pytest.fixture(name="tables")
def _tables(tmp_path: Path, _database: None) -> Iterator[Tables]:
    with new_tables(tmp_path) as tables:
        yield tables


@pytest.fixture(name="http")
def _http(tables: Tables) -> Iterator[Caller]:
    with server(tables) as caller:
        yield caller


@pytest.fixture(name="service")
def _service() -> Iterator[PushService]:
    with push_service() as service:
        yield service


@pytest.fixture(name="sender")
def _sender(http: Caller, service: PushService) -> Iterator[PushSender]:
    with pushing(http, service) as sender:
        yield sender


@pytest.fixture(name="address")
def _address(postgres: Databases) -> Iterator[str]:
    """A PostgreSQL database of the test's own."""
    with postgres.database() as address:
        yield address


@pytest.fixture(name="two")
def _two(address: str) -> Iterator[tuple[Tables, Tables]]:
    """The same games as two processes see them."""
    with process(address) as first, process(address) as second:
        yield first, second
