"""Refuses to test compiled rooms that are older than their sources."""

from pathlib import Path

import pytest

import jaipur

PACKAGE = Path(jaipur.__file__).parent
COMPILED_ROOMS = ("rules", "brain", "encoding")


def pytest_configure() -> None:
    binary = next(iter(PACKAGE.glob("compiled__mypyc*")), None)
    sources = [file for room in COMPILED_ROOMS for file in (PACKAGE / room).glob("*.py")]
    if binary is not None and any(file.stat().st_mtime > binary.stat().st_mtime for file in sources):
        pytest.exit("the compiled rooms are older than their sources: run `make test`, which rebuilds them", 3)
