"""`jaipur review`: what was good or bad in a recorded match, and what was luck."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from jaipur.bots import LEVELS
from jaipur.cli.kit.options import CORES, JsonOption, WorkersOption
from jaipur.cli.kit.progress import progress_bar
from jaipur.cli.study.review_page import page, sum_title
from jaipur.coach.drawing import text_graph
from jaipur.coach.figures import figures
from jaipur.coach.grades import FAULTS, WORLDS, grade
from jaipur.coach.review import Draft, Review, RoundReview
from jaipur.coach.saved import review_data
from jaipur.coach.summary import Dear, dearest, player_summary, round_worth
from jaipur.coach.words import (
    better_in_words,
    hints_in_words,
    label_in_words,
    loss_in_words,
    luck_in_words,
    percent,
    points,
    points_or_dash,
    reasons_in_words,
    result_in_words,
)
from jaipur.files import check_writable, write_file
from jaipur.language import _
from jaipur.processes import in_order
from jaipur.record import Record
from jaipur.tui.players import Players

MOST_WORLDS = 1_000_000
GradingWorldsOption = Annotated[
    int,
    typer.Option(
        "--worlds",
        min=2,
        max=MOST_WORLDS,
        help=_("Worlds in which each decision is tried: more are surer and take longer."),
    ),
]
MOST_USUAL = 4
"""Processes used unless more are asked for: with this many, a review takes less than 200 MB."""
USUAL_WORKERS = min(CORES, MOST_USUAL)
_MARGIN = 8


def review(
    file: Annotated[Path, typer.Argument(help=_("A .jaipur record."))],
    worlds: GradingWorldsOption = WORLDS,
    html: Annotated[Path | None, typer.Option(help=_("Write the review as one page into this file."))] = None,
    workers: WorkersOption = USUAL_WORKERS,
    as_json: JsonOption = False,
) -> None:
    """Grades every decision of a match."""
    record = Record.load(file)
    draft = Draft(record.match, worlds, record.ended is not None)
    if html is not None:
        check_writable(html)
    done = _graded(draft, workers)
    players = Players(record)
    if html is not None:
        write_file(html, page(done, record, players).encode())
    if as_json:
        print(json.dumps(review_data(done)))  # noqa: T201 - for programs
        return
    console = Console(highlight=False)
    _show(console, done, record, players)
    if html is not None:
        console.print(Text(_("The page is in {path}.").format(path=html)), soft_wrap=True)


def _graded(draft: Draft, workers: int) -> Review:
    tasks = draft.tasks()
    with progress_bar() as progress:
        grades = progress.track(in_order(grade, tasks, workers), total=len(tasks), description=_("decisions"))
        return draft.review(list(grades))


def _show(console: Console, done: Review, record: Record, players: Players) -> None:
    seals = [0, 0]
    for number, part in enumerate(done.rounds, 1):
        worth = round_worth(seals[0], seals[1], figures().start)
        console.rule(Text(_round_title(number, worth)), align="left")
        _show_graph(console, part, players)
        _show_faults(console, part, players)
        if part.sum.result in {0.0, 1.0}:
            seals[part.sum.result == 0.0] += 1
    console.rule(Text(_("The match")), align="left")
    if record.ended is not None:
        console.print(Text(players.ended(record.ended)))
    if any(record.hints):
        console.print(Text(hints_in_words(record.hints)))
    console.print(_sums(done, players))
    console.print(_summary(done, players))
    console.print(_levels())
    _show_dearest(console, dearest(done), players)
    words = _("Judged by {judge} with {worlds} worlds for each decision. What the numbers mean: docs/coach.md.")
    console.print(Text(words.format(judge=done.judge, worlds=done.worlds)), soft_wrap=True)


def _round_title(number: int, worth: float) -> str:
    title = _("Round {number}").format(number=number)
    return title + " · " + _("worth {worth} points in the match").format(worth=f"{100 * worth:.0f}")


def _show_graph(console: Console, part: RoundReview, players: Players) -> None:
    told = _("{name}'s chance of winning the round, move by move; × marks a fault.")
    if players.is_you(0):
        told = _("Your chance of winning the round, move by move; × marks a fault.")
    console.print(Text(told.format(name=players.shown[0])))
    for number, row in enumerate(text_graph(part, console.width - _MARGIN)):
        axis = {0: "100%", 4: " 50%", 8: "  0%"}.get(number, "    ")
        console.print(Text(f"{axis} {row}"), no_wrap=True)


def _show_faults(console: Console, part: RoundReview, players: Players) -> None:
    faults = [(number, ply) for number, ply in enumerate(part.plies, 1) if ply.grade.label in FAULTS]
    if not faults:
        console.print(Text(_("No decision in this round clearly cost two points.")))
        return
    table = Table()
    for heading in ("", _("who"), _("played"), _("best"), _("label")):
        table.add_column(heading)
    table.add_column(_("points lost"), justify="right")
    for number, ply in faults:
        grade = ply.grade
        lost = loss_in_words(grade.loss, grade.error)
        label = label_in_words(grade.label)
        table.add_row(str(number), Text(players.shown[ply.seat]), str(ply.move), grade.best, label, lost)
    console.print(table)
    for number, ply in faults:
        where = _("Move {number}").format(number=number)
        console.print(Text(f"{where} · {reasons_in_words(ply.grade.reasons, players.rival(ply.seat))}"), soft_wrap=True)


def _sums(done: Review, players: Players) -> Table:
    """Each round as a sum, for the first player."""
    table = Table(title=sum_title(players))
    table.add_column("")
    parts = [part.sum for part in done.rounds]
    for number in range(1, len(parts) + 1):
        table.add_column(_("Round {number}").format(number=number), justify="right")
    rows = {
        _("start"): [percent(part.start) for part in parts],
        luck_in_words("deal"): [points(part.deal, True) for part in parts],
        luck_in_words("refills"): [points(part.refills, True) for part in parts],
        luck_in_words("bonus"): [points(part.bonus, True) for part in parts],
        _("own losses"): [points(-part.own_losses, True) for part in parts],
        _("rival's losses"): [points(part.rival_losses, True) for part in parts],
        _("not explained"): [points_or_dash(part.rest) for part in parts],
        _("result"): [result_in_words(part) for part in parts],
    }
    for name, cells in rows.items():
        table.add_row(name, *cells)
    return table


def _summary(done: Review, players: Players) -> Table:
    table = Table(title=_("Skill and luck"))
    table.add_column("")
    summaries = [player_summary(done, seat) for seat in (0, 1)]
    for name in players.shown:
        table.add_column(Text(name), justify="right")
    table.add_row(_("decisions"), *(str(one.decisions) for one in summaries))
    table.add_row(_("open decisions"), *(str(one.open_decisions) for one in summaries))
    table.add_row(_("points lost per open decision"), *(loss_in_words(one.loss, one.error) for one in summaries))
    table.add_row(_("played like"), *(level_words(one.level_like) for one in summaries))
    for kind in ("deal", "refills", "bonus"):
        name = _("luck: {kind}").format(kind=luck_in_words(kind))
        table.add_row(name, *(points(one.luck[kind], True) for one in summaries))
    return table


def _levels() -> Table:
    table = Table(title=_("What the levels lose"))
    table.add_column(_("Level"))
    table.add_column(_("points lost per open decision"), justify="right")
    for level, figure in figures().levels.items():
        table.add_row(level_words(level), loss_in_words(figure.loss, figure.error))
    return table


def level_words(name: str) -> str:
    """A level's title."""
    return LEVELS[name].shown_title


def _show_dearest(console: Console, moves: list[Dear], players: Players) -> None:
    if moves:
        console.print(Text(_("The costliest moves"), style="bold"))
    for dear in moves:
        for line in dear_in_words(dear, players):
            console.print(Text(line), soft_wrap=True)


def dear_in_words(dear: Dear, players: Players) -> list[str]:
    """A costly move in three lines: what was done, what was better, and why."""
    grade = dear.ply.grade
    deed = players.deed(dear.ply.seat, dear.ply.move)
    where = _("Round {round}, move {number}").format(round=dear.round, number=dear.number)
    why = reasons_in_words(grade.reasons, players.rival(dear.ply.seat))
    return [f"{where} · {deed}.", f"  {better_in_words(grade)}", f"  {why}"]
