"""`jaipur bench`: how fast the rulebook, the bots, the server and the environments are."""

import json
from collections.abc import Callable
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

import jaipur
from jaipur.extras import load
from jaipur.language import _
from jaipur.rules.errors import N_, JaipurError

_MEASUREMENTS = {
    "rules": ("jaipur.bench.rules", "", 1.0),
    "bots": ("jaipur.bench.bots", "", 30.0),
    "server": ("jaipur.bench.server", "web", 10.0),
    "kills": ("jaipur.bench.kills", "web", 3600.0),
    "faults": ("jaipur.bench.faults", "postgres", 3600.0),
    "races": ("jaipur.bench.races", "web", 600.0),
    "soak": ("jaipur.bench.soak", "web", 1800.0),
    "powercut": ("jaipur.bench.powercut", "web", 600.0),
    "coach": ("jaipur.bench.coach", "", 300.0),
    "envs": ("jaipur.bench.environments", "rl", 1.0),
}
"""The module that measures, the extra whose packages it needs, and its usual seconds."""
_NAMES = ", ".join(_MEASUREMENTS)


def bench(
    what: Annotated[str, typer.Argument(help=_("What to measure: {names}.").format(names=_NAMES))] = "rules",
    as_json: Annotated[bool, typer.Option("--json", help=_("Print one JSON object, for programs."))] = False,
    seconds: Annotated[
        float | None, typer.Option(min=0.01, max=7200, help=_("How long each measurement takes."))
    ] = None,
    attack: Annotated[
        bool, typer.Option("--attack", help=_("With server: attack it, and measure what an innocent client notices."))
    ] = False,
) -> None:
    """Measures the rules and the environments in processor time, the bots by the clock, the server under load."""
    if what not in _MEASUREMENTS:
        raise JaipurError(N_("There is no measurement “{what}”: choose {names}."), what=what[:40], names=_NAMES)
    if attack and what != "server":
        raise JaipurError(N_("Only the server can be attacked: jaipur bench server --attack"))
    module, extra, usual = _MEASUREMENTS[what]
    measure: Callable[[float], dict[str, object]] = getattr(
        load(module, extra), "measure_attack" if attack else "measure"
    )
    figures = measure(seconds or usual)
    if as_json:
        print(json.dumps(figures))  # noqa: T201 - for programs, unstyled
        return
    table = Table(title=_("compiled") if jaipur.COMPILED else _("interpreted"))
    table.add_column(_("measured"))
    table.add_column(_("figure"), justify="right")
    for name, figure in figures.items():
        table.add_row(name, f"{figure:,.2f}" if isinstance(figure, float) else str(figure))
    Console(highlight=False).print(table)
