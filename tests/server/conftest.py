"""Tables on a database of their own, and a server on them that one person asks."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from jaipur.server.push.sender import PushSender
from jaipur.table import Tables
from tests.postgres import Databases, databases
from tests.server.harness import Caller, on_postgres, room, server
from tests.server.push_service import PushService, push_service
from tests.server.pushing import pushing

ON_EACH_DATABASE = {
    "test_actions",
    "test_clock",
    "test_presence",
    "test_events",
    "test_idempotency",
    "test_noninterference",
    "test_people",
    "test_race",
    "test_seats",
    "test_table",
}


@pytest.fixture(name="postgres", scope="session")
def _postgres() -> Iterator[Databases]:
    with databases() as started:
        yield started


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """What these files test holds on each kind of database."""
    if metafunc.module.__name__.rpartition(".")[2] in ON_EACH_DATABASE:
        metafunc.parametrize("_database", ["sqlite", "postgres"], indirect=True)


@pytest.fixture(autouse=True)
def _database(request: pytest.FixtureRequest) -> Iterator[None]:
    if getattr(request, "param", "sqlite") == "postgres":
        with on_postgres(request.getfixturevalue("postgres")):
            yield
    else:
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
