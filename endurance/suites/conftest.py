"""Fixtures of the slow tests."""

from collections.abc import Iterator

import pytest
from tests.support.postgres import Databases, databases


@pytest.fixture(name="postgres", scope="session")
def _postgres() -> Iterator[Databases]:
    with databases() as started:
        yield started
