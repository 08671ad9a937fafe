"""Refuses to test a compiled core that is older than its sources."""

from pathlib import Path

import pytest

import jaipur.core

CORE = Path(jaipur.core.__file__).parent


def pytest_configure() -> None:
    binary = next(iter(CORE.glob("rulebook__mypyc*")), None)
    if binary is not None and any(f.stat().st_mtime > binary.stat().st_mtime for f in CORE.glob("*.py")):
        pytest.exit("the compiled core is older than its sources: run `make test`, which rebuilds it", returncode=3)
