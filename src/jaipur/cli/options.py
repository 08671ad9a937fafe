"""Options that several commands share."""

import os
from typing import Annotated

import typer

from jaipur.bots import Budget
from jaipur.core.errors import N_, JaipurError
from jaipur.i18n import _

SecondsOption = Annotated[
    float | None, typer.Option("--budget", help=_("Seconds that a player may think about a move."))
]
WorldsOption = Annotated[
    int | None, typer.Option("--worlds", help=_("Worlds that a search tries instead of a time: the same every time."))
]
WorkersOption = Annotated[int, typer.Option(min=1, max=256, help=_("Processes that play at the same time."))]
JsonOption = Annotated[bool, typer.Option("--json", help=_("Print one JSON object."))]

CORES = os.cpu_count() or 1
_LONGEST = 3600.0


def read_budget(seconds: float | None, worlds: int | None, default: float) -> Budget:
    """The budget of a command line."""
    if seconds is not None and worlds is not None:
        raise JaipurError(N_("Give --budget or --worlds, not both."))
    if seconds is not None and not 0 < seconds <= _LONGEST:
        raise JaipurError(N_("A budget is a number of seconds above 0, at most 3600."))
    if worlds is not None and worlds < 1:
        raise JaipurError(N_("A search needs at least one world."))
    return Budget(None, worlds) if worlds is not None else Budget(default if seconds is None else seconds)
