"""Whole rounds as text. After an intended change, run `make golden` and read the diff."""

import pytest
from tools.playthroughs import SEEDS, path_of, playthrough


@pytest.mark.parametrize("seed", SEEDS)
def test_a_playthrough_is_what_it_was(seed: int) -> None:
    assert playthrough(seed) == path_of(seed).read_text(encoding="utf-8")
