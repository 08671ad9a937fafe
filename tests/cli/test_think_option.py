"""`jaipur play --think`: the opponent in the terminal gets the time asked for, by the clock on the wall."""

from pathlib import Path

import pytest

from jaipur import Match, Record
from jaipur.bots import Budget, Clock
from jaipur.cli.play.play import play
from jaipur.record import bot_name
from jaipur.rules.move import Move
from jaipur.rules.rng import Rng
from jaipur.rules.view import View
from jaipur.tui.game import Quit


def test_the_opponent_thinks_as_long_as_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    budgets: list[Budget] = []

    class Timed:
        def choose(self, view: View, budget: Budget, rng: Rng) -> Move:
            budgets.append(budget)
            raise Quit

    monkeypatch.setattr("jaipur.tui.game.make_player", lambda _level: Timed())
    match = Match(1)
    match.play(match.round.legal_moves()[0])
    Record(match, ("Ann", bot_name("vizier"))).save(tmp_path / "match.jaipur")
    play(file=tmp_path / "match.jaipur", think=3.0)
    assert budgets == [Budget(3.0, None, Clock.WALL)]
