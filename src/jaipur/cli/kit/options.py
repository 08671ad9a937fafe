"""Options that several commands share."""

import os
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from jaipur.bots import Budget, Clock
from jaipur.extras import load
from jaipur.language import _
from jaipur.processes import Workers
from jaipur.rules.errors import N_, JaipurError

RecordArgument = Annotated[Path, typer.Argument(readable=False, help=_("A .jaipur record."))]
"""As with every path, the command itself says what is wrong with it, not Typer."""
WorldsOption = Annotated[
    int | None,
    typer.Option(
        "--worlds", help=_("Worlds that a search tries, instead of a time limit: the result is the same every time.")
    ),
]
WorkersOption = Annotated[int, typer.Option(min=1, max=256, help=_("Processes that play at the same time."))]
SeedOption = Annotated[int, typer.Option(help=_("The seed of the deals."))]
MOST_WORLDS = 1_000_000
GradingWorldsOption = Annotated[
    int,
    typer.Option(
        "--worlds",
        min=2,
        max=MOST_WORLDS,
        help=_("Worlds in which each decision is tried: more are surer and take longer."),
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help=_("Print one JSON object, for programs."))]
ClusterOption = Annotated[
    str,
    typer.Option(
        "--cluster",
        metavar=_("tcp://HOST:8786"),
        help=_("Play on the workers of this Dask scheduler instead of this machine: see docs/cluster.md."),
    ),
]
DatabaseOption = Annotated[
    str, typer.Option(help=_("The database: a file, or an address like postgresql://USER@HOST/NAME."))
]

CORES = os.cpu_count() or 1
_LONGEST = 3600.0


def crew(cluster: str, workers: int) -> AbstractContextManager[Workers]:
    """Who plays for a command: so many processes on this machine, or the cluster, if one is named."""
    if not cluster:
        return nullcontext(workers)
    connected: AbstractContextManager[Workers] = load("jaipur.cluster", "cluster").Cluster(cluster)
    return connected


def seconds_option(default: float, two_sides: bool = False) -> Any:
    """The option --budget of a command, with the time that its players think by default."""
    explained, metavar = _("Seconds of processor time per move that a player may think."), _("SECONDS")
    if two_sides:
        explained = _("Seconds of processor time per move that a player may think, or one number for each side.")
        metavar = _("SECONDS[,SECONDS]")
    return typer.Option("--budget", metavar=metavar, help=explained, show_default=f"{default:g}")


def read_budget(seconds: float | None, worlds: int | None, default: float) -> Budget:
    """Reads the budget given on a command line."""
    if seconds is not None and worlds is not None:
        raise JaipurError(N_("Give --budget or --worlds, not both."))
    if seconds is not None and not 0 < seconds <= _LONGEST:
        raise JaipurError(N_("A budget is a number of seconds above 0, at most 3600."))
    if worlds is not None and worlds < 1:
        raise JaipurError(N_("A search needs at least one world."))
    if worlds is not None:
        return Budget(None, worlds, Clock.PROCESSOR)
    return Budget(default if seconds is None else seconds, None, Clock.PROCESSOR)


def read_thinking(seconds: float) -> Budget:
    """The budget for a game with people, who wait in real time: it is measured by the wall clock."""
    return replace(read_budget(seconds, None, seconds), clock=Clock.WALL)


def read_two_budgets(text: str | None, worlds: int | None, default: float) -> tuple[Budget, Budget]:
    """The budgets of both sides: one number for both, or two separated by a comma."""
    try:
        seconds = [float(part) for part in text.split(",")] if text is not None else [None]
    except ValueError:
        seconds = [float("nan")]
    if len(seconds) > 2:  # noqa: PLR2004 - there are two sides
        raise JaipurError(N_("Give --budget one number of seconds, or one for each of the two sides."))
    return read_budget(seconds[0], worlds, default), read_budget(seconds[-1], worlds, default)
