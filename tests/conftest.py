"""For all tests: as many workers as keep the cores busy, and no compiled rooms that are older than their sources."""

import os
from pathlib import Path

import pytest

import jaipur
from tests.support.effort import set_thorough

pytest_plugins = ["tests.support.fixtures"]

PACKAGE = Path(jaipur.__file__).parent
COMPILED_ROOMS = ("rules", "brain", "encoding")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--thorough", action="store_true", help="try as much as endurance does, on each kind of database")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("thorough"):
        set_thorough()
    binary = next(iter(PACKAGE.glob("compiled__mypyc*")), None)
    sources = [file for room in COMPILED_ROOMS for file in (PACKAGE / room).glob("*.py")]
    if binary is not None and any(file.stat().st_mtime > binary.stat().st_mtime for file in sources):
        pytest.exit("the compiled rooms are older than their sources: run `make test`, which rebuilds them", 3)


def pytest_xdist_auto_num_workers() -> int:
    """One worker more than there are cores, since many tests wait for a server or a browser."""
    return (os.cpu_count() or 1) + 1
