"""A program that plays through the API until the server is gone, and notes what was acknowledged."""

import asyncio
import random
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from endurance.support.client import Client, Gone, Listener

_LATER_SECONDS, _LOOK_SECONDS = 1.0, 0.01


@dataclass
class Player:
    """Plays both seats of one-screen games, or against a bot. A request without an answer is sent again."""

    token: str
    chance: random.Random
    kind: str = "one-screen"
    game: str = ""
    requests: int = 0
    sent: tuple[str, object, str] | None = None
    acknowledged: list[tuple[str, int, str]] = field(default_factory=list)
    """The game, the number of the event and the move of each answer."""
    listeners: list[Listener] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    put_off: int = 0
    """How often the database was busy for too long, and the server asked to try again later."""

    async def play(self, port: int) -> None:
        """Plays until the server is gone."""
        client = Client(port)
        streams = [asyncio.create_task(listener.listen(port)) for listener in self.listeners[-1:]]
        try:
            await self.play_on(client)
        except Gone:
            client.close()
        finally:
            await asyncio.gather(*streams)

    async def play_on(self, client: Client) -> None:
        """Plays one game after the other, until the client raises."""
        while True:
            self.sent = self.sent or await self._think(client)
            if self.sent is not None:
                await self._send(client, *self.sent)

    async def _think(self, client: Client) -> tuple[str, object, str] | None:
        self.requests += 1
        key = f"{self.token} {self.requests}"
        if not self.game:
            return "/api/games", {"kind": self.kind}, key
        path = f"/api/games/{self.game}"
        _status, view = await client.ask("GET", path, self.token)
        if view["status"] == "over":
            self.game = ""
            return None
        if view["status"] == "sheet":
            return f"{path}/ready", None, key
        if self.kind == "one-screen":
            _status, view = await client.ask("GET", f"{path}?seat={view['turn']}", self.token)
        if not view["legal"]:  # it is the bot's turn
            await asyncio.sleep(_LOOK_SECONDS)
            return None
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
            self.acknowledged.append((self.game, answer["number"], body["move"] if body else ""))


def players(number: int, kind: str = "one-screen") -> list[Player]:
    """Players who choose the same random moves each time."""
    return [Player(f"token-of-the-{kind}-player-{which}", random.Random(which), kind) for which in range(number)]
