"""`jaipur train`: learning from nothing."""

import time
from pathlib import Path
from typing import Annotated

import typer
from librt.vecs import vec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from jaipur.arena.calibration import correction
from jaipur.arena.duel import Duel, run
from jaipur.bots import Budget
from jaipur.bots.contender import Contender
from jaipur.bots.weights import to_bytes
from jaipur.cli.options import CORES, WorkersOption
from jaipur.files import make_folder, write_file
from jaipur.i18n import _
from jaipur.training.checkpoint import Checkpoint, Plan
from jaipur.training.train import train as go_on

_RUN = "run.training"
_WEIGHTS = "learned.weights"
_CALIBRATION_ROUNDS = 5_000
_SAVE_EVERY = 10.0
"""Seconds: so much of a run that is killed is played again."""


def train(
    folder: Annotated[Path, typer.Argument(help=_("Where the run is kept. A run that is already there goes on."))],
    rounds: Annotated[int, typer.Option(min=1, help=_("Rounds of self-play."))] = 1_000_000,
    seed: Annotated[int, typer.Option(help=_("The seed: the same plan and seed learn the same."))] = 1,
    workers: WorkersOption = CORES,
    rate: Annotated[float, typer.Option(min=1e-6, max=1, help=_("The learning rate at the start."))] = Plan.rate,
    last_rate: Annotated[float, typer.Option(min=0, max=1, help=_("The learning rate at the end."))] = Plan.last_rate,
    trace: Annotated[float, typer.Option(min=0, max=1, help=_("Lambda: how far results reach back."))] = Plan.trace,
    explore: Annotated[
        float, typer.Option(min=0, max=1, help=_("The part of the moves that are random."))
    ] = Plan.explore,
    check_every: Annotated[int, typer.Option(min=1, help=_("Rounds between two tests against the trader."))] = 50_000,
    check_rounds: Annotated[int, typer.Option(min=2, help=_("Rounds of such a test."))] = 400,
) -> None:
    """Learns, shows the strength as it grows, and writes the weights."""
    console = Console(highlight=False)
    path = folder / _RUN
    stretch = min(Plan.stretch, max(rounds // (2 * workers), 1))
    plan = Plan(rounds, rate, last_rate, trace, explore, seed, workers, stretch)
    checkpoint = _start_or_load(path, plan, console)
    next_check = checkpoint.rounds + check_every
    saved = time.monotonic()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as progress:
        task = progress.add_task(_("learning"), total=checkpoint.plan.rounds, completed=checkpoint.rounds)
        for _stretch in go_on(checkpoint):
            if time.monotonic() > saved + _SAVE_EVERY:
                checkpoint.save(path)
                saved = time.monotonic()
            progress.update(task, completed=checkpoint.rounds)
            if checkpoint.rounds >= min(next_check, checkpoint.plan.rounds):
                next_check += check_every
                progress.console.print(_check(checkpoint, folder / _WEIGHTS, check_rounds))
        checkpoint.save(path)
    console.print(_finish(checkpoint, folder / _WEIGHTS), soft_wrap=True)


def _start_or_load(path: Path, plan: Plan, console: Console) -> Checkpoint:
    if path.exists():
        checkpoint = Checkpoint.load(path)
        if checkpoint.plan != plan:
            console.print(
                _("The run in this folder has another plan and goes on with it: {plan}").format(plan=checkpoint.plan)
            )
        return checkpoint
    make_folder(path.parent)
    return Checkpoint.start(plan)


def _finish(checkpoint: Checkpoint, path: Path) -> str:
    """Corrects the probabilities of the result and writes it."""
    weights, output = checkpoint.steady
    rounds = min(_CALIBRATION_ROUNDS, checkpoint.plan.rounds)
    factor, shift = correction(checkpoint.network(), rounds, checkpoint.plan.seed)
    scaled = [factor * weight for weight in output]
    scaled[-1] += shift
    write_file(path, to_bytes(weights, vec[float](scaled)))
    words = _("Log-odds corrected by the factor {factor:.3f} and the shift {shift:+.3f}. Weights: {path}")
    return words.format(factor=factor, shift=shift, path=path)


def _check(checkpoint: Checkpoint, path: Path, rounds: int) -> str:
    write_file(path, to_bytes(*checkpoint.steady))
    plan = Duel(Contender(f"merchant:{path}", Budget()), Contender("trader", Budget()), rounds // 2, checkpoint.rounds)
    *_before, standing = run(plan, workers=1)
    checkpoint.history[-1]["against_trader"] = standing.estimate.rate
    now = checkpoint.history[-1]
    words = _("{rounds:,} rounds: {won:.1f}% against the trader, {turns:.1f} turns a round, error {error:.4f}")
    return words.format(
        rounds=checkpoint.rounds, won=100 * standing.estimate.rate, turns=now["turns"], error=now["error"]
    )
