"""The same load for any server: games played at a steady rate and then at full speed, while both players listen.

It measures what the players notice, and also what the server spends: processor time per move hardly depends on what
else the machine is doing.
"""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from jaipur.bench.load import LiveGame, Load, Wire, listener, percentile
from jaipur.bench.server import processor_seconds

Point = dict[str, float]
"""Figures at one size."""
BUSY = 50
"""How many games are played."""
_PER_SECOND = 100.0
_PLAYERS = 32
_QUIET_SECONDS, _QUIET_SHARE, _QUIET_BYTES = 300.0, 0.1, 1_000_000
"""A server is quiet when it uses less processor time and reads fewer bytes than this in a second. One that is not
quiet after the first of these numbers, in seconds, is measured anyway."""
_MOVES_EACH = 60
"""No game ends within this many moves."""


async def when_quiet(pid: int) -> float:
    """Waits until a server is done with all that it does at the start; returns the processor seconds this took."""
    end, before = time.perf_counter() + _QUIET_SECONDS, (-1.0, -_QUIET_BYTES)
    while time.perf_counter() < end:
        spent, read = processor_seconds([pid]), _bytes_read(pid)
        if spent - before[0] < _QUIET_SHARE and read - before[1] < _QUIET_BYTES:
            break
        before = spent, read
        await asyncio.sleep(1)
    return processor_seconds([pid])


def _bytes_read(pid: int) -> int:
    return int(Path(f"/proc/{pid}/io").read_text(encoding="ascii").split()[1])


def nothing() -> None:
    """For when nobody has to be told of each game."""


@asynccontextmanager
async def busy_games(port: int) -> AsyncIterator[Load]:
    """New games, with two listeners each."""
    load = Load(port)
    await load.open_games(BUSY, nothing)
    await load.listen(nothing)
    try:
        yield load
    finally:
        await load.close()


@asynccontextmanager
async def long_games(port: int, games: list[LiveGame], after: int) -> AsyncIterator[Load]:
    """Games that already have `after` events, with two listeners each."""
    load, listeners = Load(port, games), []
    for game in games:
        for secret in game.secrets:
            ready = asyncio.Event()
            heard = listener(load, game, ready)
            stream = Wire(port).lines(f"/api/games/{game.id}/events?after={after}", secret, heard)
            listeners.append(asyncio.create_task(stream))
            await ready.wait()
    try:
        yield load
    finally:
        for task in listeners:
            task.cancel()
        await asyncio.gather(*listeners, return_exceptions=True)


async def strain(load: Load, pids: list[int], seconds: float) -> Point:
    """What players notice at a steady rate, how many moves are made at full speed, and what a move then costs."""
    refused = await _steady(load, seconds)
    answers, pushes = list(load.answers), list(load.pushes)
    spent, start, before = processor_seconds(pids), time.perf_counter(), load.moves
    refused += await _full_speed(load, seconds)
    moves, elapsed, spent = load.moves - before, time.perf_counter() - start, processor_seconds(pids) - spent
    await load.settle()
    return {
        "moves_per_s": moves / elapsed,
        "answer_ms_50": percentile(answers, 0.5),
        "answer_ms_99": percentile(answers, 0.99),
        "push_ms_99": percentile(pushes, 0.99),
        "pushes_lost": 2 * load.moves - len(load.pushes),
        "cpu_ms_per_move": 1000 * spent / moves,
        "refused": refused,
    }


async def _steady(load: Load, seconds: float) -> int:
    """Moves at a steady rate, however long the answers take; returns how many moves were refused.

    `Load.steady` is for a server that refuses nothing.
    """
    wires = {game.id: Wire(load.port) for game in load.games}
    free = asyncio.Queue[LiveGame]()
    for game in load.games:
        free.put_nowait(game)

    async def play(game: LiveGame) -> bool:
        refused = await _refused(load, game, wires[game.id])
        free.put_nowait(game)
        return refused

    start, running = time.perf_counter(), []
    for number in range(int(_PER_SECOND * seconds)):
        await asyncio.sleep(max(0.0, start + number / _PER_SECOND - time.perf_counter()))
        running.append(asyncio.create_task(play(await free.get())))
    refused = sum(await asyncio.gather(*running))
    for wire in wires.values():
        await wire.close()
    await load.settle()
    return refused


async def _full_speed(load: Load, seconds: float) -> int:
    """Each player moves again as soon as it can, in one game after the other; returns how many moves were refused."""
    end, last = time.perf_counter() + seconds, load.moves + _MOVES_EACH * len(load.games)
    waiting = deque(load.games)

    async def play() -> int:
        wire, refused = Wire(load.port), 0
        while time.perf_counter() < end and load.moves < last and waiting:
            game = waiting.popleft()
            refused += await _refused(load, game, wire)
            waiting.append(game)
        await wire.close()
        return refused

    return sum(await asyncio.gather(*(play() for _ in range(_PLAYERS))))


async def _refused(load: Load, game: LiveGame, wire: Wire) -> bool:
    """Makes a move; True if it was refused because too many want to write at once."""
    try:
        await load.move(game, wire)
    except RuntimeError:
        return True
    return False
