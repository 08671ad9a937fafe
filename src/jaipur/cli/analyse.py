"""`jaipur analyse`: what every move of a position is worth."""

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from jaipur.cli.options import JsonOption
from jaipur.cli.review import GradingWorldsOption
from jaipur.language import _
from jaipur.language.words import choice_in_words
from jaipur.notation import parse_round
from jaipur.review.advice import Valued, analyse
from jaipur.review.grades import checked_view
from jaipur.review.judging import WORLDS, judge_name
from jaipur.review.words import points
from jaipur.rules.view import View


def analyse_position(
    position: Annotated[
        str, typer.Argument(help=_("A view or a full position as text; lines may be divided by slashes."))
    ],
    worlds: GradingWorldsOption = WORLDS,
    as_json: JsonOption = False,
) -> None:
    """Prints all moves, the best first."""
    view = _view(position)
    moves = analyse(view, worlds)
    if as_json:
        print(json.dumps({"judge": judge_name(), "worlds": worlds, "moves": [_data(one) for one in moves]}))  # noqa: T201
        return
    table = Table()
    for heading in (_("move"), ""):
        table.add_column(heading)
    for heading in (_("chance"), _("worlds")):
        table.add_column(heading, justify="right")
    for one in moves:
        error = "" if one.error is None else f" ± {points(one.error)}"
        table.add_row(str(one.move), Text(choice_in_words(view, one.move)), points(one.win) + error, str(one.worlds))
    Console(highlight=False).print(table)


def _view(text: str) -> View:
    """The view of the seat that moves; of a full position nothing else is used."""
    if "view" not in text and "?" not in text:
        round_ = parse_round(text)
        text = str(round_.view(round_.turn))
    return checked_view(text)


def _data(one: Valued) -> dict[str, object]:
    return {"move": str(one.move), "win": one.win, "error": one.error, "worlds": one.worlds}
