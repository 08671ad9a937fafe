"""The games of the growth are real, and its picture shows what was measured."""

import xml.etree.ElementTree as ET

import pytest
from endurance.growth import games
from endurance.growth.games import endless_match, fill, stored_games
from endurance.growth.plot import PANELS, drawn

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


def test_each_figure_is_drawn() -> None:
    figures: dict[str, object] = {
        "plies": [
            {"plies": plies, "moves_per_s": 2.5 * plies, "answer_ms_99": 3.0, "cpu_ms_per_move": 0.0}
            for plies in (10, 1000)
        ]
    }
    picture = ET.fromstring(drawn(figures))
    panels = [panel for panel in PANELS if panel.series == "plies"]
    assert len(picture.findall("{*}g")) == len(panels) == 3
    assert len(picture.findall(".//{*}circle")) == 2 * len(panels)
    texts = {text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")}
    assert {"moves per second", "1k", "2.5k", "moves before in the game"} <= texts
