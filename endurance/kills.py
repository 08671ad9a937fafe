"""A server is killed over and over while programs play, also against bots: nothing acknowledged is lost or done twice.

In the end, the bots go on by themselves.
"""

import asyncio
import random
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from endurance.support.client import Listener
from endurance.support.player import Player, players
from endurance.support.servers import OwnServer
from endurance.support.verdict import verdict
from jaipur.bench.own_postgres import own_postgres
from jaipur.table.past.operator import open_tables

_KILLS = 1000
_PLAYERS = 3
"""So many of each kind: at one screen, and against a bot."""
_MOST_REQUESTS = 20
"""A server lives until it has acknowledged some number of requests below this, or for a few seconds."""
_LONGEST_LIFE = 5.0
_BOTS_SECONDS, _LOOK_SECONDS = 60.0, 0.1


def measure(seconds: float) -> dict[str, object]:
    """A thousand kills, or as many as there is time for; half of them on PostgreSQL."""
    with tempfile.TemporaryDirectory() as folder:
        figures = run(str(Path(folder) / "games.sqlite3"), _KILLS // 2, seconds / 2)
    with own_postgres() as postgres:
        shared = run(postgres.address(postgres.new_database()), _KILLS // 2, seconds / 2)
    return figures | {f"postgres_{name}": figure for name, figure in shared.items()}


def run(database: str, kills: int, seconds: float) -> dict[str, object]:
    """Kills a server on this database this many times."""
    return asyncio.run(_measure(database, kills, seconds))


async def _measure(database: str, kills: int, seconds: float) -> dict[str, object]:
    playing = players(_PLAYERS) + players(_PLAYERS, "bot")
    chance, done, waiting = random.Random(0), 0, 0
    end, own_server = time.monotonic() + seconds, OwnServer(database)
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task("kills", total=kills)
        while done < kills and time.monotonic() < end:
            await asyncio.to_thread(own_server.start)
            plays = asyncio.gather(*(player.play(own_server.port) for player in playing))
            await _live(playing, chance)
            await asyncio.to_thread(own_server.kill)
            await plays
            done, waiting = done + 1, waiting + bool(_bots_to_move(database, playing))
            progress.advance(task)
    with own_server:
        stuck = await _stuck(database, own_server.port, playing)
        found = await verdict(database, own_server.port, playing)
    put_off = sum(player.put_off for player in playing)
    return {"kills": done, "kills_before_a_bots_move": waiting, "bots_stuck": stuck, "put_off": put_off, **found}


def _bots_to_move(database: str, playing: list[Player]) -> list[Listener]:
    """The games in which it is a bot's turn, as the database has them."""
    tables = open_tables(database)
    listeners = [listener for player in playing for listener in player.listeners[-1:]]
    waiting = [listener for listener in listeners if tables.open(listener.game).bot_to_move is not None]
    tables.store.close()
    return waiting


async def _stuck(database: str, port: int, playing: list[Player]) -> int:
    """How many bots do not go on by themselves, although somebody listens to their games."""
    streams = [asyncio.create_task(listener.listen(port)) for listener in _bots_to_move(database, playing)]
    end = time.monotonic() + _BOTS_SECONDS
    while (stuck := len(_bots_to_move(database, playing))) and time.monotonic() < end:
        await asyncio.sleep(_LOOK_SECONDS)
    for stream in streams:
        stream.cancel()
    await asyncio.gather(*streams, return_exceptions=True)
    return stuck


async def _live(playing: list[Player], chance: random.Random) -> None:
    enough = sum(len(player.acknowledged) for player in playing) + chance.randrange(_MOST_REQUESTS)
    end = time.monotonic() + _LONGEST_LIFE
    while time.monotonic() < end and sum(len(player.acknowledged) for player in playing) < enough:
        await asyncio.sleep(0.005)
    await asyncio.sleep(chance.uniform(0, 0.02))
