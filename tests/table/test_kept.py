"""What a server keeps in memory is limited by what it costs, however many games there have been."""

import gc

import pytest

from jaipur.match import MOST_PLIES, Match
from jaipur.table import Table, Tables
from jaipur.table.cache import OVER_EVENTS, KeptTables
from jaipur.table.secrets import fresh_id
from tests.server.play.test_long_games import endless
from tests.support.server import ME, ONE_SCREEN, everything, folded, play_some


@pytest.fixture(name="long", scope="module")
def _long() -> Match:
    return endless(MOST_PLIES // 2)


@pytest.fixture(autouse=True)
def _own_names(tables: Tables) -> None:
    """Other tests may have left tables with counted ids in memory, so these use random ids."""
    tables.new_id = fresh_id


def in_memory(games: set[str]) -> list[Table]:
    """The tables of these games that are alive in memory, whatever holds them."""
    gc.collect()
    return [found for found in gc.get_objects() if isinstance(found, Table) and found.game.id in games]


def test_games_that_are_over_do_not_fill_the_memory(tables: Tables, long: Match) -> None:
    games = set[str]()
    for _game in range(2 * OVER_EVENTS // long.ply):
        table = tables.resign(tables.create(ONE_SCREEN, ME, history=long), 0)
        games.add(table.game.id)
    del table
    kept = in_memory(games)
    assert 0 < sum(table.number for table in kept) <= OVER_EVENTS


def test_nor_do_games_that_nobody_finishes(tables: Tables, long: Match) -> None:
    tables._kept = KeptTables(playing=3 * long.ply)
    games = {tables.create(ONE_SCREEN, ME, history=long).game.id for _game in range(6)}
    assert len(in_memory(games)) == 2  # a table costs a little even when empty


def test_nor_those_in_which_nothing_happened(tables: Tables) -> None:
    tables._kept = KeptTables(playing=20)
    games = {tables.create(ONE_SCREEN, ME).game.id for _game in range(10)}
    assert len(in_memory(games)) == 5


def test_who_plays_keeps_the_table_while_others_finish(tables: Tables) -> None:
    tables._kept = KeptTables(over=10)
    mine = tables.create(ONE_SCREEN, ME).game.id
    over = [tables.resign(tables.create(ONE_SCREEN, ME), 0).game.id for _game in range(5)]
    assert tables._kept.look(mine) is not None
    assert sum(tables._kept.look(game) is not None for game in over) == 2  # each finished table costs five here


def test_a_table_that_was_let_go_is_the_same_when_it_is_read_again(tables: Tables) -> None:
    tables._kept = KeptTables(playing=30)
    game = tables.create(ONE_SCREEN, ME).game.id
    before = everything(play_some(tables, game, 20))
    tables.create(ONE_SCREEN, ME)
    tables.create(ONE_SCREEN, ME)
    assert tables._kept.look(game) is None
    assert before == everything(tables.open(game)) == everything(folded(tables, game))


def test_of_two_tables_with_one_number_the_written_one_is_kept(tables: Tables) -> None:
    read, written = (Table(tables.create(ONE_SCREEN, ME).game, []) for _table in range(2))
    read.game = written.game
    kept = KeptTables()
    kept.keep(read)
    assert kept.keep(written, written=True) is written is kept.look(written.game.id)
    assert kept.keep(read) is written
