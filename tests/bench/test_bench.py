"""`jaipur bench`: the figures have their names, and the fingerprint does not change."""

import json
from pathlib import Path

import pytest

import jaipur
from tests.support.terminal import jaipur as command

pytestmark = pytest.mark.slow


def test_the_rulebook_is_measured_and_random_rounds_end_as_they_always_have(tmp_path: Path) -> None:
    """Only a deliberate change of the rules may change the fingerprint."""
    figures = json.loads(command("bench", "--json", "--seconds", "0.05", games=tmp_path).stdout)
    assert figures["compiled"] == jaipur.COMPILED
    assert figures["fingerprint"] == "e98abdc9220d2124"
    assert 74 < figures["turns_per_round"] < 81
    assert 22 < figures["legal_moves_per_turn"] < 25
    assert figures["random_rounds_per_s"] > 0


def test_the_bots_are_measured(tmp_path: Path) -> None:
    figures = json.loads(command("bench", "bots", "--json", "--seconds", "0.03", games=tmp_path).stdout)
    assert figures["merchant_decision_ms"] > 0
    assert figures["vizier_0.03s_decisions"] >= 1
    assert figures["vizier_0.03s_longest_over_budget"] > 0
    assert "vizier_0.1s_decisions" not in figures
