"""`jaipur replay`: a recorded match step by step."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from jaipur.i18n import _
from jaipur.record import Record
from jaipur.tui.table import open_table, score_sheet, shown_names
from jaipur.words import move_in_words

console = Console(highlight=False)


def replay(
    file: Annotated[Path, typer.Argument(help=_("A .jaipur record."))],
    ply: Annotated[int | None, typer.Option(help=_("Show only the position after so many moves."))] = None,
) -> None:
    """Shows the positions of a match; in a terminal one at a time."""
    record = Record.load(file)
    if ply is not None:
        return _show(record, ply)
    if sys.stdin.isatty() and console.is_terminal:
        return _browse(record)
    for number in range(record.match.ply + 1):
        _show(record, number)
    return None


def _browse(record: Record) -> None:
    at = 0
    while True:
        _show(record, at)
        try:
            answer = console.input(_("Enter: next, b: back, a number: go there, q: quit "))
        except EOFError:
            return
        word = answer.strip().lower()
        if word == "q":
            return
        if word == "b":
            at -= 1
        elif word.isdecimal():
            at = int(word[:9])
        elif at == record.match.ply:
            return
        else:
            at += 1
        at = min(max(at, 0), record.match.ply)


def _show(record: Record, ply: int) -> None:
    names = shown_names(record)
    match = record.match.until(ply)
    title = _("Round {number}").format(number=len(match.rounds)) + f" · {ply}/{record.match.ply}"
    console.rule(Text(title), align="left")
    if match.round.moves:
        mover = names[1 - match.round.turn]
        move = match.round.moves[-1]
        console.print(Text(f"{mover}: {move_in_words(move)}  {move}"))
    console.print(open_table(match.round, names))
    if match.round.over:
        console.print(score_sheet(match.round.score(), names))
