"""`jaipur bench`: how fast the rulebook, the bots, the server and the environments are."""

from collections.abc import Callable
from typing import Annotated

from typer import Argument, Option

import jaipur
from jaipur.cli.kit.options import JsonOption
from jaipur.cli.kit.output import console, print_json, table_of
from jaipur.extras import load
from jaipur.language import _
from jaipur.rules.errors import N_, JaipurError

_MEASUREMENTS = {
    "rules": ("jaipur.bench.rules", "", 1.0),
    "bots": ("jaipur.bench.bots", "", 30.0),
    "coach": ("jaipur.bench.coach", "", 300.0),
    "envs": ("jaipur.bench.environments", "rl", 1.0),
    "server": ("jaipur.bench.server", "web", 10.0),
}
"""The module that measures, the extra whose packages it needs, and how many seconds it usually takes."""
_NAMES = ", ".join(_MEASUREMENTS)


def bench(
    what: Annotated[str, Argument(help=_("What to measure: {names}.").format(names=_NAMES))] = "rules",
    as_json: JsonOption = False,
    seconds: Annotated[float | None, Option(min=0.01, max=7200, help=_("How long each measurement takes."))] = None,
    processes: Annotated[
        int,
        Option(
            min=0,
            max=64,
            help=_("With server: this many server processes, on a PostgreSQL of their own; 0 for one with SQLite."),
        ),
    ] = 0,
    busy: Annotated[
        bool, Option("--busy", help=_("With server: something else keeps one core busy at the same time."))
    ] = False,
) -> None:
    """Measures the rules and the environments in processor time, the bots in real time, the server under load."""
    if what not in _MEASUREMENTS:
        raise JaipurError(N_("There is no measurement “{what}”: choose {names}."), what=what[:40], names=_NAMES)
    if (processes or busy) and what != "server":
        raise JaipurError(N_("Only the server under load has these options: jaipur bench server --processes 2 --busy"))
    module, extra, usual = _MEASUREMENTS[what]
    measure: Callable[..., dict[str, object]] = load(module, extra).measure
    figures = measure(seconds or usual, *((processes, busy) if what == "server" else ()))
    if as_json:
        print_json(figures)
    else:
        _show(figures)


def _show(figures: dict[str, object]) -> None:
    """Prints one table for all single figures, and one for each list of points."""
    single = {name: figure for name, figure in figures.items() if not isinstance(figure, list)}
    if single:
        rows = [(name, _cell(figure)) for name, figure in single.items()]
        title = _("compiled") if jaipur.COMPILED else _("interpreted")
        console.print(table_of((_("measured"), _("figure")), rows, title))
    for name, points in figures.items():
        if isinstance(points, list):
            cells = [map(_cell, point.values()) for point in points]
            console.print(table_of(points[0], cells, name, words=len(points[0])))


def _cell(figure: object) -> str:
    return f"{figure:,.2f}" if isinstance(figure, float) else str(figure)
