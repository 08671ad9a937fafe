"""`jaipur duel A B`: which player is stronger, and how sure that is."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from jaipur.arena.contender import Contender
from jaipur.arena.duel import Duel, Standing, run
from jaipur.arena.statistics import decided
from jaipur.cli.crew import ClusterOption, crew
from jaipur.cli.options import CORES, JsonOption, TwoSecondsOption, WorkersOption, WorldsOption, read_two_budgets
from jaipur.cli.progress import progress_bar
from jaipur.files import make_folder
from jaipur.language import _
from jaipur.processes import Workers
from jaipur.rules.errors import N_, JaipurError

_DEFAULT_SECONDS = 0.1


def duel(
    first: Annotated[str, typer.Argument(help=_("A level, merchant:FILE, vizier:FILE, or exec:COMMAND."))],
    second: Annotated[str, typer.Argument(help=_("Its opponent."))],
    rounds: Annotated[
        int, typer.Option(min=2, help=_("Rounds to play, or matches with --matches; each deal is played twice."))
    ] = 1000,
    budget: TwoSecondsOption = None,
    worlds: WorldsOption = None,
    matches: Annotated[bool, typer.Option("--matches", help=_("Play whole matches instead of single rounds."))] = False,
    seed: Annotated[int, typer.Option(help=_("The seed of the deals."))] = 0,
    workers: WorkersOption = CORES,
    cluster: ClusterOption = "",
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option(
            help=_("Stop as soon as the Elo difference is clearly nearer to one of these two."), metavar=_("LOW HIGH")
        ),
    ] = None,
    records: Annotated[Path | None, typer.Option(help=_("Write every game into this folder."))] = None,
    luck: Annotated[
        bool, typer.Option("--luck", help=_("Also tell the win rate with the luck of the cards taken off."))
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Plays and reports."""
    limits = read_two_budgets(budget, worlds, _DEFAULT_SECONDS)
    sides = Contender(first, limits[0]), Contender(second, limits[1])
    for side in sides:
        side.make()
    if sprt is not None and sprt[0] >= sprt[1]:
        raise JaipurError(N_("The first number of --sprt is the smaller one."))
    if luck and matches:
        raise JaipurError(N_("--luck counts the luck of single rounds: leave --matches out."))
    if records is not None:
        make_folder(records)
    plan = Duel(*sides, (rounds + 1) // 2, seed, matches, records, luck)
    standing = Standing()
    try:
        with crew(cluster, workers) as those_who_play:
            for now in show_progress(plan, those_who_play, sprt):
                standing = now
    except (KeyboardInterrupt, JaipurError):
        _tell(plan, standing, sprt, as_json)
        raise
    _tell(plan, standing, sprt, as_json)


def show_progress(plan: Duel, workers: Workers, sprt: tuple[float, float] | None = None) -> Iterator[Standing]:
    """Plays a duel with a live display; yields the standing after each pair."""
    with progress_bar() as progress:
        names = f"{plan.first.name} – {plan.second.name}"
        task = progress.add_task(names, total=2 * plan.pairs)
        for standing in run(plan, workers, sprt):
            words = f"{names}  {standing.estimate.in_percent}"
            progress.update(task, completed=standing.games, description=words)
            yield standing


def _tell(plan: Duel, standing: Standing, sprt: tuple[float, float] | None, as_json: bool) -> None:
    """What a duel found, also when it was interrupted."""
    first, second = plan.first.name, plan.second.name
    if as_json:
        print(json.dumps({"first": first, "second": second} | standing.figures()))  # noqa: T201 - for programs
    elif standing.games:
        _report(standing, first, second, sprt)


def _report(standing: Standing, first: str, second: str, sprt: tuple[float, float] | None) -> None:
    console = Console(highlight=False)
    now = standing.estimate
    table = Table(title=_("{first} against {second}").format(first=first, second=second))
    table.add_column("")
    table.add_column(first, justify="right")
    table.add_column(second, justify="right")
    table.add_row(_("won"), f"{100 * now.rate:.1f}%", f"{100 * (1 - now.rate):.1f}%")
    table.add_row(_("rupees per round"), *(f"{side.rupees / standing.rounds:.1f}" for side in standing.sides))
    table.add_row(_("ms per decision"), *(f"{side.ms_per_decision:.2f}" for side in standing.sides))
    table.add_row(_("longest, ms"), *(f"{1000 * side.longest:.1f}" for side in standing.sides))
    console.print(table)
    console.print(
        _("{games} games, {turns:.1f} turns per round. 95% interval {low:.1f}% to {high:.1f}%, Elo {elo:+.0f}.").format(
            games=standing.games,
            turns=standing.turns / standing.rounds,
            low=100 * now.low,
            high=100 * now.high,
            elo=now.elo,
        )
    )
    if standing.without_luck:
        rest = standing.estimate_without_luck
        sentence = _("With the luck taken off: {rate:.1f}%, 95% interval {low:.1f}% to {high:.1f}%.")
        console.print(sentence.format(rate=100 * rest.rate, low=100 * rest.low, high=100 * rest.high))
    if sprt is not None:
        verdict = decided(standing.pairs, *sprt)
        words = {"high": _("Decided: the higher difference."), "low": _("Decided: the lower difference.")}
        console.print(words.get(verdict, _("Not decided.")))
    reasons = Counter(lost.reason for lost in standing.forfeits)
    for reason, times in sorted(reasons.items()):
        console.print(_("Lost by forfeit, {times} times: {reason}").format(times=times, reason=reason))
