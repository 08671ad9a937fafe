"""`jaipur league CONTENDER`: how a player does against others that it does not model."""

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from jaipur.arena.contender import Contender
from jaipur.arena.league import FIELD, League
from jaipur.cli.crew import ClusterOption, crew
from jaipur.cli.options import CORES, JsonOption, SecondsOption, WorkersOption, WorldsOption, read_budget
from jaipur.cli.progress import progress_bar
from jaipur.language import _
from jaipur.processes import Workers
from jaipur.rules.errors import JaipurError

_DEFAULT_SECONDS = 0.1
_NAMES = ", ".join(FIELD)


def league(
    contender: Annotated[
        str, typer.Argument(help=_("Who plays against {names}: any player, like vizier.").format(names=_NAMES))
    ],
    rounds: Annotated[
        int, typer.Option(min=2, help=_("Rounds against each opponent; each deal is played twice."))
    ] = 200,
    budget: SecondsOption = None,
    worlds: WorldsOption = None,
    also: Annotated[
        list[str] | None, typer.Option(help=_("One more opponent, like exec:COMMAND; may be given several times."))
    ] = None,
    seed: Annotated[int, typer.Option(help=_("The seed of the deals."))] = 0,
    workers: WorkersOption = CORES,
    cluster: ClusterOption = "",
    as_json: JsonOption = False,
) -> None:
    """Plays and reports, also when it is interrupted."""
    limit = read_budget(budget, worlds, _DEFAULT_SECONDS)
    plan = League.against_all(Contender(contender, limit), also or [], (rounds + 1) // 2, seed)
    for player in (plan.contender, *plan.opponents):
        player.make()
    try:
        with crew(cluster, workers) as those_who_play:
            _play(plan, those_who_play)
    except (KeyboardInterrupt, JaipurError):
        _tell(plan, as_json)
        raise
    _tell(plan, as_json)


def _play(plan: League, workers: Workers) -> None:
    with progress_bar() as progress:
        task = progress.add_task(plan.contender.name, total=2 * plan.pairs * len(plan.opponents))
        for opponent in plan.play(workers):
            words = f"{plan.contender.name} – {opponent}  {plan.standings[opponent].estimate.in_percent}"
            progress.update(task, completed=plan.games, description=words)


def _tell(plan: League, as_json: bool) -> None:
    """What was found, unless nothing was played."""
    if not plan.games:
        return
    if as_json:
        print(json.dumps(plan.figures()))  # noqa: T201 - for programs
        return
    table = Table(title=_("{contender} in the league").format(contender=plan.contender.name))
    for heading in (_("against"), _("won"), _("95% interval"), _("games"), _("ms per decision")):
        table.add_column(heading, justify="left" if heading == _("against") else "right")
    for name, standing in plan.standings.items():
        now = standing.estimate
        times = " / ".join(f"{side.ms_per_decision:.1f}" for side in standing.sides)
        table.add_row(name, f"{100 * now.rate:.1f}%", _range(now.low, now.high), str(standing.games), times)
    now = plan.overall
    table.add_row(_("all"), f"{100 * now.rate:.1f}%", _range(now.low, now.high), str(plan.games), "")
    Console(highlight=False).print(table)


def _range(low: float, high: float) -> str:
    return f"{100 * low:.1f}–{100 * high:.1f}%"
