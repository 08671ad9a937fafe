"""`jaipur bench growth` on a small scale: each part measures what it says, and its games are real."""

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from jaipur.bench import growth, growth_load
from jaipur.bench.growth_games import endless_match, fill, stored_games
from jaipur.bench.growth_plot import PANELS, drawn
from jaipur.cli.bench import bench
from jaipur.rules.errors import N_, JaipurError
from jaipur.table import Tables
from jaipur.table.operator import damaged_games
from tests.postgres import require_postgres
from tests.terminal import jaipur as command

SPEED = {"moves_per_s", "answer_ms_50", "answer_ms_99", "push_ms_99", "cpu_ms_per_move"}
MAY_BE_NOTHING = {"refused", "pushes_lost", "cpu_ms_per_move", "database_cpu_ms_per_move"}
"""May be zero, for instance because the system counts processor time in hundredths of a second."""
SMALL = {"listeners": (8, 14), "games": (100, 300), "plies": (3, 30), "processes": (1, 2), "memory": (100, 200)}


@pytest.mark.parametrize("plies", [8, 150])
def test_copied_games_open_and_are_whole(tables: Tables, plies: int) -> None:
    fill(tables.store, 200, plies)
    fill(tables.store, 400, plies, 200)
    assert damaged_games(tables) == ([], 400)
    names = stored_games(400, 400)
    assert set(names) == set(tables.store.game_ids())
    opened = [tables.open(name) for name in names]
    assert all(table.over and table.number >= min(plies, 90) for table in opened)
    holders = {table.holder(0) for table in opened}
    assert len(holders) == 40
    assert all(len(tables.store.games_of(str(holder), 100)) == 10 for holder in holders)


def test_an_endless_match_has_one_round() -> None:
    match = endless_match(300)
    assert (match.ply, len(match.rounds), match.round.over) == (300, 1, False)


@pytest.mark.slow
@pytest.mark.parametrize("part", growth.PARTS)
def test_each_part_is_measured(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if part == "processes":
        require_postgres()
    monkeypatch.setattr(growth, "BUSY", 4)
    monkeypatch.setattr(growth_load, "BUSY", 4)
    monkeypatch.setattr(growth, "SIZES", SMALL)
    figures = growth.measure(0.1, part)
    lists = {name: points for name, points in figures.items() if isinstance(points, list)}
    for name, points in lists.items():
        by = name.rpartition("_")[2]
        assert [point[by] for point in points] == [size // 3 if by == "tables" else size for size in SMALL[part]]
        assert all(figure > 0 for point in points for name, figure in point.items() if name not in MAY_BE_NOTHING)
        if name == part:
            assert all(point.keys() >= SPEED for point in points)
            assert [point["pushes_lost"] for point in points] == [0] * len(points)
    if part == "memory":
        assert set(lists) == {"memory_of_listeners", "memory_of_tables"}
        assert float(str(figures["kb_per_listener"])) > 0
        assert float(str(figures["kb_per_stored_match"])) > 1
        assert float(str(figures["kb_per_kept_table"])) > 1
    picture = ET.fromstring(drawn(figures))
    panels = [panel for panel in PANELS if panel.series in lists]
    assert len(picture.findall("{*}g")) == len(panels) >= 2
    assert len(picture.findall(".//{*}circle")) == len(panels) * len(SMALL[part])


def test_what_this_machine_cannot_do_is_left_out_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def without_postgres(*_arguments: object) -> dict[str, object]:
        raise JaipurError(
            N_("No PostgreSQL was found: install one, or name the folder of its programs in JAIPUR_POSTGRES.")
        )

    parts = {"plies": lambda *_arguments: {"plies": []}, "processes": without_postgres}
    monkeypatch.setattr(growth, "PARTS", parts)
    assert growth.measure(1) == {"plies": []}
    assert "No PostgreSQL was found" in capsys.readouterr().err
    with pytest.raises(JaipurError, match="No PostgreSQL was found"):
        growth.measure(1, "processes")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("growth", "--of", "players"), "choose listeners, games, plies, processes, memory"),
        (("growth", "--seconds", "60"), "30 seconds at most"),
        (("rules", "--of", "games"), "Only growth has parts"),
        (("rules", "--plot", "growth.svg"), "Only growth has parts"),
    ],
)
def test_a_wrong_option_gets_a_sentence(arguments: tuple[str, ...], sentence: str, tmp_path: Path) -> None:
    done = command("bench", *arguments, games=tmp_path)
    assert done.returncode
    assert sentence in " ".join(done.stderr.split())


def test_the_command_draws_what_it_has_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    points = [{"plies": plies} | dict.fromkeys(SPEED, 2.5 * plies) for plies in (10, 1000)]
    monkeypatch.setattr(growth, "PARTS", {"plies": lambda *_arguments: {"plies": points, "kb": 0.5}})
    plot = tmp_path / "growth.svg"
    bench("growth", of="plies", plot=plot)
    assert re.search(r"kb .* 0\.50", told := capsys.readouterr().out)
    assert "2,500.00" in told
    bench("growth", as_json=True)
    assert json.loads(capsys.readouterr().out)["plies"] == points
    texts = [text.text for text in ET.parse(plot).iter("{http://www.w3.org/2000/svg}text")]
    assert {"moves per second", "1k", "2.5k", "moves before in the game"} <= set(texts)
