"""How cost grows: moves per second, waits and processor time against listeners, games, plies and processes; memory."""

import asyncio
import resource
import socket
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import uvloop
from rich.console import Console
from rich.progress import Progress

from endurance.growth.games import endless_match, fill, seat_two, stored_games
from endurance.growth.load import BUSY, Point, busy_games, long_games, strain, when_quiet
from endurance.support.servers import OwnServer, memory_mb
from jaipur.bench.load import LiveGame, Load, Wire, percentile
from jaipur.bench.own_postgres import own_postgres
from jaipur.bench.server import processor_seconds, with_children
from jaipur.store import Store, open_database
from jaipur.table import Tables
from jaipur.table.secrets import fresh_secret

_T = TypeVar("_T")
OnSize = Callable[[float], None]
"""Called with the size that comes next."""
_USUAL_SECONDS, _POINT_SECONDS = 900.0, 10.0
"""All points together usually take this long; each is measured twice for this long."""
_SHORT, _USUAL = 8, 115
"""Moves in a game of a large database, and in a match between two merchants."""
_OPENED = 200
_STREAMS = 6000


def measure(seconds: float) -> dict[str, object]:
    """All measurements; with less than the usual time, only the smaller sizes."""
    _allow_many_files()
    share, figures = min(seconds / _USUAL_SECONDS, 1.0), dict[str, object]()
    with Progress(console=Console(stderr=True)) as progress:
        for name, part in PARTS.items():
            sizes = SIZES[name][: max(2, round(share * len(SIZES[name])))]
            task = progress.add_task(name, total=len(sizes))
            figures |= part(share * _POINT_SECONDS, sizes, _teller(progress, task, name))
            progress.update(task, completed=len(sizes))
    return figures


def _teller(progress: Progress, task: Any, name: str) -> OnSize:
    def on_size(size: float) -> None:
        progress.update(task, description=f"{name} {size:,.0f}", completed=SIZES[name].index(int(size)))

    return on_size


