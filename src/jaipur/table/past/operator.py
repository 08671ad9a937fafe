"""What an operator does with games: look for damage, close, delete."""

from jaipur.store import Store, open_database
from jaipur.store.administration import Administration, OperationKind
from jaipur.store.sqlite.backup import require_there
from jaipur.table.errors import Damaged, NoSuchGame
from jaipur.table.table import Table
from jaipur.table.tables import Tables


def damaged_games(tables: Tables) -> tuple[list[str], int]:
    """The games whose events cannot be replayed, and the number of all games."""
    games = tables.store.game_ids()
    damaged = []
    for game in games:
        try:
            tables.open(game)
        except Damaged:
            damaged.append(game)
    return damaged, len(games)


def close_game(tables: Tables, game: str) -> Table:
    """Ends a game: the seat that keeps the other waiting resigns."""
    table = tables.open(game)
    taken = [row.seat for row in table.seats if row is not None]
    after = tables.resign(table, [*table.must_act, *taken][0])
    Administration(tables.store).note(OperationKind.CLOSE, game, tables.clock())
    return after


def delete_game(tables: Tables, game: str) -> None:
    """Removes a game."""
    if tables.store.game(game) is None:
        raise NoSuchGame
    administration = Administration(tables.store)
    administration.delete([game])
    administration.note(OperationKind.DELETE, game, tables.clock())


def open_tables(where: str) -> Tables:
    """The tables of a database, even one that a server is using."""
    require_there(where)
    return Tables(Store(open_database(where)))
