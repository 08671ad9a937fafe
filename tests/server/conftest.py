"""Fixtures: tables on a database of their own, and a server on them with one person as its client."""

import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

from jaipur.server.push.sender import PushSender
from jaipur.table import Tables
from tests.postgres import Databases, databases
from tests.server.harness import Caller, asking_elsewhere, on_postgres, room, server
from tests.server.hopping import Sites, sites
from tests.server.push_service import PushService, push_service
from tests.server.pushing import pushing
from tests.server.several import process

ON_EACH_DATABASE = {
    "test_actions",
    "test_clock",
    "test_events",
    "test_hints",
    "test_http_machine",
    "test_idempotency",
    "test_long_games",
    "test_noninterference",
    "test_people",
    "test_presence",
    "test_race",
    "test_seats",
    "test_signals",
    "test_table",
    "test_undo",
}
ASKS = {"http", "track", "houses", "over_http"}
"""Tests that reach a server through one of these fixtures can also run against several servers."""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "one_process: looks into the process of the server")


@pytest.fixture(name="postgres", scope="session")
def _postgres() -> Iterator[Databases]:
    with databases() as started:
        yield started


@pytest.fixture(name="sites", scope="session")
def _sites(postgres: Databases) -> Iterator[Sites]:
    with sites(postgres) as started:
        yield started


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """These files are tested on each kind of database, and with a client that hops between three servers on one."""
    if metafunc.module.__name__.rpartition(".")[2] in ON_EACH_DATABASE:
        inside = "monkeypatch" in inspect.signature(
            metafunc.function
        ).parameters or metafunc.definition.get_closest_marker("one_process")
        hopping = ["hopping"] if ASKS & set(metafunc.fixturenames) and not inside else []
        metafunc.parametrize("_database", ["sqlite", "postgres", *hopping], indirect=True)


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
    with room(tmp_path) as tables:
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
