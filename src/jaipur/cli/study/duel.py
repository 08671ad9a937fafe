"""`jaipur duel A B`: which player is stronger, and how sure that is."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from rich.table import Table
from rich.text import Text
from typer import Argument, Option

from jaipur.arena.duel import Duel, Standing, run
from jaipur.arena.play import Contender
from jaipur.arena.statistics import decided
from jaipur.bots import LEVELS
from jaipur.bots.levels import OUTSIDERS
from jaipur.cli.kit.options import (
    CORES,
    ClusterOption,
    JsonOption,
    SeedOption,
    WorkersOption,
    WorldsOption,
    crew,
    read_two_budgets,
    seconds_option,
)
from jaipur.cli.kit.output import console, in_short, print_json, progress_bar, share, table_of
from jaipur.files import make_folder
from jaipur.language import _, decimal, ngettext
from jaipur.processes import Workers
from jaipur.rules.errors import N_, JaipurError

_DEFAULT_SECONDS = 0.1
_MOST_ELO = 10_000
_NAMES = ", ".join((*LEVELS, *OUTSIDERS))


def duel(
    first: Annotated[
        str,
        Argument(help=_("A player: {names}, merchant:FILE, vizier:FILE, or exec:COMMAND.").format(names=_NAMES)),
    ],
    second: Annotated[str, Argument(help=_("Its opponent."))],
    rounds: Annotated[
        int,
        Option(
            min=2,
            help=_(
                "Rounds to play, or matches with --matches; each deal is played twice, so an odd number is rounded up."
            ),
        ),
    ] = 1000,
    budget: Annotated[str | None, seconds_option(_DEFAULT_SECONDS, two_sides=True)] = None,
    worlds: WorldsOption = None,
    matches: Annotated[bool, Option("--matches", help=_("Play whole matches instead of single rounds."))] = False,
    seed: SeedOption = 0,
    workers: WorkersOption = CORES,
    cluster: ClusterOption = "",
    sprt: Annotated[
        tuple[float, float] | None,
        Option(
            help=_("Stop as soon as the Elo difference is clearly nearer to one of these two."), metavar=_("LOW HIGH")
        ),
    ] = None,
    records: Annotated[Path | None, Option(readable=False, help=_("Write every game into this folder."))] = None,
    luck: Annotated[
        bool, Option("--luck", help=_("Also print the win rate with the luck of the cards taken off."))
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Plays and reports."""
    limits = read_two_budgets(budget, worlds, _DEFAULT_SECONDS)
    sides = Contender(first, limits[0]), Contender(second, limits[1])
    for side in sides:
        side.make()
    if sprt is not None and not -_MOST_ELO <= sprt[0] < sprt[1] <= _MOST_ELO:
        raise JaipurError(
            N_("--sprt takes two differences in Elo, at most {most}, the smaller one first."), most=_MOST_ELO
        )
    if luck and matches:
        raise JaipurError(N_("--luck counts the luck of single rounds: leave --matches out."))
    if records is not None:
        make_folder(records)
    plan = Duel(*sides, (rounds + 1) // 2, seed, matches, records, luck)
    standing = Standing()
    try:
        with crew(cluster, workers) as team:
            for now in show_progress(plan, team, sprt):
                standing = now
    finally:  # even if it was interrupted
        _tell(plan, standing, sprt, as_json)


def show_progress(plan: Duel, workers: Workers, sprt: tuple[float, float] | None = None) -> Iterator[Standing]:
    """Plays a duel with a live display; yields the standing after each pair."""
    with progress_bar() as progress:
        names = f"{plan.first.name} – {plan.second.name}"
        task = progress.add_task(names, total=2 * plan.pairs)
        for standing in run(plan, workers, sprt):
            words = f"{names}  {in_short(standing.estimate)}"
            progress.update(task, completed=standing.games, description=words)
            yield standing


def _tell(plan: Duel, standing: Standing, sprt: tuple[float, float] | None, as_json: bool) -> None:
    """Prints what a duel found."""
    first, second = plan.first.name, plan.second.name
    if as_json:
        return print_json({"first": first, "second": second} | standing.figures())
    if not standing.games:
        return None
    console.print(_table(standing, first, second))
    now = standing.estimate
    sentence = _("{games} games, {turns} turns per round. 95% interval {low} to {high}, Elo {elo}.")
    turns, elo = decimal(standing.turns / standing.rounds), decimal(now.elo, 0, sign=True)
    console.print(sentence.format(games=standing.games, turns=turns, low=share(now.low), high=share(now.high), elo=elo))
    if standing.without_luck:
        rest = standing.estimate_without_luck
        sentence = _("With the luck taken off: {rate}, 95% interval {low} to {high}.")
        console.print(sentence.format(rate=share(rest.rate), low=share(rest.low), high=share(rest.high)))
    if sprt is not None:
        verdict = decided(standing.pairs, *sprt)
        words = {"high": _("Decided: the higher difference."), "low": _("Decided: the lower difference.")}
        console.print(words.get(verdict, _("Not decided.")))
    reasons = Counter(lost.reason for lost in standing.forfeits)
    for reason, times in sorted(reasons.items()):
        sentence = ngettext(
            "Lost by forfeit, {times} time: {reason}", "Lost by forfeit, {times} times: {reason}", times
        )
        console.print(Text(sentence.format(times=times, reason=reason)), soft_wrap=True)
    return None


def _table(standing: Standing, first: str, second: str) -> Table:
    rate, sides = standing.estimate.rate, standing.sides
    rows = [
        (_("won"), share(rate), share(1 - rate)),
        (_("rupees per round"), *(decimal(side.rupees / standing.rounds) for side in sides)),
        (_("ms per decision"), *(decimal(side.ms_per_decision, 2) for side in sides)),
        (_("longest, ms"), *(decimal(1000 * side.longest) for side in sides)),
    ]
    return table_of(("", first, second), rows, _("{first} against {second}").format(first=first, second=second))
