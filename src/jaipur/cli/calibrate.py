"""`jaipur calibrate`: whether the network's probabilities are true."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from jaipur.arena.calibration import TENTHS, Tenth, reliability
from jaipur.bots.weights import SHIPPED, load_network, shipped_network
from jaipur.cli.options import JsonOption
from jaipur.i18n import _

_CHUNK = 100


def calibrate(
    network: Annotated[
        str, typer.Argument(help=_("Whose network: merchant, vizier, or a file of weights."))
    ] = "vizier",
    rounds: Annotated[int, typer.Option(min=1, help=_("Rounds of the network against itself."))] = 5000,
    seed: Annotated[int, typer.Option(help=_("The seed of the deals."))] = 0,
    as_json: JsonOption = False,
) -> None:
    """Prints for each tenth what was predicted and what was seen."""
    learned = shipped_network(network) if network in SHIPPED else load_network(Path(network))
    tenths = [Tenth() for _tenth in range(TENTHS)]
    chunks = range(-(-rounds // _CHUNK))
    for chunk in track(chunks, description="", console=Console(stderr=True), transient=True):
        _merge(tenths, reliability(learned, min(_CHUNK, rounds - chunk * _CHUNK), seed * 1_000_003 + chunk))
    if as_json:
        print(json.dumps([vars(tenth) for tenth in tenths]))  # noqa: T201 - for programs
        return
    table = Table(title=_("Reliability"))
    for heading in (_("tenth"), _("cases"), _("predicted"), _("seen"), _("difference")):
        table.add_column(heading, justify="right")
    for number, tenth in enumerate(tenths):
        values = (f"{tenth.predicted:.3f}", f"{tenth.seen:.3f}", f"{tenth.seen - tenth.predicted:+.3f}")
        table.add_row(f"{number * 10}–{number * 10 + 10}%", str(tenth.cases), *values)
    Console(highlight=False).print(table)


def _merge(tenths: list[Tenth], more: list[Tenth]) -> None:
    for tenth, other in zip(tenths, more, strict=True):
        cases = tenth.cases + other.cases
        if cases:
            tenth.predicted = (tenth.predicted * tenth.cases + other.predicted * other.cases) / cases
            tenth.seen = (tenth.seen * tenth.cases + other.seen * other.cases) / cases
            tenth.cases = cases
