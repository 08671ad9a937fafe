"""The games of the growth are real."""

import pytest
from endurance.growth import games
from endurance.growth.games import endless_match, fill, stored_games

from jaipur.table.past.operator import damaged_games
from tests.support.server import new_tables


@pytest.mark.parametrize("plies", [8, 150])
def test_copied_games_open_and_are_whole(plies: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "BATCH", 20)
    with new_tables() as tables:
        fill(tables.store, 20, plies)
        fill(tables.store, 60, plies, 20)
        assert damaged_games(tables) == ([], 60)
        names = stored_games(60, 60)
        assert set(names) == set(tables.store.game_ids())
        opened = [tables.open(name) for name in names]
        assert all(table.over and table.number >= min(plies, 90) for table in opened)
        holders = {table.holder(0) for table in opened}
        assert len(holders) == 30
        assert all(len(tables.store.games_of(str(holder), 100)) == 2 for holder in holders)


def test_an_endless_match_has_one_round() -> None:
    match = endless_match(300)
    assert (match.ply, len(match.rounds), match.round.over) == (300, 1, False)
