"""Several programs race for each ply of a match: one must win, and the whole history must fit one log."""

import asyncio
import random
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from endurance.history import Asked, faults
from endurance.support.client import Client
from endurance.support.servers import OwnServer, several
from jaipur.bench.own_postgres import own_postgres
from jaipur.table.past.operator import open_tables

_PLIES = 10_000
_RACERS = 3
_GAMES = 4
_SERVERS = 3
_TOKEN = "token-of-the-measurement-1"


def measure(seconds: float) -> dict[str, object]:
    """Ten thousand plies, or as many as there is time for; half of them with three servers on PostgreSQL."""
    with tempfile.TemporaryDirectory() as folder, OwnServer(str(Path(folder) / "games.sqlite3")) as own_server:
        figures = run(own_server.port, own_server.database, _PLIES // 2, seconds / 2)
    with own_postgres() as postgres:
        address = postgres.address(postgres.new_database())
        with several(address, _SERVERS) as port:
            shared = run(port, address, _PLIES // 2, seconds / 2)
    return figures | {f"several_{name}": figure for name, figure in shared.items()}


def run(port: int, database: str, plies: int, seconds: float) -> dict[str, object]:
    """Races for this many plies on this port, and compares the answers with what the database holds."""
    return _verdict(database, asyncio.run(_race(port, plies, seconds)))


@dataclass
class Course:
    """One-screen games, one after the other, with several connections that ask at the same time."""

    port: int
    chance: random.Random
    end: float
    plies: int
    on_race: Callable[[], None]
    history: dict[str, list[Asked]] = field(default_factory=dict)
    races: int = 0
    won: list[int] = field(default_factory=list)

    async def run(self) -> None:
        """Races until there are enough plies or no time is left."""
        clients, game = [Client(self.port) for _ in range(_RACERS + 1)], ""
        try:
            while self.races < self.plies and time.monotonic() < self.end:
                game = await self._step(clients, game)
        finally:
            for client in clients:
                client.close()

    async def _step(self, clients: list[Client], game: str) -> str:
        """Sets up a game if there is none, else races for its next ply; returns the game, or "" once it is over."""
        if not game:
            game = str((await clients[0].ask("POST", "/api/games", _TOKEN, {"kind": "one-screen"}))[1]["game"])
            self.history[game] = []
            return game
        view = await self._look(clients[0], game)
        if view["status"] != "playing":  # one round is enough: between rounds, events are not moves
            return ""
        view = await self._look(clients[0], game, f"?seat={view['turn']}")
        if view["legal"]:  # a server that lags behind would have none; the history shows it
            await self._race(clients, game, view)
        return game

    async def _race(self, clients: list[Client], game: str, view: dict[str, Any]) -> None:
        """All racers move at once; one more client looks meanwhile."""
        moves = [self.chance.choice(view["legal"]) for _ in range(_RACERS)]
        racers = zip(clients[1:], moves, strict=True)
        looking = asyncio.create_task(self._look(clients[0], game))
        asked = await asyncio.gather(*(self._move(client, game, view["ply"], move) for client, move in racers))
        await looking
        self.won.append(sum(asked))
        self.races += 1
        self.on_race()

    async def _move(self, client: Client, game: str, ply: int, move: str) -> bool:
        """Makes a move; returns whether it was accepted."""
        await asyncio.sleep(self.chance.uniform(0, 0.002))
        sent = time.monotonic()
        status, answer = await client.ask("POST", f"/api/games/{game}/moves", _TOKEN, {"move": move, "ply": ply})
        number = answer["number"] if status == HTTPStatus.OK else 0
        self.history[game].append(Asked(sent, time.monotonic(), ply, move, number))
        return bool(number)

    async def _look(self, client: Client, game: str, seat: str = "") -> dict[str, Any]:
        sent = time.monotonic()
        view = (await client.ask("GET", f"/api/games/{game}{seat}", _TOKEN))[1]
        log = tuple(played["move"] for played in view["log"])
        self.history[game].append(Asked(sent, time.monotonic(), view["ply"], "", view["number"], log))
        return view


async def _race(port: int, plies: int, seconds: float) -> list[Course]:
    end = time.monotonic() + seconds
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task("moves", total=plies)
        courses = [
            Course(port, random.Random(n), end, plies // _GAMES, lambda: progress.advance(task)) for n in range(_GAMES)
        ]
        await asyncio.gather(*(course.run() for course in courses))
    return courses


def _verdict(database: str, courses: list[Course]) -> dict[str, object]:
    """Whether what was written explains everything that clients were told."""
    store = open_tables(database).store
    found: list[str] = []
    for course in courses:
        for game, history in course.history.items():
            moves = [event.text for event in store.events(game) if event.kind == "move"]
            found += faults(history, moves, row.seed if (row := store.game(game)) else "")
    store.close()
    return {
        "plies": sum(course.races for course in courses),
        "requests": sum(len(history) for course in courses for history in course.history.values()),
        "plies_without_one_winner": sum(won != 1 for course in courses for won in course.won),
        "faults_of_the_history": len(found),
        "first_faults": "; ".join(found[:3]),
    }
