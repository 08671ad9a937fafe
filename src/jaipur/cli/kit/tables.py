"""Tables in a terminal."""

from collections.abc import Iterable

from rich.table import Table
from rich.text import Text


def table_of(headings: Iterable[str], rows: Iterable[Iterable[str]], title: str = "", words: int = 1) -> Table:
    """A table whose first columns are words and the others figures. Names of players in it are never read as markup."""
    table = Table(title=Text(title, "table.title") if title else None)
    for number, heading in enumerate(headings):
        table.add_column(Text(heading), justify="left" if number < words else "right")
    for row in rows:
        table.add_row(*map(Text, row))
    return table
