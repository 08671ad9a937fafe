"""Every level decides as it always has. After an intended change, run `make golden` and read the diff."""

import pytest
from tools.decisions import PATH, decisions

pytestmark = pytest.mark.slow


def test_every_level_decides_as_it_did() -> None:
    assert decisions() == PATH.read_text(encoding="utf-8")
