"""Faults of every kind while programs play: three servers, bots and PostgreSQL, each killed over and over.

Nothing acknowledged may be lost or happen twice, streams must be complete, and play must soon resume by itself.
"""

import asyncio
import contextlib
import itertools
import logging
import multiprocessing
import os
import random
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from multiprocessing.context import ForkServerProcess
from statistics import median
from typing import Any

from rich.console import Console
from rich.progress import Progress

from endurance.support.client import Answer, Client, Gone, Listener
from endurance.support.forwarder import Forwarder
from endurance.support.player import Player, players
from endurance.support.servers import OwnServer, nginx, serve
from endurance.support.verdict import verdict
from jaipur.bench.own_postgres import PostgresServer, own_postgres
from jaipur.bench.server import with_children
from jaipur.processes import follow_parent
from jaipur.rules.errors import JaipurError
from jaipur.server.config import Config
from jaipur.server.run.bot_process import open_shared, run_thinking

_EACH = 100
_SERVERS = 3
_PLAYERS = 4
_DOWN_SECONDS = 0.3
"""How long a fault lasts, not counting the time to start again."""
_GIVE_UP_SECONDS = 300.0
_WANTED_SECONDS = 5.0
_LATER = (502, 503, 504)
_AGAIN_SECONDS = 0.05


def measure(seconds: float) -> dict[str, object]:
    """A hundred faults of each kind in random order, or as many as there is time for."""
    with own_postgres() as database:
        return asyncio.run(_measure(database, seconds))


@dataclass
class AnyServer(Client):
    """Asks servers at random until one answers."""

    port: int = 0
    ports: Sequence[int] = ()
    chance: random.Random = field(default_factory=random.Random)

    async def ask(self, method: str, path: str, token: str = "", body: object = None, key: str = "") -> Answer:
        """The status and the JSON of an answer, however long it takes to get one."""
        while True:
            self.port = self.chance.choice(self.ports)
            try:
                status, answer = await super().ask(method, path, token, body, key)
                if status not in _LATER:
                    return status, answer
            except (Gone, ValueError):  # nobody answered, or nginx answered with its own page
                pass
            finally:
                self.close()
            await asyncio.sleep(_AGAIN_SECONDS)


async def _play(player: Player, ports: Sequence[int]) -> None:
    """Plays, and listens to each of the games at any server, until cancelled."""
    async with asyncio.TaskGroup() as group:
        group.create_task(player.play_on(AnyServer(ports=ports, chance=player.chance)))
        for begun in itertools.count():
            while len(player.listeners) == begun:
                await asyncio.sleep(_AGAIN_SECONDS)
            group.create_task(_listen(player.listeners[begun], player.chance, ports))


async def _listen(listener: Listener, chance: random.Random, ports: Sequence[int]) -> None:
    while True:
        await listener.listen(chance.choice(ports))
        await asyncio.sleep(_AGAIN_SECONDS)


def _heard(player: Player, requests: int) -> bool:
    """Whether this many requests were acknowledged, and the stream has brought the last of them."""
    if len(player.acknowledged) < requests:
        return False
    game, number, _move = player.acknowledged[requests - 1]
    return any(number in listener.heard for listener in player.listeners if listener.game == game)


