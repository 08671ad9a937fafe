"""Whether a server grows: programs set up games, play, listen and leave for a long time, and its memory is watched."""

import asyncio
import random
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from jaipur.bench.client import Listener
from jaipur.bench.kills import Player
from jaipur.bench.own_server import OwnServer
from jaipur.extras import load
from jaipur.language import _
from jaipur.rules.errors import N_, JaipurError

_PLAYERS = 8
_WARM = 1 / 6
"""The share of the time in which the server may still fill its memory of tables."""
_SAMPLES = 120
_PAGES = ("/", "/games", "/rules", "/settings", "/api")


def measure(seconds: float) -> dict[str, object]:
    """Half an hour, unless told otherwise."""
    load("jaipur.server.app", "web")
    with tempfile.TemporaryDirectory() as folder, OwnServer(str(Path(folder) / "games.sqlite3")) as own_server:
        return asyncio.run(_measure(own_server, seconds))


def _memory(own_server: OwnServer) -> float:
    """The memory of the server in MB, as Linux tells it."""
    assert own_server.process is not None
    try:
        status = Path(f"/proc/{own_server.process.pid}/status").read_text()
    except OSError as error:
        raise JaipurError(N_("The memory of a process can be read on Linux only.")) from error
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


async def _visit(port: int, chance: random.Random, heard: list[Listener]) -> None:
    """Somebody without a seat looks at pages and at a game, listens for a while and leaves."""
    while True:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET {chance.choice(_PAGES)} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n".encode())
        await reader.read()
        writer.close()
        if heard:
            listener = chance.choice(heard)
            stream = asyncio.create_task(Listener(listener.game, listener.token).listen(port))
            await asyncio.sleep(chance.uniform(0, 0.5))
            stream.cancel()
            await asyncio.gather(stream, return_exceptions=True)


async def _measure(own_server: OwnServer, seconds: float) -> dict[str, object]:
    players = [Player(f"token-of-the-measurement-{n}", random.Random(n)) for n in range(_PLAYERS)]
    heard: list[Listener] = []
    tasks = [asyncio.create_task(player.play(own_server.port)) for player in players]
    tasks.append(asyncio.create_task(_visit(own_server.port, random.Random(), heard)))
    start, samples = time.monotonic(), list[tuple[float, float]]()
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task(_("seconds"), total=seconds)
        while (now := time.monotonic() - start) < seconds:
            samples.append((now, _memory(own_server)))
            progress.update(task, completed=now)
            heard[:] = [listener for player in players for listener in player.listeners[-5:]]
            await asyncio.sleep(seconds / _SAMPLES)
    await asyncio.to_thread(own_server.end)
    for running in tasks:
        running.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    later = [memory for at, memory in samples if at >= _WARM * seconds]
    half = len(later) // 2
    return {
        "seconds": seconds,
        "games": sum(len(player.listeners) for player in players),
        "moves": sum(len(player.told) for player in players),
        "refused": sum(len(player.wrong) for player in players),
        "mb_at_the_start": samples[0][1],
        "mb_after_a_sixth": later[0],
        "mb_at_the_end": later[-1],
        "mb_most": max(later),
        "mb_growth_of_second_half": sum(later[half:]) / len(later[half:]) - sum(later[:half]) / max(half, 1),
    }
