"""A server is killed over and over while programs play: nothing acknowledged may be lost or happen twice."""

import asyncio
import random
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from endurance.support.player import Player, players
from endurance.support.servers import OwnServer
from endurance.support.verdict import verdict
from jaipur.bench.own_postgres import own_postgres

_KILLS = 1000
_PLAYERS = 4
_MOST_TOLD = 20
"""A server lives until it has acknowledged some number of requests below this, or for a few seconds."""
_LONGEST_LIFE = 5.0


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
    playing, chance, done = players(_PLAYERS), random.Random(0), 0
    end, own_server = time.monotonic() + seconds, OwnServer(database)
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task("kills", total=kills)
        while done < kills and time.monotonic() < end:
            await asyncio.to_thread(own_server.start)
            plays = asyncio.gather(*(player.play(own_server.port) for player in playing))
            await _live(playing, chance)
            await asyncio.to_thread(own_server.kill)
            await plays
            done += 1
            progress.advance(task)
    with own_server:
        found = await verdict(database, own_server.port, playing)
    return {"kills": done, "put_off": sum(player.put_off for player in playing), **found}


async def _live(playing: list[Player], chance: random.Random) -> None:
    enough = sum(len(player.told) for player in playing) + chance.randrange(_MOST_TOLD)
    end = time.monotonic() + _LONGEST_LIFE
    while time.monotonic() < end and sum(len(player.told) for player in playing) < enough:
        await asyncio.sleep(0.005)
    await asyncio.sleep(chance.uniform(0, 0.02))
