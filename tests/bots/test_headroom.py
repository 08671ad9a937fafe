"""The program that measures what players lose per decision."""

import json
from pathlib import Path

import pytest
from tools import headroom, losses
from tools.losses import GROUPS, PLAYERS, Position

from jaipur.bots import Budget

PLAN = headroom.Plan(worlds=1, tries=GROUPS, seed=0)


def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(headroom, "_TURNS_PER_SECOND", 2500)
    monkeypatch.setattr(headroom, "_THOUGHT", Budget(worlds=2))
    path = tmp_path / "positions"
    whole = list(headroom.run(path, PLAN, 2))
    written = path.read_text(encoding="utf-8")
    assert all(len(truths) == GROUPS for one in whole for truths in one.truths.values())
    assert any(one.truths for one in whole)

    path.write_text(written.splitlines(keepends=True)[0], encoding="utf-8")
    assert list(headroom.run(path, PLAN, 2)) == whole
    assert path.read_text(encoding="utf-8") == written
    other = list(headroom.run(path, headroom.Plan(worlds=1, tries=GROUPS, seed=1), 1))
    assert json.loads(path.read_text(encoding="utf-8").splitlines()[-1])["view"] == other[0].view != whole[0].view


def position(number: int, network: float, *truths: list[float]) -> Position:
    """Moves that are believed equal, or the first that much worse; the network chooses it, the others the second."""
    moves = "+M", "+L", "+C"
    choices = dict(zip(PLAYERS, moves[:1] + 2 * moves[1:2], strict=True))
    beliefs = dict(zip(moves, (0.5 - network, 0.5, 0.5), strict=True))
    return Position({"tries": 96}, number, "uct", number, "", choices, beliefs, dict(zip(moves, truths, strict=False)))


def test_a_move_that_is_always_worse_loses_what_it_is_worse_by() -> None:
    worse = position(0, 0.1, [0.4, 0.5] * 4, [0.5, 0.6] * 4)
    assert [worse.at_least(player, 1.0) for player in PLAYERS] == pytest.approx([0.1, 0, 0])
    assert [worse.probably(player, 1.0) for player in PLAYERS] == pytest.approx([0.1, 0, 0])
    assert worse.behind("network") == pytest.approx(0.1)


def test_noise_is_no_loss() -> None:
    """The best of equal moves is best by chance; nothing can be won by knowing it."""
    noisy = [position(0, 0.0, [0.9] + [0.5] * 7, [0.5] * 7 + [0.8], [0.5] * 3 + [0.9] + [0.5] * 4)]
    assert noisy[0].at_least(PLAYERS[-1], 1.0) < 0.01
    assert losses.signal_of(noisy) == 0
    assert noisy[0].probably(PLAYERS[-1], 0.0) == pytest.approx(0)


def test_what_differs_more_than_its_noise_is_a_signal() -> None:
    surprising = [position(0, 0.0, [0.60, 0.62] * 4, [0.41, 0.40] * 4)]
    assert losses.signal_of(surprising) > 10
    assert surprising[0].probably("vizier, 1 s", losses.signal_of(surprising)) == pytest.approx(0.2, abs=0.02)


def test_the_report_has_each_phase_with_its_interval() -> None:
    """Two kinds of position, one by one: the jackknife gives what the plain formula gives for a mean."""
    certain = [position(number, 0.1, [0.4] * GROUPS, [0.5] * GROUPS) for number in (3, 40)]
    table = losses.report([*certain, position(4, 0.0), position(41, 0.0)])
    columns = [list(column.cells) for column in table.columns]
    assert columns[0][::3] == [
        "all: 4, measured 2",
        "open: 4, measured 2",
        "early: 2, measured 1",
        "late: 2, measured 1",
    ]
    assert [column[0] for column in columns[1:]] == ["network", *["0.0500 ± 0.0566"] * 3]
