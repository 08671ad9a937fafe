"""A program that plays through the API until the server is gone, and notes what was acknowledged."""

import asyncio
import random
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from endurance.support.client import Client, Gone, Listener

_LATER_SECONDS = 1.0
_TOKEN = "token-of-the-measurement-{}"


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


def players(number: int) -> list[Player]:
    """Players who choose the same random moves each time."""
    return [Player(_TOKEN.format(which), random.Random(which)) for which in range(number)]
