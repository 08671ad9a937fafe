"""`jaipur play --think`: the opponent in the terminal gets the time asked for, by the clock on the wall."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from jaipur import Match, Record
from jaipur.bots import Budget, Clock
from jaipur.cli.play import play as commands
from jaipur.record import bot_name
from jaipur.rules.move import Move
from jaipur.rules.rng import Rng
from jaipur.rules.view import View
from jaipur.tui.game import TerminalGame


class Asked:
    """A player that notes how long it may think."""

    def __init__(self) -> None:
        self.budgets: list[Budget] = []

    def choose(self, view: View, budget: Budget, rng: Rng) -> Move:
        """The first move there is."""
        self.budgets.append(budget)
        return view.legal_moves()[0]


def test_the_opponent_thinks_as_long_as_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = Record(Match(1), ("Ann", bot_name("vizier")))
    path = tmp_path / "match.jaipur"
    record.save(path)
    lines = iter([str(Match(1).round.legal_moves()[0])])
    asked = Asked()
    run = TerminalGame.run

    def seated(game: TerminalGame) -> None:
        game.bots[1] = asked
        with pytest.raises(StopIteration):
            run(game)

    monkeypatch.setattr(commands, "console", Console(file=io.StringIO()))
    monkeypatch.setattr("builtins.input", lambda: next(lines))
    monkeypatch.setattr(TerminalGame, "run", seated)
    commands.play(file=path, think=3.0)
    assert asked.budgets == [Budget(3.0, None, Clock.WALL)]
