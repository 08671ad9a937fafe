"""`jaipur replay`: a recorded match step by step."""

import sys
from typing import Annotated

from rich.text import Text
from typer import Option

from jaipur.cli.kit.options import RecordArgument
from jaipur.cli.kit.output import console
from jaipur.language import _
from jaipur.record import Record
from jaipur.tui.board import open_board, score_sheet
from jaipur.tui.players import Players


def replay(
    file: RecordArgument,
    ply: Annotated[int | None, Option(help=_("Show only the position after this many moves."))] = None,
) -> None:
    """Shows the positions of a match; in a terminal, one at a time."""
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
    players = Players(record)
    match = record.match.until(ply)
    title = _("Round {number}").format(number=len(match.rounds)) + f" · {ply}/{record.match.ply}"
    console.rule(Text(title), align="left")
    if match.round.moves:
        move = match.round.moves[-1]
        console.print(Text(f"{players.deed(1 - match.round.turn, move)}.  {move}"))
    console.print(open_board(match.round, players.shown))
    if match.round.over:
        console.print(score_sheet(match.round.score(), players))
