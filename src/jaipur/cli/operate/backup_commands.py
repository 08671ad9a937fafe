"""`jaipur backup`, `jaipur restore` and `jaipur check`: copies of the database, and whether it is sound."""

from pathlib import Path
from types import ModuleType
from typing import Annotated

import typer
from rich.console import Console

from jaipur.extras import load
from jaipur.language import _, ngettext

console = Console(highlight=False)
Database = Annotated[str, typer.Option(help=_("The database: a file, or an address like postgresql://USER@HOST/NAME."))]


def backup(
    file: Annotated[Path, typer.Argument(readable=False, help=_("Where the copy goes: a file that is not there yet."))],
    database: Database = "",
) -> None:
    """Copies the database into one file."""
    copies, where = _copies(database)
    copies.back_up(where, file)
    console.print(
        _("{where} was copied to {path}, and the copy is sound.").format(where=where, path=file), soft_wrap=True
    )


def restore(
    file: Annotated[Path, typer.Argument(readable=False, help=_("A copy that jaipur backup has made."))],
    database: Database = "",
    replace: Annotated[
        bool, typer.Option("--replace", help=_("Set the present games aside, as FILE.before-restore-NUMBER."))
    ] = False,
) -> None:
    """Puts a copy in place of the database."""
    copies, where = _copies(database)
    aside = copies.restore(file, where, replace)
    console.print(_("{path} is now the database {where}.").format(where=where, path=file), soft_wrap=True)
    if aside is not None:
        console.print(_("The games that were there are in {path}.").format(path=aside), soft_wrap=True)


def check(database: Database = "") -> None:
    """Checks all pages of the database, and replays all games."""
    copies, where = _copies(database)
    copies.check_file(where)
    operator = load("jaipur.table.past.operator", "web")
    tables = operator.open_tables(str(where))
    damaged, games = operator.damaged_games(tables)
    tables.store.close()
    console.print(
        ngettext("{games} game is sound.", "{games} games are sound.", games - len(damaged)).format(
            games=games - len(damaged)
        )
    )
    for game in damaged:
        console.print(_("Game {game} is damaged: its events cannot be played again.").format(game=game), soft_wrap=True)
    if damaged:
        raise typer.Exit(1)


def _copies(database: str) -> tuple[ModuleType, Path]:
    copies = load("jaipur.store.sqlite.backup", "web")
    default = load("jaipur.store", "web").default_database
    return copies, copies.file_of(database or default())
