"""What a command shows and asks: figures as the language writes them, tables, JSON, a bar, a yes or no."""

import json
from collections.abc import Iterable

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from jaipur.arena.statistics import Estimate
from jaipur.language import _, decimal
from jaipur.language.phrases import means_yes

console = Console(highlight=False)


def share(rate: float) -> str:
    """A share in per cent: `62.5%`."""
    return _("{number}%").format(number=decimal(100 * rate))


def interval(now: Estimate) -> str:
    """The lower and upper end: `58.3–76.4%`."""
    return f"{decimal(100 * now.low)}–{share(now.high)}"


def in_short(now: Estimate) -> str:
    """A win rate and its interval, to show beside a progress bar."""
    return f"{share(now.rate)} ({interval(now)})"


def table_of(headings: Iterable[str], rows: Iterable[Iterable[str]], title: str = "", words: int = 1) -> Table:
    """A table whose first columns are words and the others figures. Nothing in it is read as markup."""
    table = Table(title=Text(title, "table.title") if title else None)
    for number, heading in enumerate(headings):
        table.add_column(Text(heading), justify="left" if number < words else "right")
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def print_json(data: object) -> None:
    """Prints one JSON object, unstyled."""
    print(json.dumps(data))  # noqa: T201 - for programs


def progress_bar(lasting: bool = False) -> Progress:
    """A bar on standard error that vanishes when it is done, and is not even an empty line outside a terminal.

    One that is lasting stays, on standard output.
    """
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    if lasting:
        return Progress(*columns, console=console)
    passing = Console(stderr=True)
    return Progress(*columns, console=passing, transient=True, disable=not passing.is_terminal)


def confirm(question: str, default: bool) -> bool:
    """Asks; an empty answer, or none at all, means the default."""
    try:
        answer = console.input(Text(question))
    except EOFError:
        answer = ""
    return means_yes(answer, default)
