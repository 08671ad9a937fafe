"""Tables on a database of their own, and a server on them that one person asks."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from jaipur.table import Tables
from tests.server.houses import Caller, room, server


@pytest.fixture(name="tables")
def _tables(tmp_path: Path) -> Iterator[Tables]:
    with room(tmp_path) as tables:
        yield tables


@pytest.fixture(name="http")
def _http(tables: Tables) -> Iterator[Caller]:
    with server(tables) as caller:
        yield caller
