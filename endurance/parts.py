"""The parts of the endurance run: what each proves, how long it may take, and which figures keep its promise."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from math import inf

Figures = dict[str, object]
NONE, SOME = (0.0, 0.0), (1.0, inf)


@dataclass(frozen=True)
class Part:
    """One part: its measurement is told how many seconds it may take, and may be done sooner."""

    proves: str
    seconds: float
    measure: Callable[[float], Figures]
    promises: Mapping[str, tuple[float, float]]
    """The least and the most that figures whose names end like this may be."""

    def broken(self, figures: Figures) -> list[str]:
        """Each promise that the figures break, as a sentence."""
        found = []
        for promised, (least, most) in self.promises.items():
            values = [(name, value) for name, value in _flat(figures) if name.endswith(promised)]
            found += [f"{name} is {value}" for name, value in values if not least <= value <= most]
            found += [f"{promised} was not measured"] * (not values)
        return found


def _flat(figures: Figures) -> Iterator[tuple[str, float]]:
    for name, figure in figures.items():
        if isinstance(figure, list):
            for point in figure:
                yield from _flat(point)
        elif isinstance(figure, int | float):
            yield name, figure


def _in(module: str, name: str = "measure") -> Callable[[float], Figures]:
    """A measurement that is imported only when it is made."""

    def measure(seconds: float) -> Figures:
        figures: Figures = getattr(import_module(f"endurance.{module}"), name)(seconds)
        return figures

    return measure


_INTACT = dict.fromkeys(
    ("acknowledged_and_lost", "written_twice", "set_up_twice", "games_not_whole", "streams_not_once_in_order"), NONE
) | {"refused": NONE, "acknowledged": SOME}
PARTS = {
    "suites": Part("the slow tests in endurance/suites pass", 600, _in("pytests"), {"failed": NONE, "passed": SOME}),
    "thorough": Part(
        "the tests of the server pass on SQLite, on PostgreSQL and with three servers behind nginx, and try more",
        1800,
        _in("pytests", "thorough"),
        {"failed": NONE, "passed": SOME},
    ),
    "coverage": Part(
        "the tests of `make test` pass, with the lines they reach in build/coverage",
        900,
        _in("pytests", "coverage"),
        {"failed": NONE, "passed": SOME},
    ),
    "kills": Part(
        "a server that is killed loses nothing, and bots go on",
        1200,
        _in("kills"),
        _INTACT | {"kills": SOME, "kills_before_a_bots_move": SOME, "bots_stuck": NONE},
    ),
    "races": Part(
        "of racing moves one wins, and one log explains every answer",
        600,
        _in("races"),
        {"plies": SOME, "plies_without_one_winner": NONE, "faults_of_the_history": NONE},
    ),
    "faults": Part("any process may die, and nothing is lost", 1200, _in("faults"), _INTACT | {"_faults": SOME}),
    "powercut": Part(
        "a power cut loses nothing that was acknowledged",
        600,
        _in("powercut.cuts"),
        {"acknowledged_and_lost": NONE, "damaged": NONE, "power_cuts": SOME, "without_fsync": SOME},
    ),
    "soak": Part(
        "the memory of a busy server does not grow",
        1800,
        _in("soak"),
        {"refused": NONE, "programs_that_stopped": NONE, "moves": SOME, "mb_since_warm": (-inf, 20.0)},
    ),
    "growth": Part(
        "what a move costs as listeners, games, moves and processes grow",
        900,
        _in("growth.measure"),
        {"pushes_lost": NONE},
    ),
    "attack": Part(
        "no attack takes more than 20 MB, and a bot still answers",
        300,
        _in("attack"),
        {"_mb": (-inf, 20.0), "trader_answers": SOME},
    ),
    "pairs": Part(
        "games that differ in secrets look the same, and planted leaks are seen",
        600,
        _in("pairs"),
        {"pairs_with_different_secrets": SOME, "answers_that_differ": NONE, "planted_leaks_missed": NONE},
    ),
}
