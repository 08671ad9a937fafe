"""A small version of the load that `jaipur bench server` uses, on a real server."""

import asyncio
from pathlib import Path

import pytest

from jaipur.bench import server
from jaipur.bench.load import LiveGame, Load, Wire, listener
from jaipur.cli.bench import bench
from jaipur.rules.errors import JaipurError
from tests.postgres import require_postgres
from tests.server.processes import Served

pytestmark = pytest.mark.slow


async def _play(port: int, games: int, moves: int) -> Load:
    load = Load(port)
    await load.open_games(games, lambda: None)
    await load.listen(lambda: None)
    wire = Wire(port)
    for _move in range(moves):
        for game in load.games:
            await load.move(game, wire)
    await wire.close()
    await load.settle()
    await load.close()
    return load


def test_all_listeners_hear_every_move(tmp_path: Path) -> None:
    """Both listeners of a game are also told that the other has arrived, which is not a move."""
    with Served(tmp_path / "games.sqlite3", "--pause", "0", "--rate", "0") as served:
        assert served.client.base_url.port is not None
        load = asyncio.run(_play(served.client.base_url.port, games=2, moves=5))
    assert load.moves == 10
    assert len(load.pushes) == 20


def test_a_move_that_is_told_twice_hides_none_that_is_lost() -> None:
    load, game = Load(0), LiveGame("game", ("", ""), sent={1: 0.0, 2: 0.0})
    heard = listener(load, game, asyncio.Event())
    for _twice in range(2):
        heard({"kind": "move", "number": 1})
    assert len(load.pushes) == 1
    heard({"kind": "move", "number": 2})
    assert len(load.pushes) == 2


class OfShortGames(Load):
    """A load whose games end after a few moves, all answered at once."""

    async def move(self, game: LiveGame, _wire: Wire) -> None:
        await asyncio.sleep(0.001)
        self.moves += 1
        self.pushes += [1.0, 1.0]
        game.sent[self.moves] = 0.0
        game.over = len(game.sent) == 3


def test_at_full_speed_a_game_that_ends_ends_no_player() -> None:
    """Otherwise the figure would show how many moves the games had left, not what the server can handle."""
    load = OfShortGames(0, [LiveGame(str(number), ("", "")) for number in range(1000)])
    per_second = asyncio.run(load.flat_out(2, 0.2))
    assert load.moves > 12
    assert per_second == pytest.approx(load.moves / 0.2, rel=0.5)
    assert sum(not game.over for game in load.games if game.sent) <= 2


@pytest.mark.parametrize("processes", [0, 2])
def test_the_measurement_in_small(processes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a file, and on a PostgreSQL of its own, while something else keeps the machine busy."""
    if processes:
        require_postgres()
    for name, number in (("_GAMES", 4), ("_MOVES_PER_SECOND", 10.0), ("_BOTS", 1), ("_PERSON_MOVES", 5)):
        monkeypatch.setattr(server, name, number)
    figures = server.measure(0.5, processes, busy=True)
    assert figures["pushes_lost"] == 0
    assert float(str(figures["processor_ms_per_move"])) > 0
    assert float(str(figures["load_processor_ms_per_move"])) > 0
    assert ("database_processor_ms_per_move" in figures) == bool(processes)


@pytest.mark.parametrize(
    ("what", "options"), [("rules", {"processes": 2}), ("growth", {"busy": True}), ("server", {"busy": True})]
)
def test_only_the_server_under_load_has_processes_and_company(what: str, options: dict[str, int]) -> None:
    with pytest.raises(JaipurError, match="Only the server under load"):
        bench(what, attack=what == "server", **options)  # type: ignore[arg-type]