@dataclass
class Site:
    """Everything that can fail."""

    database: PostgresServer
    name: str
    forwarder: Forwarder
    servers: list[OwnServer]
    chance: random.Random
    bot_process: ForkServerProcess | None = None

    def start_bot_process(self) -> None:
        """Starts the process in which bots think, apart from the servers."""
        context = multiprocessing.get_context("forkserver")
        address = self.database.address(self.name, self.forwarder.port)
        self.bot_process = context.Process(target=_think, args=(address,))
        self.bot_process.start()

    def end_bot_process(self) -> None:
        """Kills it, like `kill -9`."""
        if self.bot_process is not None:
            self.bot_process.kill()
            self.bot_process.join()

    async def kill_server(self) -> None:
        """`kill -9` of one of the servers, which is then started again."""
        server = self.chance.choice(self.servers)
        await asyncio.to_thread(server.kill)
        await asyncio.sleep(_DOWN_SECONDS)
        await asyncio.to_thread(server.start)

    async def kill_bot_process(self) -> None:
        """`kill -9` of the process in which bots think; its children end with it."""
        await asyncio.to_thread(self.end_bot_process)
        await asyncio.sleep(_DOWN_SECONDS)
        await asyncio.to_thread(self.start_bot_process)

    async def kill_database(self) -> None:
        """`kill -9` of PostgreSQL with all its processes."""
        for pid in reversed(with_children(self.database.pid)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        await asyncio.to_thread(self.database.end)
        await asyncio.sleep(_DOWN_SECONDS)
        await asyncio.to_thread(self.database.start)

    async def cut_connections(self) -> None:
        """PostgreSQL hangs up on everybody."""
        await asyncio.to_thread(self.database.cut, self.name)

    async def fail_port(self) -> None:
        """The port in front of PostgreSQL is gone for a moment."""
        await asyncio.to_thread(self.forwarder.fail)
        await asyncio.sleep(_DOWN_SECONDS)
        await asyncio.to_thread(self.forwarder.repair)


FAULTS: dict[str, Callable[[Site], Awaitable[None]]] = {
    "server": Site.kill_server,
    "bot_process": Site.kill_bot_process,
    "database": Site.kill_database,
    "cut": Site.cut_connections,
    "port": Site.fail_port,
}


def _serve_quietly(*arguments: Any) -> None:
    logging.disable()  # each fault is worth a dozen lines
    serve(*arguments)


def _think(address: str) -> None:
    follow_parent()
    logging.disable()
    run_thinking(Config(address, bot_workers=1, pause=0), open_shared(address))


async def _measure(database: PostgresServer, seconds: float) -> dict[str, object]:
    chance, end, plan = random.Random(0), time.monotonic() + seconds, list(FAULTS) * _EACH
    chance.shuffle(plan)
    recoveries: dict[str, list[float]] = {fault: [] for fault in FAULTS}
    async with _site(database, chance) as (site, ports):
        playing = players(_PLAYERS, "bot")
        tasks = [asyncio.create_task(_play(player, ports)) for player in playing]
        await _going_on(playing)
        with Progress(console=Console(stderr=True)) as progress:
            task = progress.add_task("faults", total=len(plan))
            for fault in plan:
                if time.monotonic() > end:
                    break
                await asyncio.sleep(chance.uniform(0, 0.3))
                await FAULTS[fault](site)
                recoveries[fault].append(await _going_on(playing))
                progress.advance(task)
        for running in tasks:
            running.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.to_thread(site.end_bot_process)  # from here on, nobody moves any more
        found = await verdict(database.address(site.name), ports[0], playing)
    return {
        **{f"{fault}_faults": len(times) for fault, times in recoveries.items()},
        **{f"{fault}_median_recovery_s": median(times) for fault, times in recoveries.items() if times},
        **{f"{fault}_longest_recovery_s": max(times) for fault, times in recoveries.items() if times},
        "recoveries_over_5_s": sum(seconds > _WANTED_SECONDS for times in recoveries.values() for seconds in times),
        **found,
    }


async def _going_on(playing: list[Player]) -> float:
    """Seconds until every player has two more requests acknowledged and heard of them; it takes a move of its bot."""
    start, before = time.monotonic(), [len(player.acknowledged) for player in playing]
    while not all(_heard(player, number + 2) for player, number in zip(playing, before, strict=True)):
        if time.monotonic() > start + _GIVE_UP_SECONDS:
            raise JaipurError("The measurement is stuck: something did not recover after a fault.")
        await asyncio.sleep(0.01)
    return time.monotonic() - start


@asynccontextmanager
async def _site(database: PostgresServer, chance: random.Random) -> AsyncIterator[tuple[Site, list[int]]]:
    """Everything, and the ports that players use: just that of nginx, in front of the servers."""
    forwarder = Forwarder(database.port)
    name = database.new_database()
    address = database.address(name, forwarder.port)
    servers = [OwnServer(address, bot_workers=0, same_port=True, serve=_serve_quietly) for _ in range(_SERVERS)]
    site = Site(database, name, forwarder, servers, chance)
    async with AsyncExitStack() as stack:
        stack.callback(forwarder.fail)
        for server in servers:
            stack.callback(server.end)
            await asyncio.to_thread(server.start)
        stack.callback(site.end_bot_process)
        site.start_bot_process()
        yield site, [stack.enter_context(nginx([server.port for server in servers]))]
