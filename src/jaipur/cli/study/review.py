"""`jaipur review`: what was good or bad in a recorded match, and what was luck."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from jaipur.cli.kit.options import CORES, GradingWorldsOption, JsonOption, RecordArgument, WorkersOption
from jaipur.cli.kit.output import print_json, progress_bar, table_of
from jaipur.coach.coach_words import hints_in_words
from jaipur.coach.drawing import text_graph
from jaipur.coach.grades import WORLDS, grade
from jaipur.coach.page import ReviewPage, RoundPart, review_page
from jaipur.coach.review import Draft, Review
from jaipur.coach.saved import review_data
from jaipur.extras import load
from jaipur.files import check_writable, write_file
from jaipur.language import _
from jaipur.processes import in_order
from jaipur.record import Record
from jaipur.tui.players import Players

MOST_USUAL = 4
"""Processes used unless more are asked for: with this many, a review takes less than 200 MB."""
USUAL_WORKERS = min(CORES, MOST_USUAL)
_MARGIN = 8


def review(
    file: RecordArgument,
    worlds: GradingWorldsOption = WORLDS,
    html: Annotated[
        Path | None, typer.Option(readable=False, help=_("Write the review as one page into this file."))
    ] = None,
    workers: WorkersOption = USUAL_WORKERS,
    as_json: JsonOption = False,
) -> None:
    """Grades every decision of a match."""
    record = Record.load(file)
    draft = Draft(record.match, worlds, record.ended is not None)
    if html is not None:
        check_writable(html)
    match_review = _graded(draft, workers)
    players = Players(record)
    page = review_page(match_review, players)
    if html is not None:
        html_page = load("jaipur.cli.study.review_file", "").html_page  # only now: its engine takes time to load
        write_file(html, html_page(page, record, players).encode())
    if as_json:
        print_json(review_data(match_review))
        return
    console = Console(highlight=False)
    _show(console, page, record, players)
    words = _("Judged by {judge} with {worlds} worlds for each decision. What the numbers mean: docs/coach.md.")
    console.print(Text(words.format(judge=match_review.judge, worlds=worlds)), soft_wrap=True)
    if html is not None:
        console.print(Text(_("The page is in {path}.").format(path=html)), soft_wrap=True)


def _graded(draft: Draft, workers: int) -> Review:
    tasks = draft.tasks()
    with progress_bar() as progress:
        grades = progress.track(in_order(grade, tasks, workers), total=len(tasks), description=_("decisions"))
        return draft.review(list(grades))


def _show(console: Console, page: ReviewPage, record: Record, players: Players) -> None:
    for part in page.rounds:
        worth = _("worth {worth} points in the match").format(worth=part.worth)
        console.rule(Text(f"{_('Round {number}').format(number=part.number)} · {worth}"), align="left")
        _show_graph(console, part, players)
        _show_faults(console, part, players)
    console.rule(Text(_("The match")), align="left")
    if record.ended is not None:
        console.print(Text(players.ended(record.ended)))
    if any(record.hints):
        console.print(Text(hints_in_words(record.hints)))
    console.print(_sums(page))
    totals = page.totals
    lines = [totals.decisions, totals.open_decisions, *totals.rates, *totals.luck]
    rows = [(line.heading, *line.cells) for line in lines]
    console.print(table_of(("", *players.shown), rows, _("Skill and luck")))
    headings = _("Level"), _("points lost per open decision")
    console.print(table_of(headings, page.levels, _("What the levels lose")))
    if page.dearest:
        console.print(Text(_("The costliest moves"), style="bold"))
    for move in page.dearest:
        for line in (f"{move.where} · {move.deed}.", f"  {move.verdict}", f"  {move.why}"):
            console.print(Text(line), soft_wrap=True)


def _show_graph(console: Console, part: RoundPart, players: Players) -> None:
    words = _("{name}'s chance of winning the round, move by move; × marks a fault.")
    if players.is_you(0):
        words = _("Your chance of winning the round, move by move; × marks a fault.")
    console.print(Text(words.format(name=players.shown[0])))
    for number, row in enumerate(text_graph(part.drawn, console.width - _MARGIN)):
        axis = {0: "100%", 4: " 50%", 8: "  0%"}.get(number, "    ")
        console.print(Text(f"{axis} {row}"), no_wrap=True)


def _show_faults(console: Console, part: RoundPart, players: Players) -> None:
    if not part.faults:
        console.print(Text(_("No decision in this round clearly cost two points.")))
        return
    headings = "", _("who"), _("played"), _("best"), _("label"), _("points lost")
    rows = [(str(one.number), players.shown[one.seat], one.move, one.best, one.label, one.lost) for one in part.faults]
    console.print(table_of(headings, rows, words=5))
    for one in part.faults:
        where = _("Move {number}").format(number=one.number)
        console.print(Text(f"{where} · {one.why}"), soft_wrap=True)


def _sums(page: ReviewPage) -> Table:
    """Each round as a sum, for the first player."""
    headings = ["", *(_("Round {number}").format(number=part.number) for part in page.rounds)]
    rows = [
        [cells[0][0], *(words for _name, words in cells)]
        for cells in zip(*(part.sums for part in page.rounds), strict=True)
    ]
    return table_of(headings, rows, page.sum_title)
