"""`jaipur ladder`: all levels against each other."""

from itertools import combinations
from typing import Annotated

from typer import Option

from jaipur.arena.duel import Duel
from jaipur.arena.play import Contender
from jaipur.arena.statistics import ratings
from jaipur.bots import LEVELS
from jaipur.cli.kit.options import (
    CORES,
    ClusterOption,
    JsonOption,
    SeedOption,
    WorkersOption,
    WorldsOption,
    crew,
    read_budget,
    seconds_option,
)
from jaipur.cli.kit.output import console, print_json, share, table_of
from jaipur.cli.study.duel import show_progress
from jaipur.language import _

_DEFAULT_SECONDS = 0.05
Results = dict[tuple[str, str], tuple[float, int]]
"""For each pair, the win rate of the first against the second, and the number of their games."""


def ladder(
    rounds: Annotated[
        int, Option(min=2, help=_("Rounds that each pair of levels plays; an odd number is rounded up."))
    ] = 200,
    budget: Annotated[float | None, seconds_option(_DEFAULT_SECONDS)] = None,
    worlds: WorldsOption = None,
    seed: SeedOption = 0,
    workers: WorkersOption = CORES,
    cluster: ClusterOption = "",
    as_json: JsonOption = False,
) -> None:
    """Prints the win rates and the Elo of each level above `random`, even if interrupted."""
    limit = read_budget(budget, worlds, _DEFAULT_SECONDS)
    results: Results = {}
    try:
        with crew(cluster, workers) as team:
            for first, second in combinations(LEVELS, 2):
                plan = Duel(Contender(first, limit), Contender(second, limit), (rounds + 1) // 2, seed)
                for standing in show_progress(plan, team):
                    results[first, second] = (standing.estimate.rate, standing.games)
    finally:
        _tell(results, as_json)


def _tell(results: Results, as_json: bool) -> None:
    """Prints what was found about the levels that have played, if any."""
    names = [name for name in LEVELS if any(name in pair for pair in results)]
    if not names:
        return
    elo = ratings(names, results)
    if as_json:
        rates = {f"{first} {second}": rate for (first, second), (rate, _games) in results.items()}
        print_json({"elo": elo, "win_rates": rates})
        return
    shares = {pair: share(rate) for pair, (rate, _games) in results.items()}
    shares |= {pair[::-1]: share(1 - rate) for pair, (rate, _games) in results.items()}
    rows = [
        (name, f"{elo[name]:.0f}", *(shares.get((name, other), "") for other in names))
        for name in sorted(names, key=lambda name: -elo[name])
    ]
    console.print(table_of(("", "Elo", *names), rows, _("Ladder")))
