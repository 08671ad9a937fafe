"""`jaipur league CONTENDER`: how a player does against opponents that it does not model."""

from typing import Annotated

from typer import Argument, Option

from jaipur.arena.league import FIELD, League
from jaipur.arena.play import Contender
from jaipur.cli.kit.options import (
    CORES,
    ClusterOption,
    JsonOption,
    SeedOption,
    WorkersOption,
    WorldsOption,
    crew,
    read_budget,
    seconds_option,
)
from jaipur.cli.kit.output import console, in_short, interval, print_json, progress_bar, share, table_of
from jaipur.language import _, decimal

_DEFAULT_SECONDS = 0.1
_NAMES = ", ".join(FIELD)


def league(
    contender: Annotated[
        str, Argument(help=_("Who plays against {names}: any player, like vizier.").format(names=_NAMES))
    ],
    rounds: Annotated[
        int, Option(min=2, help=_("Rounds against each opponent, two per deal; an odd number is rounded up."))
    ] = 200,
    budget: Annotated[float | None, seconds_option(_DEFAULT_SECONDS)] = None,
    worlds: WorldsOption = None,
    also: Annotated[
        list[str] | None, Option(help=_("One more opponent, like exec:COMMAND; may be given several times."))
    ] = None,
    seed: SeedOption = 0,
    workers: WorkersOption = CORES,
    cluster: ClusterOption = "",
    as_json: JsonOption = False,
) -> None:
    """Plays and reports, even if interrupted."""
    limit = read_budget(budget, worlds, _DEFAULT_SECONDS)
    plan = League(Contender(contender, limit), also or [], (rounds + 1) // 2, seed)
    for player in (plan.contender, *plan.opponents):
        player.make()
    try:
        with crew(cluster, workers) as team, progress_bar() as progress:
            task = progress.add_task(contender, total=2 * plan.pairs * len(plan.opponents))
            for opponent in plan.play(team):
                words = f"{contender} – {opponent}  {in_short(plan.standings[opponent].estimate)}"
                progress.update(task, completed=plan.games, description=words)
    finally:
        _tell(plan, as_json)


def _tell(plan: League, as_json: bool) -> None:
    """Prints what was found, unless nothing was played."""
    if not plan.games:
        return
    if as_json:
        print_json(plan.figures())
        return
    headings = _("against"), _("won"), _("95% interval"), _("games"), _("ms per decision")
    rows = []
    for name, standing in plan.standings.items():
        now, times = standing.estimate, " / ".join(decimal(side.ms_per_decision) for side in standing.sides)
        rows.append((name, share(now.rate), interval(now), str(standing.games), times))
    now = plan.overall
    rows.append((_("all"), share(now.rate), interval(now), str(plan.games), ""))
    title = _("{contender} in the league").format(contender=plan.contender.name)
    console.print(table_of(headings, rows, title))
