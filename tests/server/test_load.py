"""A small version of the load that `jaipur bench server` measures with, on a real server."""

import asyncio
from pathlib import Path

import pytest

from jaipur.bench.load import Load, Wire
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
    """Both listeners of a game are also told that the other has come, which is no move."""
    with Served(tmp_path / "games.sqlite3", "--pause", "0", "--rate", "0") as served:
        assert served.client.base_url.port is not None
        load = asyncio.run(_play(served.client.base_url.port, games=2, moves=5))
    assert load.moves == 10
    assert len(load.pushes) == 20
