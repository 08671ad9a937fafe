"""The same load for any server: games played at a steady rate and then at full speed, while both players listen.

It measures what the players notice, and also what the server spends: processor time per move hardly depends on what
else the machine is doing.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from jaipur.bench.load import LiveGame, Load, Wire, percentile
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


@dataclass
class Strained(Load):
    """A load that goes on when a move is refused because too many want to write at once."""

    refused: int = 0

    async def move(self, game: LiveGame, wire: Wire) -> None:
        """Makes a move, or counts that it was refused."""
        try:
            await super().move(game, wire)
        except RuntimeError:
            self.refused += 1


@asynccontextmanager
async def busy_games(port: int) -> AsyncIterator[Strained]:
    """New games, with two listeners each."""
    load = Strained(port)
    await load.open_games(range(BUSY))
    async with long_games(port, load.games, after=1) as load:
        yield load


@asynccontextmanager
async def long_games(port: int, games: list[LiveGame], after: int) -> AsyncIterator[Strained]:
    """Games that already have `after` events, with two listeners each."""
    load = Strained(port, games)
    await load.listen(games, after)
    try:
        yield load
    finally:
        await load.close()


async def strain(load: Strained, pids: list[int], seconds: float) -> Point:
    """What players notice at a steady rate, how many moves are made at full speed, and what a move then costs."""
    await load.steady(_PER_SECOND, range(int(_PER_SECOND * seconds)))
    answers, pushes = list(load.answers), list(load.pushes)
    spent, before = processor_seconds(pids), load.moves
    per_second = await load.flat_out(_PLAYERS, seconds)
    moves, spent = load.moves - before, processor_seconds(pids) - spent
    return {
        "moves_per_s": per_second,
        "answer_ms_50": percentile(answers, 0.5),
        "answer_ms_99": percentile(answers, 0.99),
        "push_ms_99": percentile(pushes, 0.99),
        "pushes_lost": 2 * load.moves - len(load.pushes),
        "cpu_ms_per_move": 1000 * spent / moves,
        "refused": load.refused,
    }
