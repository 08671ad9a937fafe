"""`jaipur ladder`: all levels against each other."""

import json
from itertools import combinations
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from jaipur.arena.contender import Contender
from jaipur.arena.duel import Duel
from jaipur.arena.ladder import ratings
from jaipur.bots import LEVELS
from jaipur.cli.kit.numbers import share
from jaipur.cli.kit.options import CORES, JsonOption, WorkersOption, WorldsOption, read_budget, seconds_option
from jaipur.cli.kit.workers import ClusterOption, crew
from jaipur.cli.study.duel import show_progress
from jaipur.language import _
from jaipur.rules.errors import JaipurError

_DEFAULT_SECONDS = 0.05
Results = dict[tuple[str, str], tuple[float, int]]
"""For each pair, the win rate of the first against the second, and the number of their games."""


def ladder(
    rounds: Annotated[
        int, typer.Option(min=2, help=_("Rounds that each pair of levels plays; an odd number is rounded up."))
    ] = 200,
    budget: Annotated[float | None, seconds_option(_DEFAULT_SECONDS)] = None,
    worlds: WorldsOption = None,
    seed: Annotated[int, typer.Option(help=_("The seed of the deals."))] = 0,
    workers: WorkersOption = CORES,
    cluster: ClusterOption = "",
    as_json: JsonOption = False,
) -> None:
    """Prints the win rates and the Elo of each level above `random`, even if interrupted."""
    limit = read_budget(budget, worlds, _DEFAULT_SECONDS)
    results: Results = {}
    try:
        with crew(cluster, workers) as those_who_play:
            for first, second in combinations(LEVELS, 2):
                plan = Duel(Contender(first, limit), Contender(second, limit), (rounds + 1) // 2, seed)
                for standing in show_progress(plan, those_who_play):
                    results[first, second] = (standing.estimate.rate, standing.games)
    except (KeyboardInterrupt, JaipurError):
        _tell(results, as_json)
        raise
    _tell(results, as_json)


def _tell(results: Results, as_json: bool) -> None:
    """Prints what was found about the levels that have played, if any."""
    names = [name for name in LEVELS if any(name in pair for pair in results)]
    if not names:
        return
    elo = ratings(names, results)
    if as_json:
        rates = {f"{first} {second}": rate for (first, second), (rate, _games) in results.items()}
        print(json.dumps({"elo": elo, "win_rates": rates}))  # noqa: T201 - for programs
        return
    table = Table(title=_("Ladder"))
    table.add_column("")
    table.add_column("Elo", justify="right")
    for name in names:
        table.add_column(name, justify="right")
    for name in sorted(names, key=lambda name: -elo[name]):
        table.add_row(name, f"{elo[name]:.0f}", *(_rate(results, name, other) for other in names))
    Console(highlight=False).print(table)


def _rate(results: Results, name: str, other: str) -> str:
    if (name, other) in results:
        return share(results[name, other][0])
    return share(1 - results[other, name][0]) if (other, name) in results else ""
