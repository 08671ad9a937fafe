"""Faults of every kind while programs play: three servers, bots and PostgreSQL, each killed over and over.

Nothing acknowledged may be lost or happen twice, streams must be complete, and play must soon resume by itself.
"""

import asyncio
import contextlib
import logging
import multiprocessing
import os
import random
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from multiprocessing.context import ForkServerProcess
from statistics import median
from typing import Any

from rich.console import Console
from rich.progress import Progress

from endurance.support.client import Client, Gone, Listener
from endurance.support.forwarder import Forwarder
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
_TOKEN = "token-of-the-measurement-{}"
_OK = (200, 201)
_LATER = (502, 503, 504)


def measure(seconds: float) -> dict[str, object]:
    """A hundred faults of each kind, or as many as there is time for."""
    return run(dict.fromkeys(FAULTS, _EACH), seconds)


def run(each: dict[str, int], seconds: float) -> dict[str, object]:
    """This many faults of each kind, in random order."""
    with own_postgres() as database:
        return asyncio.run(_measure(database, each, seconds))


@dataclass
class Player:
    """Plays against a bot, game after game. A request that fails is sent again, to any of the servers."""

    token: str
    chance: random.Random
    ports: list[int]
    game: str = ""
    asked: int = 0
    told: list[tuple[str, int, str]] = field(default_factory=list)
    listeners: list[Listener] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    _streams: list[asyncio.Task[None]] = field(default_factory=list)

    async def play(self) -> None:
        """Plays until cancelled."""
        try:
            while True:
                await self._act()
        finally:
            for stream in self._streams:
                stream.cancel()

    def heard(self, requests: int) -> bool:
        """Whether this many requests were acknowledged, and the stream has brought the last of them."""
        if len(self.told) < requests:
            return False
        game, number, _move = self.told[requests - 1]
        return any(number in listener.heard for listener in self.listeners if listener.game == game)

    async def _act(self) -> None:
        self.asked += 1
        key = f"{self.token} {self.asked}"
        if not self.game:
            made = await self._ask("POST", "/api/games", {"kind": "bot", "level": "pedlar"}, key)
            self.game = made["game"]
            listener = Listener(self.game, self.token)
            self.listeners.append(listener)
            self._streams.append(asyncio.create_task(self._listen(listener)))
            return
        path = f"/api/games/{self.game}"
        seen = await self._ask("GET", path)
        if seen["status"] == "over":
            self.game = ""
        elif seen["status"] == "sheet":
            await self._do(f"{path}/ready", None, key)
        elif seen["legal"]:
            await self._do(f"{path}/moves", {"move": self.chance.choice(seen["legal"]), "ply": seen["ply"]}, key)
        else:
            await asyncio.sleep(0.01)

    async def _do(self, path: str, body: dict[str, object] | None, key: str) -> None:
        done = await self._ask("POST", path, body, key)
        if done:
            self.told.append((self.game, done["number"], str(body["move"]) if body else ""))

    async def _ask(self, method: str, path: str, body: object = None, key: str = "") -> dict[str, Any]:
        """Asks servers at random until one answers."""
        while True:
            client = Client(self.chance.choice(self.ports))
            try:
                status, answer = await client.ask(method, path, self.token, body, key)
                if status in _OK:
                    return answer
                if status not in _LATER:
                    self.wrong.append(f"{method} {path}: {status} {answer}")
                    return {}
            except (Gone, ValueError):  # nobody answered, or nginx answered with its own page
                pass
            finally:
                client.close()
            await asyncio.sleep(0.05)

    async def _listen(self, listener: Listener) -> None:
        while True:
            await listener.listen(self.chance.choice(self.ports))
            await asyncio.sleep(0.05)


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


async def _measure(database: PostgresServer, each: dict[str, int], seconds: float) -> dict[str, object]:
    chance, end = random.Random(0), time.monotonic() + seconds
    plan = [fault for fault, number in each.items() for _time in range(number)]
    chance.shuffle(plan)
    recoveries: dict[str, list[float]] = {fault: [] for fault in each}
    async with _site(database, chance) as (site, ports):
        players = [Player(_TOKEN.format(number), random.Random(number), ports) for number in range(_PLAYERS)]
        playing = [asyncio.create_task(player.play()) for player in players]
        await _going_on(players)
        with Progress(console=Console(stderr=True)) as progress:
            task = progress.add_task("faults", total=len(plan))
            for fault in plan:
                if time.monotonic() > end:
                    break
                await asyncio.sleep(chance.uniform(0, 0.3))
                await FAULTS[fault](site)
                recoveries[fault].append(await _going_on(players))
                progress.advance(task)
        for task_ in playing:
            task_.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        await asyncio.to_thread(site.end_bot_process)  # from here on, nobody moves any more
        found = await verdict(database.address(site.name), ports[0], players)
    return {
        **{f"{fault}_faults": len(times) for fault, times in recoveries.items()},
        **{f"{fault}_median_recovery_s": median(times) for fault, times in recoveries.items() if times},
        **{f"{fault}_longest_recovery_s": max(times) for fault, times in recoveries.items() if times},
        "recoveries_over_5_s": sum(seconds > _WANTED_SECONDS for times in recoveries.values() for seconds in times),
        **found,
    }


async def _going_on(players: list[Player]) -> float:
    """Seconds until every player has two more requests acknowledged and heard of them; it takes a move of its bot."""
    start, told = time.monotonic(), [len(player.told) for player in players]
    while not all(player.heard(before + 2) for player, before in zip(players, told, strict=True)):
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
