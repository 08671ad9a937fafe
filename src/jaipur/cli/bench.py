"""`jaipur bench`: how fast the rulebook is, and a fingerprint that a refactor must not change; also other rooms."""

import hashlib
import json
import time
from collections.abc import Callable, Mapping
from itertools import cycle
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

import jaipur
from jaipur.cli.bench_bots import measure_bots
from jaipur.core.errors import N_, JaipurError
from jaipur.core.legal import RandomMover
from jaipur.core.playout import random_rounds, random_turns
from jaipur.core.rng import Rng
from jaipur.core.round import Round
from jaipur.core.worlds import determinize
from jaipur.i18n import _
from jaipur.notation import round_text

_FINGERPRINT_ROUNDS = 200
_CHUNK = {True: 2000, False: 20}
"""Rounds a measurement plays between two looks at the clock: compiled, interpreted."""


_SECONDS = {"rules": 1.0, "bots": 30.0, "server": 10.0, "envs": 1.0}
_NAMES = ", ".join(_SECONDS)


def bench(
    what: Annotated[str, typer.Argument(help=_("What to measure: {names}.").format(names=_NAMES))] = "rules",
    as_json: Annotated[bool, typer.Option("--json", help=_("Print one JSON object."))] = False,
    seconds: Annotated[
        float | None, typer.Option(min=0.01, max=600, help=_("How long each measurement takes."))
    ] = None,
) -> None:
    """Measures the rules and the environments in processor time, the bots by the clock, the server under load."""
    figures = _measurement(what)(seconds or _SECONDS.get(what, 1.0))
    if as_json:
        print(json.dumps(figures))  # noqa: T201 - for programs, unstyled
        return
    table = Table(title=_("compiled core") if jaipur.COMPILED else _("interpreted core"))
    table.add_column(_("measured"))
    table.add_column(_("figure"), justify="right")
    for name, figure in figures.items():
        table.add_row(name, f"{figure:,.2f}" if isinstance(figure, float) else str(figure))
    Console(highlight=False).print(table)


def _measurement(what: str) -> Callable[[float], Mapping[str, object]]:
    if what == "rules":
        return measure
    if what == "bots":
        return measure_bots
    if what == "server":
        from jaipur.cli.bench_server import measure_server  # noqa: PLC0415 - the others need no web server

        return measure_server
    if what == "envs":
        from jaipur.envs import speed  # noqa: PLC0415 - the environments and their packages are an extra

        return speed.measure
    raise JaipurError(N_("There is no measurement “{what}”: choose {names}."), what=what[:40], names=_NAMES)


def measure(seconds: float) -> dict[str, object]:
    """All figures by name."""
    rng = Rng(1)
    chunk = _CHUNK[jaipur.COMPILED]
    turns = seen = rounds = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        played = random_rounds(chunk, rng)
        turns, seen, rounds = turns + played.turns, seen + played.moves_seen, rounds + chunk
    elapsed = time.process_time() - start
    tables = cycle(_positions())
    views = cycle([table.view(table.turn) for table in _positions()])
    return {
        "random_rounds_per_s": rounds / elapsed,
        "turns_per_round": turns / rounds,
        "legal_moves_per_turn": seen / turns,
        "legal_move_lists_per_s": _rate(lambda: next(views).legal_moves(), seconds),
        "views_per_s": _rate(lambda: next(tables).view(0), seconds),
        "determinizations_per_s": _rate(lambda: determinize(next(views), rng), seconds),
        "copies_per_s": _rate(lambda: next(tables).copy(), seconds),
        "compiled": jaipur.COMPILED,
        "fingerprint": fingerprint(),
    }


def fingerprint() -> str:
    """A digest of the last positions of fixed random rounds: the same for every correct core."""
    rng = Rng(2)
    mover = RandomMover(rng)
    digest = hashlib.sha256()
    for _number in range(_FINGERPRINT_ROUNDS):
        table = Round.deal(rng)
        turns = random_turns(table, mover)
        digest.update(f"{turns} {round_text(table)}\n".encode())
    return digest.hexdigest()[:16]


def _positions() -> list[Round]:
    """All positions of one random round."""
    rng = Rng(3)
    table = Round.deal(rng)
    mover = RandomMover(rng)
    positions = []
    while not table.over:
        positions.append(table.copy())
        me = table.trader(table.turn)
        table.apply(mover.choose(me.hand, me.herd, table.market))
    return positions


def _rate(call: Callable[[], object], seconds: float) -> float:
    calls = 0
    start = time.process_time()
    while (elapsed := time.process_time() - start) < seconds:
        for _call in range(100):
            call()
        calls += 100
    return calls / elapsed
