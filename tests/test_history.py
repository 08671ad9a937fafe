"""The judge of races: it accepts a history that one log explains, and finds each kind of lie."""

from dataclasses import replace
from pathlib import Path

import pytest

from jaipur import Match
from jaipur.bench import kills, races
from jaipur.bench.history import Asked, faults
from jaipur.bench.own_server import OwnServer

SEED = Match(1).seed.hex()


def honest(plies: int = 6) -> tuple[list[Asked], list[str]]:
    """Two clients move for each ply, one wins, and a third looks afterwards."""
    match, history, written = Match(SEED), list[Asked](), list[str]()
    for ply in range(plies):
        first, second = (str(move) for move in match.round.legal_moves()[:2])
        match.play(match.round.legal_moves()[0])
        written.append(first)
        at = 10.0 * ply
        history += [Asked(at, at + 3, ply, first, ply + 1), Asked(at + 1, at + 4, ply, second, 0)]
        history.append(Asked(at + 5, at + 6, ply + 1, "", ply + 1, tuple(written)))
    return history, written


def test_an_honest_history_is_let_through() -> None:
    assert faults(*honest(), SEED) == []


@pytest.mark.parametrize(
    ("lie", "found"),
    [
        (lambda history, written: (history, written[:-1]), "not written"),
        (lambda history, written: (history, [*written[:-1], "-DDDDD"]), "not a match"),
        (lambda history, written: ([*history, replace(history[1], number=1)], written), "two moves"),
        (lambda history, written: (history[3:], written), "were accepted"),
        (lambda history, written: ([*history, Asked(70, 71, 1, "", 1, (written[0],))], written), "was known"),
        (lambda history, written: ([*history, Asked(70, 71, 9, "", 9, ())], written), "another log"),
        (lambda history, written: ([*history, Asked(70, 71, 6, "+M", 0)], written), "nobody else moved"),
    ],
)
def test_a_lie_is_found(lie, found: str) -> None:  # type: ignore[no-untyped-def]
    history, written = lie(*honest())
    assert any(found in fault for fault in faults(history, written, SEED))


@pytest.mark.slow
def test_a_few_races_at_a_real_server_fit_one_log(tmp_path: Path) -> None:
    with OwnServer(str(tmp_path / "games.sqlite3")) as own_server:
        figures = races.run(own_server.port, own_server.database, 40, 60, own_server.end)
    assert figures["plies"] == figures["plies_with_one_winner"] == 40
    assert figures["faults"] == 0, figures


@pytest.mark.slow
def test_a_few_kills_lose_nothing(tmp_path: Path) -> None:
    figures = kills.run(str(tmp_path / "games.sqlite3"), 4, 60)
    assert figures["kills"] == 4
    assert figures["events"]
    lost = ("acknowledged_and_lost", "written_twice", "streams_not_once_in_order", "refused")
    assert [figures[name] for name in lost] == [0, 0, 0, 0]
