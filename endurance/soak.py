"""Does a server's memory grow? Programs set up games, play, listen and leave for a long time, while it is watched."""

import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from endurance.support.client import Listener
from endurance.support.player import Player, players
from endurance.support.servers import OwnServer, memory_mb

_PLAYERS = 8
_WARM_SECONDS = 300.0
_WARM_SHARE = 1 / 6
"""When the server has filled its cache of tables: after five minutes of half an hour, sooner in a shorter soak."""
_SAMPLES = 120
_RECENT = 5
"""How many of each player's games are visited."""
_PAGES = ("/", "/games", "/rules", "/settings", "/api")


@dataclass(frozen=True)
class Sample:
    """The server's memory after some seconds, and how many moves it had answered by then."""

    seconds: float
    moves: int
    mb: float


def measure(seconds: float) -> dict[str, object]:
    """Half an hour, unless told otherwise."""
    with tempfile.TemporaryDirectory() as folder, OwnServer(str(Path(folder) / "games.sqlite3")) as own_server:
        return asyncio.run(_measure(own_server, seconds))


def growth(samples: Sequence[Sample], seconds: float) -> dict[str, object]:
    """What the samples say: the memory once the server was warm and at the end, and the slope in between."""
    warm = [sample for sample in samples if sample.seconds >= min(_WARM_SECONDS, _WARM_SHARE * seconds)]
    moves, mb = [sample.moves for sample in warm], [sample.mb for sample in warm]
    slope = statistics.linear_regression(moves, mb).slope if moves[0] < moves[-1] else 0.0
    return {
        "mb_at_the_start": samples[0].mb,
        "seconds_until_warm": warm[0].seconds,
        "mb_when_warm": mb[0],
        "mb_at_the_end": mb[-1],
        "mb_since_warm": mb[-1] - mb[0],
        "mb_most": max(mb),
        "mb_per_1000_moves_since": 1000 * slope,
    }


async def _visit(port: int, chance: random.Random, playing: list[Player]) -> None:
    """Loads pages and listens to a game for a while, again and again."""
    while True:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET {chance.choice(_PAGES)} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n".encode())
        await reader.read()
        writer.close()
        if listeners := [listener for player in playing for listener in player.listeners[-_RECENT:]]:
            listener = chance.choice(listeners)
            stream = asyncio.create_task(Listener(listener.game, listener.token).listen(port))
            await asyncio.sleep(chance.uniform(0, 0.5))
            stream.cancel()
            await asyncio.gather(stream, return_exceptions=True)


async def _measure(own_server: OwnServer, seconds: float) -> dict[str, object]:
    playing = players(_PLAYERS)
    tasks = [asyncio.create_task(player.play(own_server.port)) for player in playing]
    tasks.append(asyncio.create_task(_visit(own_server.port, random.Random(), playing)))
    start, samples = time.monotonic(), list[Sample]()
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task("seconds", total=seconds)
        while (now := time.monotonic() - start) < seconds:
            samples.append(Sample(now, sum(len(player.acknowledged) for player in playing), memory_mb(own_server.pid)))
            progress.update(task, completed=now)
            await asyncio.sleep(seconds / _SAMPLES)
    stopped = sum(running.done() for running in tasks)
    await asyncio.to_thread(own_server.end)
    for running in tasks:
        running.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return {
        "seconds": seconds,
        "games": sum(len(player.listeners) for player in playing),
        "moves": sum(len(player.acknowledged) for player in playing),
        "programs_that_stopped": stopped,
        "put_off": sum(player.put_off for player in playing),
        "refused": sum(len(player.wrong) for player in playing),
        **growth(samples, seconds),
    }
