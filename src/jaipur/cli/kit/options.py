"""Options that several commands share."""

import os
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from jaipur.bots import Budget, Clock
from jaipur.extras import load
from jaipur.language import _
from jaipur.processes import Workers
from jaipur.rules.errors import N_, JaipurError

RecordArgument = Annotated[Path, Argument(readable=False, help=_("A .jaipur record."))]
"""As with every path, the command itself says what is wrong with it, not Typer."""
WorldsOption = Annotated[
    int | None,
    Option(
        "--worlds", help=_("Worlds that a search tries, instead of a time limit: the result is the same every time.")
    ),
]
WorkersOption = Annotated[int, Option(min=1, max=256, help=_("Processes that play at the same time."))]
SeedOption = Annotated[int, Option(help=_("The seed of the deals."))]
MOST_WORLDS = 1_000_000
GradingWorldsOption = Annotated[
    int,
    Option(
        "--worlds",
        min=2,
        max=MOST_WORLDS,
        help=_("Worlds in which each decision is tried: more are surer and take longer."),
    ),
]
JsonOption = Annotated[bool, Option("--json", help=_("Print one JSON object, for programs."))]
ClusterOption = Annotated[
    str,
    Option(
        "--cluster",
        metavar=_("tcp://HOST:8786"),
        help=_("Play on the workers of this Dask scheduler instead of this machine: see docs/cluster.md."),
    ),
]
DatabaseOption = Annotated[str, Option(help=_("The database: a file, or an address like postgresql://USER@HOST/NAME."))]

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
    explanation, metavar = _("Seconds of processor time per move that a player may think."), _("SECONDS")
    if two_sides:
        explanation = _("Seconds of processor time per move that a player may think, or one number for each side.")
        metavar = _("SECONDS[,SECONDS]")
    return Option("--budget", metavar=metavar, help=explanation, show_default=f"{default:g}")


def read_budget(seconds: float | None, worlds: int | None, default: float) -> Budget:
    """Reads the budget given on a command line."""
    if seconds is not None and worlds is not None:
        raise JaipurError(N_("Give --budget or --worlds, not both."))
    if seconds is None and worlds is None:
        seconds = default
    if seconds is not None and not 0 < seconds <= _LONGEST:
        raise JaipurError(N_("A budget is a number of seconds above 0, at most 3600."))
    if worlds is not None and worlds < 1:
        raise JaipurError(N_("A search needs at least one world."))
    return Budget(seconds, worlds, Clock.PROCESSOR)


def read_two_budgets(text: str | None, worlds: int | None, default: float) -> tuple[Budget, Budget]:
    """The budgets of both sides: one number for both, or two separated by a comma."""
    try:
        seconds = [float(part) for part in text.split(",")] if text is not None else [None]
    except ValueError:
        seconds = [float("nan")]
    if len(seconds) > 2:  # noqa: PLR2004 - there are two sides
        raise JaipurError(N_("Give --budget one number of seconds, or one for each of the two sides."))
    return read_budget(seconds[0], worlds, default), read_budget(seconds[-1], worlds, default)
