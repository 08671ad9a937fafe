"""`jaipur analyse`: what every move is worth in a position, given as text or by its place in a record."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from jaipur.cli.kit.options import MOST_WORLDS, JsonOption
from jaipur.cli.kit.output import print_json, table_of
from jaipur.coach.advice import Valued, analyse
from jaipur.coach.coach_words import inside_sentence, points
from jaipur.coach.grades import WORLDS, judge_name
from jaipur.coach.recorded_turn import RecordedTurn, turn_after
from jaipur.language import _, whole
from jaipur.language.words import choice_in_words
from jaipur.notation import parse_round, parse_view
from jaipur.record import Record
from jaipur.rules.errors import N_, JaipurError
from jaipur.rules.move import Move
from jaipur.rules.view import View
from jaipur.tui.fitting import Prose


def analyse_position(
    position: Annotated[
        str,
        typer.Argument(
            help=_("A view or a full position as text; lines may be divided by slashes. With --ply, a .jaipur record.")
        ),
    ],
    ply: Annotated[
        int | None, typer.Option(help=_("The position after this many moves of a record, as the next player saw it."))
    ] = None,
    worlds: Annotated[
        int,
        typer.Option(
            min=2,
            max=MOST_WORLDS,
            help=_("The most worlds in which a move is tried; once one move is surely the best, the search stops."),
        ),
    ] = WORLDS,
    as_json: JsonOption = False,
) -> None:
    """Prints all moves, the best first."""
    turn = None if ply is None else turn_after(Record.load(Path(position)), ply)
    view = _view(position) if turn is None else turn.view
    moves = analyse(view, worlds)
    if as_json:
        data: dict[str, object] = {"judge": judge_name(), "worlds": worlds, "moves": [one._asdict() for one in moves]}
        if turn is not None:
            data = {"round": turn.round, "number": turn.number, "played": turn.played and str(turn.played)} | data
        return print_json(data)
    console = Console(highlight=False)
    if turn is not None:
        console.print(Prose(_in_words(turn)))
    console.print(_table(view, moves))
    tried = max(one.worlds for one in moves)
    if tried < worlds:
        words = _("The search stopped after {tried} of {worlds} worlds: one move was surely the best.")
        console.print(Prose(words.format(tried=whole(tried), worlds=whole(worlds))))
    words = _(
        "A world is one way in which the hidden cards may lie. Moves that fall behind early are tried in fewer "
        "worlds; one that was tried in none has the network's first opinion, with no margin of error."
    )
    return console.print(Prose(words))


def _in_words(turn: RecordedTurn) -> str:
    where = _("Round {round}, move {number}").format(round=turn.round, number=turn.number)
    if turn.played is None:
        return where
    move = inside_sentence(choice_in_words(turn.view, turn.played))
    return f"{where} · " + _("played: {move}").format(move=move)


def _table(view: View, moves: list[Valued]) -> Table:
    rows = []
    for one in moves:
        error = "" if one.error is None else f" ± {points(one.error)}"
        words = choice_in_words(view, Move.parse(one.move))
        rows.append((one.move, words, points(one.win) + error, str(one.worlds)))
    return table_of((_("move"), "", _("chance"), _("worlds")), rows, words=2)


def _view(text: str) -> View:
    """The view of the seat to move; nothing else of a full position is used."""
    if text.endswith(".jaipur"):
        raise JaipurError(N_("A record has many positions: say with --ply after how many moves."))
    if "view" not in text and "?" not in text:
        round_ = parse_round(text)
        return round_.view(round_.turn)
    return parse_view(text)
