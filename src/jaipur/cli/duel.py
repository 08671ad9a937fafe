"""`jaipur duel A B`: which player is stronger, and how sure that is."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from jaipur.arena.duel import Duel, Standing, run
from jaipur.arena.statistics import decided
from jaipur.bots.contender import Contender
from jaipur.cli.options import CORES, JsonOption, SecondsOption, WorkersOption, WorldsOption, read_budget
from jaipur.core.errors import N_, JaipurError
from jaipur.files import make_folder
from jaipur.i18n import _

_DEFAULT_SECONDS = 0.1


def duel(
    first: Annotated[str, typer.Argument(help=_("A level, merchant:FILE, vizier:FILE, or exec:COMMAND."))],
    second: Annotated[str, typer.Argument(help=_("Its opponent."))],
    rounds: Annotated[
        int, typer.Option(min=2, help=_("Rounds to play, or matches with --matches; two a deal."))
    ] = 1000,
    budget: SecondsOption = None,
    worlds: WorldsOption = None,
    matches: Annotated[bool, typer.Option("--matches", help=_("Play whole matches instead of single rounds."))] = False,
    seed: Annotated[int, typer.Option(help=_("The seed of the deals."))] = 0,
    workers: WorkersOption = CORES,
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option(help=_("Stop when the Elo difference is surely nearer to one of these two."), metavar="LOW HIGH"),
    ] = None,
    records: Annotated[Path | None, typer.Option(help=_("Write every game into this folder."))] = None,
    as_json: JsonOption = False,
) -> None:
    """Plays and reports."""
    limit = read_budget(budget, worlds, _DEFAULT_SECONDS)
    sides = Contender(first, limit), Contender(second, limit)
    for side in sides:
        side.make()
    if sprt is not None and sprt[0] >= sprt[1]:
        raise JaipurError(N_("The first number of --sprt is the smaller one."))
    if records is not None:
        make_folder(records)
    standing = show_progress(Duel(*sides, (rounds + 1) // 2, seed, matches, records), workers, sprt)
    if as_json:
        print(json.dumps({"first": first, "second": second} | standing.figures()))  # noqa: T201 - for programs
    else:
        _report(standing, first, second, sprt)


def show_progress(plan: Duel, workers: int, sprt: tuple[float, float] | None = None) -> Standing:
    """Plays a duel with a live display on standard error."""
    standing = Standing()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        names = f"{plan.first.name} – {plan.second.name}"
        task = progress.add_task(names, total=2 * plan.pairs)
        for standing in run(plan, workers, sprt):
            now = standing.estimate
            words = f"{names}  {100 * now.rate:.1f}% ({100 * now.low:.1f}–{100 * now.high:.1f})"
            progress.update(task, completed=standing.games, description=words)
    return standing


def _report(standing: Standing, first: str, second: str, sprt: tuple[float, float] | None) -> None:
    console = Console(highlight=False)
    now = standing.estimate
    table = Table(title=_("{first} against {second}").format(first=first, second=second))
    table.add_column("")
    table.add_column(first, justify="right")
    table.add_column(second, justify="right")
    table.add_row(_("won"), f"{100 * now.rate:.1f}%", f"{100 * (1 - now.rate):.1f}%")
    table.add_row(_("rupees a round"), *(f"{side.rupees / standing.rounds:.1f}" for side in standing.sides))
    table.add_row(_("ms a decision"), *(f"{side.ms_per_decision:.2f}" for side in standing.sides))
    table.add_row(_("longest, ms"), *(f"{1000 * side.longest:.1f}" for side in standing.sides))
    console.print(table)
    console.print(
        _("{games} games, {turns:.1f} turns a round. 95% interval {low:.1f}% to {high:.1f}%, Elo {elo:+.0f}.").format(
            games=standing.games,
            turns=standing.turns / standing.rounds,
            low=100 * now.low,
            high=100 * now.high,
            elo=now.elo,
        )
    )
    if sprt is not None:
        verdict = decided(standing.pairs, *sprt)
        words = {"high": _("Decided: the higher difference."), "low": _("Decided: the lower difference.")}
        console.print(words.get(verdict, _("Not decided.")))
    for forfeit in sorted(set(standing.forfeits)):
        console.print(
            _("Lost by forfeit, {times} times: {reason}").format(times=standing.forfeits.count(forfeit), reason=forfeit)
        )
