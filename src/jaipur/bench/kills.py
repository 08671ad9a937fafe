"""A server is killed over and over while programs play: nothing acknowledged may be lost or happen twice."""

import asyncio
import random
import tempfile
import time
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from jaipur.bench.client import Client, Gone, Listener, set_up_twice
from jaipur.bench.own_server import OwnServer, has_postgres, own_postgres
from jaipur.extras import load
from jaipur.language import _

_KILLS = 1000
_PLAYERS = 4
_MOST_TOLD = 20
"""A server lives until it has acknowledged some number of requests below this, or for a few seconds."""
_LONGEST_LIFE = 5.0
_LATER_SECONDS = 1.0
_TOKEN = "token-of-the-measurement-{}"


def measure(seconds: float) -> dict[str, object]:
    """A thousand kills, or as many as there is time for; half of them on PostgreSQL, if there is one."""
    load("jaipur.server.app", "web")
    parts = 1 + has_postgres()
    with tempfile.TemporaryDirectory() as folder:
        figures = run(str(Path(folder) / "games.sqlite3"), _KILLS // parts, seconds / parts)
    if parts > 1:
        with own_postgres() as address:
            shared = run(address, _KILLS // parts, seconds / parts)
        figures |= {f"postgres_{name}": figure for name, figure in shared.items()}
    return figures


def run(database: str, kills: int, seconds: float) -> dict[str, object]:
    """Kills a server on this database this many times."""
    return asyncio.run(_measure(database, kills, seconds))


@dataclass
class Player:
    """Plays both seats of one-screen games, one game after the other. A request without an answer is sent again."""

    token: str
    chance: random.Random
    game: str = ""
    asked: int = 0
    sent: tuple[str, object, str] | None = None
    told: list[tuple[str, int, str]] = field(default_factory=list)
    listeners: list[Listener] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    put_off: int = 0
    """How often the database was busy for too long, and the server asked to try again later."""

    async def play(self, port: int) -> None:
        """Plays until the server is gone."""
        client = Client(port)
        streams = [asyncio.create_task(listener.listen(port)) for listener in self.listeners[-1:]]
        try:
            while True:
                self.sent = self.sent or await self._think(client)
                if self.sent is not None:
                    await self._send(client, *self.sent)
        except Gone:
            client.close()
        finally:
            await asyncio.gather(*streams)

    async def _think(self, client: Client) -> tuple[str, object, str] | None:
        self.asked += 1
        key = f"{self.token} {self.asked}"
        if not self.game:
            return "/api/games", {"kind": "one-screen"}, key
        path = f"/api/games/{self.game}"
        _status, table = await client.ask("GET", path, self.token)
        if table["status"] == "over":
            self.game = ""
            return None
        if table["status"] == "sheet":
            return f"{path}/ready", None, key
        _status, view = await client.ask("GET", f"{path}?seat={table['turn']}", self.token)
        return f"{path}/moves", {"move": self.chance.choice(view["legal"]), "ply": view["ply"]}, key

    async def _send(self, client: Client, path: str, body: Any, key: str) -> None:
        status, answer = await client.ask("POST", path, self.token, body, key)
        if status == HTTPStatus.SERVICE_UNAVAILABLE:  # nothing was written: the same request is sent again
            self.put_off += 1
            await asyncio.sleep(_LATER_SECONDS)
            return
        self.sent = None
        if status not in {200, 201}:
            self.wrong.append(f"{path}: {status}")
        elif path == "/api/games":
            self.game = answer["game"]
            self.listeners.append(Listener(self.game, self.token))
        else:
            self.told.append((self.game, answer["number"], body["move"] if body else ""))


async def _measure(database: str, kills: int, seconds: float) -> dict[str, object]:
    players = [Player(_TOKEN.format(number), random.Random(number)) for number in range(_PLAYERS)]
    chance, end, done = random.Random(0), time.monotonic() + seconds, 0
    own_server = OwnServer(database)
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task(_("kills"), total=kills)
        while done < kills and time.monotonic() < end:
            await asyncio.to_thread(own_server.start)
            playing = asyncio.gather(*(player.play(own_server.port) for player in players))
            await _live(players, chance)
            await asyncio.to_thread(own_server.kill)
            await playing
            done += 1
            progress.advance(task)
    return {"kills": done, **await _verdict(own_server, players)}


async def _live(players: list[Player], chance: random.Random) -> None:
    enough = sum(len(player.told) for player in players) + chance.randrange(_MOST_TOLD)
    end = time.monotonic() + _LONGEST_LIFE
    while time.monotonic() < end and sum(len(player.told) for player in players) < enough:
        await asyncio.sleep(0.005)
    await asyncio.sleep(chance.uniform(0, 0.02))


async def _verdict(own_server: OwnServer, players: list[Player]) -> dict[str, object]:
    """How much of what players were told is in the database, and whether each stream was complete."""
    with own_server:
        streams = [listener for player in players for listener in player.listeners]
        late = [asyncio.create_task(listener.listen(own_server.port)) for listener in streams]
        await asyncio.sleep(2)
        await asyncio.to_thread(own_server.end)
        await asyncio.gather(*late)
    store = load("jaipur.table.operator", "web").open_tables(own_server.database).store
    written, made = {listener.game: store.events(listener.game) for listener in streams}, len(store.game_ids())
    store.close()
    keys = [event.key for events in written.values() for event in events if event.key]
    told = [told for player in players for told in player.told]
    kept = [written[game][number - 1].text == move for game, number, move in told if number <= len(written[game])]
    return {
        "games": len(written),
        "events": sum(map(len, written.values())),
        "acknowledged": len(told),
        "acknowledged_and_lost": len(told) - sum(kept),
        "written_twice": len(keys) - len(set(keys)),
        "set_up_twice": set_up_twice(made, len(written), [player.game for player in players]),
        "streams_not_once_in_order": sum(
            listener.heard != list(range(1, len(written[listener.game]) + 1)) for listener in streams
        ),
        "put_off": sum(player.put_off for player in players),
        "refused": sum(len(player.wrong) for player in players),
    }
