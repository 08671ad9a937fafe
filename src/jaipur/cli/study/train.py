"""`jaipur train`: a network learns by playing."""

import shlex
from concurrent.futures import Executor
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from rich.text import Text
from typer import Argument, Option

from jaipur.cli.kit.options import CORES, ClusterOption, crew
from jaipur.cli.kit.output import console, progress_bar, share
from jaipur.language import _, decimal, whole
from jaipur.training.checkpoint import Plan, Stage
from jaipur.training.run import TrainingRun


def train(
    folder: Annotated[
        Path, Argument(readable=False, help=_("Where the run is kept. A run that is already there is resumed."))
    ],
    rounds: Annotated[int, Option(min=1, help=_("Rounds to play."))] = 1_000_000,
    seed: Annotated[int, Option(help=_("The seed: the same plan and seed always learn the same."))] = 1,
    workers: Annotated[
        int,
        Option(min=1, max=256, help=_("How many learn side by side before their weights are averaged.")),
    ] = CORES,
    cluster: ClusterOption = "",
    rate: Annotated[float, Option(min=1e-6, max=1, help=_("The learning rate at the start."))] = Plan.rate,
    last_rate: Annotated[float, Option(min=0, max=1, help=_("The learning rate at the end."))] = Plan.last_rate,
    trace: Annotated[float, Option(min=0, max=1, help=_("Lambda: how far results reach back."))] = Plan.trace,
    explore: Annotated[float, Option(min=0, max=1, help=_("The share of moves that are random."))] = Plan.explore,
    start: Annotated[
        str, Option(help=_("Begin with this network instead of nothing: merchant, vizier, or a file of weights."))
    ] = "",
    against: Annotated[
        str,
        Option(help=_("Play against this network, which does not learn: merchant, vizier, or a file of weights.")),
    ] = "",
    check_every: Annotated[
        int,
        Option(
            min=1,
            help=_(
                "Rounds between two tests against the trader; a test waits until every worker has played its stretch "
                "of {stretch} rounds."
            ).format(stretch=Plan.stretch),
        ),
    ] = 50_000,
    check_rounds: Annotated[int, Option(min=2, help=_("Rounds in each of these tests."))] = 400,
) -> None:
    """Learns, shows how the strength grows, and writes the weights."""
    stretch = min(Plan.stretch, max(rounds // (2 * workers), 1))
    plan = Plan(rounds, rate, last_rate, trace, explore, seed, workers, stretch, start, against)
    learning = TrainingRun(folder, plan, check_every, check_rounds)
    kept = learning.checkpoint.plan
    if other := _options(kept, plan):
        words = _("The run in this folder was started with other options and keeps them: {options}")
        console.print(Text(words.format(options=other)), soft_wrap=True)
    with crew(cluster, workers) as team, progress_bar(lasting=True) as progress:
        executor = team if isinstance(team, Executor) else None
        task = progress.add_task(_("learning"), total=kept.rounds, completed=learning.checkpoint.rounds)
        for stage in learning.learn(executor):
            progress.update(task, completed=stage.rounds)
            if stage.against_trader is not None:
                progress.console.print(_in_words(stage, stage.against_trader))
    factor, shift = learning.finish()
    words = _("Log-odds corrected by the factor {factor} and the shift {shift}. Weights: {path}")
    numbers = {"factor": decimal(factor, 3), "shift": decimal(shift, 3, sign=True)}
    console.print(Text(words.format(**numbers, path=learning.weights)), soft_wrap=True)


def _options(kept: Plan, new: Plan) -> str:
    """How the plan that a run was started with differs, as options. The stretch follows from the other values."""
    other = {name: value for name, value in asdict(kept).items() if value != getattr(new, name) and name != "stretch"}
    return " ".join(f"--{name.replace('_', '-')} {shlex.quote(str(value))}" for name, value in other.items())


def _in_words(stage: Stage, won: float) -> str:
    words = _("{rounds} rounds: {won} against the trader, {turns} turns per round, error {error}")
    turns, error = decimal(stage.turns), decimal(stage.error, 4)
    return words.format(rounds=whole(stage.rounds), won=share(won), turns=turns, error=error)