def _allow_many_files() -> None:
    """Raises the limit: each listener is an open file here, and one in the server, which inherits the limit."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _run(work: Coroutine[Any, Any, _T]) -> _T:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


@contextmanager
def _folder() -> Iterator[str]:
    """The path of a database that is deleted afterwards."""
    with tempfile.TemporaryDirectory(prefix="jaipur-growth-") as folder:
        yield str(Path(folder) / "games.sqlite3")


def by_listeners(seconds: float, sizes: Sequence[int], on_size: OnSize) -> dict[str, object]:
    """Two listeners for each game. Some games are played; in the others nobody moves."""

    async def grow(server: OwnServer) -> list[Point]:
        points, quiet = [], list[Load]()
        for size in sizes:
            on_size(size)
            more = Load(server.port)
            await more.open_games(range(size // 2 - BUSY - sum(len(load.games) for load in quiet)))
            await more.listen(more.games)
            quiet.append(more)
            async with busy_games(server.port) as load:
                points.append({"listeners": size} | await strain(load, [server.pid], seconds))
        for more in quiet:
            await more.close()
        return points

    with _folder() as database, OwnServer(database, streams=_STREAMS) as server:
        return {"listeners": _run(grow(server))}


def by_games(seconds: float, sizes: Sequence[int], on_size: OnSize) -> dict[str, object]:
    """A growing database; at each size a server starts on it, stored games are opened, and new ones are played."""

    async def play(server: OwnServer, games: list[str]) -> Point:
        started = await when_quiet(server.pid)  # it clears out old games, which takes a look at every game
        opened = await _open(server.port, games)
        async with busy_games(server.port) as load:
            point = await strain(load, [server.pid], seconds)
        waits = {"open_ms_50": percentile(opened, 0.5), "open_ms_99": percentile(opened, 0.99)}
        return {"start_cpu_s": started} | point | waits

    points = []
    with _folder() as database:
        for before, size in zip((0, *sizes), sizes, strict=False):
            on_size(size)
            store = Store(open_database(database))
            fill(store, size, _SHORT, before)
            store.close()
            megabytes, start = Path(database).stat().st_size / 1e6, time.perf_counter()
            with OwnServer(database) as server:
                point = {"games": float(size), "start_s": time.perf_counter() - start, "database_mb": megabytes}
                points.append(point | _run(play(server, stored_games(size, min(size, _OPENED)))))
    return {"games": points}


async def _open(port: int, games: list[str]) -> list[float]:
    """How long the first look at each of these games takes, in milliseconds."""
    wire, waits = Wire(port), []
    for game in games:
        start = time.perf_counter()
        await wire.ask("GET", f"/api/games/{game}")
        waits.append(1000 * (time.perf_counter() - start))
    await wire.close()
    return waits


def by_plies(seconds: float, sizes: Sequence[int], on_size: OnSize) -> dict[str, object]:
    """Plays on in games that already have this many moves."""

    async def grow(server: OwnServer, stored: dict[int, list[LiveGame]]) -> list[Point]:
        points = []
        for plies, games in stored.items():
            on_size(plies)
            opened = await _open(server.port, [game.id for game in games])
            async with long_games(server.port, games, plies) as load:
                point = await strain(load, [server.pid], seconds)
            points.append({"plies": plies} | point | {"open_ms_50": percentile(opened, 0.5)})
        return points

    with _folder() as database:
        store = Store(open_database(database))
        stored = {plies: _long_games(Tables(store), plies) for plies in sizes}
        store.close()
        with OwnServer(database) as server:
            return {"plies": _run(grow(server, stored))}


def _long_games(tables: Tables, plies: int) -> list[LiveGame]:
    match, games = endless_match(plies), []
    for _game in range(BUSY):
        secrets = fresh_secret(), fresh_secret()
        games.append(LiveGame(seat_two(tables, secrets, match), secrets, match.round.turn))
    return games


def by_processes(seconds: float, sizes: Sequence[int], on_size: OnSize) -> dict[str, object]:
    """Several processes behind one port, on our own PostgreSQL with its usual safe settings."""

    async def play(port: int, servers: list[int], postmaster: int) -> Point:
        async with busy_games(port) as load:
            spent = processor_seconds(with_children(postmaster))
            point = await strain(load, servers, seconds)
            spent = processor_seconds(with_children(postmaster)) - spent
        return point | {"database_cpu_ms_per_move": 1000 * spent / load.moves}

    points = []
    with own_postgres() as postgres:
        for size in sizes:
            on_size(size)
            address = postgres.address(postgres.new_database())
            with ExitStack() as stack:
                listening = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=2048))
                servers = [OwnServer(address, bot_workers=0, listening=listening) for _ in range(size)]
                pids = [stack.enter_context(server).pid for server in servers]
                points.append({"processes": size} | _run(play(servers[0].port, pids, postgres.pid)))
    return {"processes": points}


def of_memory(_seconds: float, sizes: Sequence[int], on_size: OnSize) -> dict[str, object]:
    """How much memory a listener and a kept table take, from the memory of a server that has many of them."""
    with _folder() as database, OwnServer(database, streams=_STREAMS) as server:
        listeners = _run(_memory_of_listeners(server, sizes, on_size))
    with _folder() as database:
        _fill_and_close(database, sizes[-1])
        stored = Path(database).stat().st_size / 1024 / sizes[-1]
    with _folder() as database:
        _fill_and_close(database, sizes[-1], going=True)
        with OwnServer(database) as server:
            tables = _run(_memory_of_tables(server, stored_games(sizes[-1], sizes[-1]), sizes))
    return {
        "kb_per_listener": _kilobytes_each(listeners, "listeners"),
        "kb_per_kept_table": _kilobytes_each(tables, "tables"),
        "kb_per_stored_match": stored,
        "memory_of_listeners": listeners,
        "memory_of_tables": tables,
    }


def _fill_and_close(database: str, size: int, going: bool = False) -> None:
    store = Store(open_database(database))
    fill(store, size, _USUAL, going=going)
    store.close()


def _kilobytes_each(points: list[Point], of: str) -> float:
    """The memory of each between the first point and the last; before the first, much is made only once."""
    first, last = points[0], points[-1]
    return 1024 * (last["memory_mb"] - first["memory_mb"]) / (last[of] - first[of])


async def _memory_of_listeners(server: OwnServer, sizes: Sequence[int], on_size: OnSize) -> list[Point]:
    points = []
    async with AsyncExitStack() as stack:
        loads = [Load(server.port) for _ in sizes]
        for load, size, before in zip(loads, sizes, (0, *sizes), strict=False):
            await load.open_games(range((size - before) // 2))  # so that all tables exist before the first listener
        for load, size in zip(loads, sizes, strict=True):
            on_size(size)
            stack.push_async_callback(load.close)
            await load.listen(load.games)
            points.append({"listeners": float(size), "memory_mb": memory_mb(server.pid)})
    return points


async def _memory_of_tables(server: OwnServer, games: list[str], sizes: Sequence[int]) -> list[Point]:
    points, before = [], 0
    for size in [size // 3 for size in sizes]:  # more of them would not be kept at the same time
        await _open(server.port, games[before:size])
        points.append({"tables": float(size), "memory_mb": memory_mb(server.pid)})
        before = size
    return points


PARTS: dict[str, Callable[[float, Sequence[int], OnSize], dict[str, object]]] = {
    "listeners": by_listeners,
    "games": by_games,
    "plies": by_plies,
    "processes": by_processes,
    "memory": of_memory,
}
SIZES: dict[str, tuple[int, ...]] = {
    "listeners": (100, 500, 1000, 2000, 3000, 5000),
    "games": (1000, 10_000, 100_000, 1_000_000),
    "plies": (10, 100, 500, 1000, 1800),
    "processes": (1, 2, 4),
    "memory": (200, 500, 1000, 2000),
}
