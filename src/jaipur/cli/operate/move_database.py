"""`jaipur move-database`: from a file to PostgreSQL, or back."""

from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from jaipur.extras import load
from jaipur.language import _, ngettext

console = Console(highlight=False)


def move_database(
    source: Annotated[str, typer.Argument(help=_("The database with the games."))],
    target: Annotated[str, typer.Argument(help=_("An empty database: a file, or an address."))],
) -> None:
    """Copies all games, and compares both databases game by game. The old one stays as it is."""
    store = load("jaipur.store", "web")
    transfer = load("jaipur.store.postgres.transfer", "web")
    load("jaipur.store.sqlite.backup", "web").require_there(source)
    transfer.check_target(target)
    old = store.Store.alone(source)
    try:
        new = store.Store.alone(target)
        try:
            transfer.require_empty(new)
            total = 2 * len(old.game_ids())
            with Progress(console=Console(stderr=True)) as progress:
                task = progress.add_task(_("games"), total=total)
                games = transfer.move_database(old, new, lambda number: progress.advance(task, number))
        finally:
            new.close()
    finally:
        old.close()
    sentence = ngettext("{games} game is now in {where} too.", "{games} games are now in {where} too.", games)
    console.print(sentence.format(games=games, where=new.where), soft_wrap=True)
