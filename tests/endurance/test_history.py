"""The judge of races: it accepts a history that one log explains, and finds each kind of lie."""

from dataclasses import replace

import pytest
from endurance.history import Asked, faults

from jaipur import Match

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
