"""`jaipur backup`, `jaipur restore`, `jaipur check` and `jaipur move-database`: the database of the web app."""

from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Annotated

from rich.console import Console
from rich.progress import Progress
from typer import Argument, Exit, Option

from jaipur.cli.kit.options import DatabaseOption
from jaipur.cli.kit.output import console
from jaipur.extras import load
from jaipur.language import _, ngettext


def backup(
    file: Annotated[Path, Argument(readable=False, help=_("Where the copy goes: a file that is not there yet."))],
    database: DatabaseOption = "",
) -> None:
    """Copies the database into one file."""
    copies, where = _copies(database)
    copies.back_up(where, file)
    words = _("{where} was copied to {path}, and the copy is sound.")
    console.print(words.format(where=where, path=file), soft_wrap=True)


def restore(
    file: Annotated[Path, Argument(readable=False, help=_("A copy that jaipur backup has made."))],
    database: DatabaseOption = "",
    replace: Annotated[
        bool, Option("--replace", help=_("Set the present games aside, as FILE.before-restore-NUMBER."))
    ] = False,
) -> None:
    """Puts a copy in place of the database."""
    copies, where = _copies(database)
    aside = copies.restore(file, where, replace)
    console.print(_("{path} is now the database {where}.").format(where=where, path=file), soft_wrap=True)
    if aside is not None:
        console.print(_("The games that were there are in {path}.").format(path=aside), soft_wrap=True)


def check(database: DatabaseOption = "") -> None:
    """Checks all pages of the database, and replays all games."""
    copies, where = _copies(database)
    copies.check_file(where)
    operator = load("jaipur.table.past.operator", "web")
    tables = operator.open_tables(str(where))
    with closing(tables.store):
        damaged, games = operator.damaged_games(tables)
    sound = games - len(damaged)
    console.print(ngettext("{games} game is sound.", "{games} games are sound.", sound).format(games=sound))
    for game in damaged:
        console.print(_("Game {game} is damaged: its events cannot be played again.").format(game=game), soft_wrap=True)
    if damaged:
        raise Exit(1)


def _copies(database: str) -> tuple[ModuleType, Path]:
    copies = load("jaipur.store.sqlite.backup", "web")
    default = load("jaipur.store", "web").default_database
    return copies, copies.file_of(database or default())


def move_database(
    source: Annotated[str, Argument(help=_("The database with the games."))],
    target: Annotated[str, Argument(help=_("An empty database: a file, or an address."))],
) -> None:
    """Copies all games, and compares both databases game by game. The old one stays as it is."""
    open_alone = load("jaipur.store", "web").Store.alone
    transfer = load("jaipur.store.postgres.transfer", "web")
    load("jaipur.store.sqlite.backup", "web").require_there(source)
    transfer.check_target(target)
    with closing(open_alone(source)) as old, closing(open_alone(target)) as new:
        transfer.require_empty(new)
        with Progress(console=Console(stderr=True)) as progress:
            task = progress.add_task(_("games"), total=2 * len(old.game_ids()))
            games = transfer.move_database(old, new, lambda number: progress.advance(task, number))
    sentence = ngettext("{games} game is now in {where} too.", "{games} games are now in {where} too.", games)
    console.print(sentence.format(games=games, where=new.where), soft_wrap=True)
