"""How much load the web server can carry on this machine."""

import asyncio
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from uvicorn.loops.auto import auto_loop_factory

from jaipur.bench.load import Load, percentile, with_bots
from jaipur.extras import load
from jaipur.language import _
from jaipur.programs import ends_with_us
from jaipur.rules.errors import N_, JaipurError

_MOST_GAMES = 500
_GAMES_PER_SECOND = 50
"""A short measurement has fewer games, so that it is short."""
_MOVES_PER_SECOND = 200.0
_PLAYERS = 32
_STEADY_PARTS = 6
"""The steady stream lasts this many times as long as the other measurements."""
_TURN_SECONDS = 0.5
"""How long each turn of moves or of bare requests lasts, in which the processor's clock ticks 50 times."""


def measure(seconds: float, processes: int = 0, busy: bool = False) -> dict[str, object]:
    """Starts a server on a new database, puts it under load, and ends it.

    With a number of processes the database is a new PostgreSQL, otherwise a file. If `busy`, something else keeps one
    core busy meanwhile.
    """
    with ExitStack() as stack:
        if busy:
            command = [sys.executable, "-c", "while True: pass"]
            other = stack.enter_context(subprocess.Popen(command, **ends_with_us()))
            stack.callback(other.kill)
        database, database_pid, options = "", 0, ["--rate", "0", "--pause", "0"]
        if processes:
            postgres = stack.enter_context(load("jaipur.bench.own_postgres", "postgres").own_postgres())
            database, database_pid = postgres.address(postgres.new_database()), postgres.pid
            options += ["--processes", str(processes)]
        else:
            database = f"{stack.enter_context(tempfile.TemporaryDirectory())}/bench.sqlite3"
        return at_server(database, lambda port, pid: _measure(port, pid, database_pid, seconds), *options)


def at_server(
    database: str, do: Callable[[int, int], Coroutine[Any, Any, dict[str, object]]], *options: str
) -> dict[str, object]:
    """Runs a server on this database while `do` measures it, given its port and its process.

    The load runs in the server's own kind of event loop, so that it is not slower than the server.
    """
    command = ["jaipur", "--lang", "en", "serve", "--port", "0", "--database", database, *options]
    with _server(*command) as (port, pid), asyncio.Runner(loop_factory=auto_loop_factory()) as runner:
        return runner.run(do(port, pid))


@contextmanager
def _server(module: str, *options: str) -> Iterator[tuple[int, int]]:
    """The port and the process of a server that prints its address first, for as long as the block lasts."""
    with subprocess.Popen(
        [sys.executable, "-m", module, *options],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
        **ends_with_us(),
    ) as server:
        try:
            assert server.stdout is not None
            address = re.search(r"http://\S+:(\d+)", server.stdout.readline())
            if address is None:
                raise JaipurError(N_("The server for the measurement did not start."))
            yield int(address[1]), server.pid
        finally:
            server.terminate()


def with_children(pid: int) -> list[int]:
    """A process and its children."""
    return [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split())]


def processor_seconds(pids: list[int]) -> float:
    """The processor time that processes have used so far, in all their threads."""
    spent = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        spent += int(fields[11]) + int(fields[12])
    return spent / os.sysconf("SC_CLK_TCK")


def _processor_ms(pid: int) -> float:
    """The processor time of a process and its children so far: on a busy machine it says more than the clock.

    Linux only, else 0.
    """
    if not pid or not Path(f"/proc/{pid}/stat").exists():
        return 0.0
    return 1000 * processor_seconds(with_children(pid))


async def _measure(port: int, pid: int, database: int, seconds: float) -> dict[str, object]:
    load, steady = Load(port), _STEADY_PARTS * seconds
    number = max(min(int(_GAMES_PER_SECOND * seconds), _MOST_GAMES), 10)
    with Progress(console=Console(stderr=True)) as progress:
        await load.open_games(progress.track(range(number), description=_("games")))
        await load.listen(progress.track(load.games, description=_("listeners")))
        moves = range(int(_MOVES_PER_SECOND * steady))
        await load.steady(_MOVES_PER_SECOND, progress.track(moves, description=_("moves")))
    figures: dict[str, object] = {
        "games": number,
        "listeners": 2 * number,
        "moves": load.moves,
        "moves_per_s": load.moves / steady,
        "push_ms_50": percentile(load.pushes, 0.5),
        "push_ms_99": percentile(load.pushes, 0.99),
        "answer_ms_50": percentile(load.answers, 0.5),
        "answer_ms_99": percentile(load.answers, 0.99),
    }
    figures |= await _at_full_speed(load, pid, database, seconds)
    with _server("jaipur.bench.bare") as (bare_port, bare_pid):
        figures |= await _against_bare(load, pid, Load(bare_port), bare_pid, seconds)
    figures["pushes_lost"] = 2 * load.moves - len(load.pushes)
    await load.close()
    bots = number // 10
    beside_bots = await with_bots(port, bots, 4 * bots)
    return figures | {f"answer_ms_99_with_{bots}_bots_waiting": percentile(beside_bots, 0.99)}


async def _at_full_speed(load: Load, pid: int, database: int, seconds: float) -> dict[str, object]:
    before, start = load.moves, (_processor_ms(pid), _processor_ms(database), time.process_time())
    saturated = await load.flat_out(_PLAYERS, seconds)
    moves, used_by_database = max(load.moves - before, 1), _processor_ms(database) - start[1]
    return {
        "saturation_moves_per_s": saturated,
        "processor_ms_per_move": (_processor_ms(pid) - start[0]) / moves,
        # If this comes near a core, the load is the bottleneck.
        "load_processor_ms_per_move": 1000 * (time.process_time() - start[2]) / moves,
        **({"database_processor_ms_per_move": used_by_database / moves} if database else {}),
    }


async def _against_bare(load: Load, pid: int, bare: Load, bare_pid: int, seconds: float) -> dict[str, object]:
    """What a move costs, over what a bare request costs. They take turns, so a busy machine slows both alike."""
    spent = bare_spent = 0.0
    moves, posts = load.moves, 0
    for _turn in range(max(round(seconds / _TURN_SECONDS), 1)):
        before = _processor_ms(pid)
        await load.flat_out(_PLAYERS, _TURN_SECONDS)
        between, bare_before = _processor_ms(pid), _processor_ms(bare_pid)
        posts += await bare.post_bare(_PLAYERS, _TURN_SECONDS)
        spent, bare_spent = spent + between - before, bare_spent + _processor_ms(bare_pid) - bare_before
    await bare.close()
    move, post = spent / max(load.moves - moves, 1), bare_spent / max(posts, 1)
    return {"bare_post_processor_ms": post, "move_over_bare_post": move / post if post else 0.0}
