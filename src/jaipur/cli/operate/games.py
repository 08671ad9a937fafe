"""`jaipur games`: what an operator can see and do with the games of a server, even while it runs."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from typing import Annotated, Any

from rich.table import Table
from typer import Argument, Exit, Option, Typer

from jaipur.cli.kit.help import TranslatedCommand, TranslatedGroup
from jaipur.cli.kit.options import DatabaseOption
from jaipur.cli.kit.output import confirm, console
from jaipur.extras import load
from jaipur.language import _

games = Typer(cls=TranslatedGroup, no_args_is_help=True)
Game = Annotated[str, Argument(help=_("The id of a game, as in its address."))]
Address = Annotated[str, Argument(help=_("An address, or a network like 203.0.113.0/24."))]


@contextmanager
def _tables(database: str) -> Iterator[Any]:
    tables = _operator().open_tables(database or load("jaipur.store", "web").default_database())
    with closing(tables.store):
        yield tables


def _operator() -> Any:
    return load("jaipur.table.past.operator", "web")


def _office(tables: Any) -> Any:
    return load("jaipur.store.administration", "web").Administration(tables.store)


def _print(rows: Any) -> None:
    table = Table()
    table.add_column(_("game"), no_wrap=True)  # in one piece, so that it can be copied into another command
    for title in (_("kind"), _("set up"), _("last event"), _("events"), _("seals")):
        table.add_column(title)
    for row in rows:
        seals = _("in progress") if row.seals is None else row.seals
        table.add_row(row.game, row.kind, _when(row.created), _when(row.changed), str(row.events), seals)
    console.print(table)


def _when(at: int) -> str:
    return datetime.fromtimestamp(at / 1000).strftime("%Y-%m-%d %H:%M")


@games.command("list", cls=TranslatedCommand, help=_("List the games that changed last."))
def list_games(
    limit: Annotated[int, Option(min=1, max=100_000, help=_("How many games to list."))] = 50,
    database: DatabaseOption = "",
) -> None:
    """Shows no names and no cards, only what is needed to run a server."""
    with _tables(database) as tables:
        _print(_office(tables).overview(limit))


@games.command(cls=TranslatedCommand, help=_("Show one game: when, how many events, where it stands."))
def show(game: Game, database: DatabaseOption = "") -> None:
    """Reads all of the game's events, so this also shows whether they can be read."""
    with _tables(database) as tables:
        opened = tables.open(game)
        _print(_office(tables).overview(1, game))
    console.print(_("Status: {status}, moves: {moves}").format(status=opened.status, moves=len(opened.log)))


@games.command(cls=TranslatedCommand, help=_("End a game; the player it waits for resigns."))
def close(game: Game, database: DatabaseOption = "") -> None:
    """A running server learns of it within seconds."""
    with _tables(database) as tables:
        _operator().close_game(tables, game)
    console.print(_("Game {game} is over.").format(game=game))


@games.command(cls=TranslatedCommand, help=_("Delete a game with everything that belongs to it."))
def delete(
    game: Game,
    database: DatabaseOption = "",
    sure: Annotated[bool, Option("--sure", help=_("Do not ask."))] = False,
) -> None:
    """Only a backup can undo this, so it asks first."""
    if not sure and not confirm(_("Delete game {game} for good? [y/N] ").format(game=game), default=False):
        raise Exit(1)
    with _tables(database) as tables:
        _operator().delete_game(tables, game)
    console.print(_("Game {game} was deleted.").format(game=game))


@games.command(cls=TranslatedCommand, help=_("Let nobody in from an address."))
def block(address: Address, database: DatabaseOption = "") -> None:
    """A running server learns of it within seconds."""
    _set_blocked(address, database, "block")
    console.print(_("{address} is blocked.").format(address=address))


@games.command(cls=TranslatedCommand, help=_("Let an address in again."))
def unblock(address: Address, database: DatabaseOption = "") -> None:
    """A running server learns of it within seconds."""
    _set_blocked(address, database, "unblock")
    console.print(_("{address} is not blocked.").format(address=address))


def _set_blocked(address: str, database: str, kind: str) -> None:
    network = load("jaipur.server.operate.housekeeping", "web").read_network(address)
    with _tables(database) as tables:
        _office(tables).note(kind, str(network), tables.clock())


@games.command(cls=TranslatedCommand, help=_("List the addresses that are blocked."))
def blocked(database: DatabaseOption = "") -> None:
    """Prints one per line."""
    with _tables(database) as tables:
        for network in sorted(map(str, _office(tables).blocked())):
            console.print(network)
