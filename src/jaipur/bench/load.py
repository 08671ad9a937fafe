"""A load for a running server: many games, many listeners, and a steady stream of moves."""

import asyncio
import json
import random
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any


class Wire:
    """One connection that is kept open: just enough HTTP to ask for JSON, so that asking costs little."""

    def __init__(self, port: int, source: str = "127.0.0.1") -> None:
        self.port = port
        self.source = source
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, token: str = "", body: object = None) -> dict[str, Any]:
        """The JSON answer; anything but success raises. Opens the connection again if it was closed in a pause."""
        request = _request(method, path, token, b"" if body is None else json.dumps(body).encode())
        try:
            reader, head = await self._send(request)
        except (asyncio.IncompleteReadError, ConnectionError):
            await self.close()
            reader, head = await self._send(request)
        length = next(int(line[15:]) for line in head.split("\r\n") if line.startswith("content-length:"))
        answer: dict[str, Any] = json.loads(await reader.readexactly(length))
        if not head.split()[1].startswith("2"):
            raise RuntimeError(f"{method} {path}: {answer}")
        return answer

    async def _send(self, request: bytes) -> tuple[asyncio.StreamReader, str]:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.source, 0))
        reader, writer = self._streams
        writer.write(request)
        return reader, (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()

    async def lines(self, path: str, token: str, hear: Callable[[dict[str, Any]], None]) -> None:
        """Listens to a stream of events until cancelled."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(_request("GET", path, token, b""))
        await reader.readuntil(b"\r\n\r\n")
        hear({})
        try:
            while line := await reader.readline():
                if line.startswith(b"data: "):
                    hear(json.loads(line[6:]))
        finally:
            writer.close()
            await writer.wait_closed()

    async def close(self) -> None:
        """Ends the connection."""
        if self._streams is not None:
            self._streams[1].close()
            with suppress(ConnectionError):
                await self._streams[1].wait_closed()
            self._streams = None


def _request(method: str, path: str, token: str, body: bytes) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "host: localhost", f"content-length: {len(body)}"]
    lines += [f"authorization: Bearer {token}"] * bool(token) + ["content-type: application/json"] * bool(body)
    return "\r\n".join([*lines, "", ""]).encode() + body


@dataclass
class LiveGame:
    """A game between two programs that both listen."""

    id: str
    secrets: tuple[str, str]
    turn: int = 0
    sent: dict[int, float] = field(default_factory=dict)
    over: bool = False


@dataclass
class Load:
    """Games and what was measured in them. Times are in milliseconds."""

    port: int
    games: list[LiveGame] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    pushes: list[float] = field(default_factory=list)
    moves: int = 0
    _listeners: list[asyncio.Task[None]] = field(default_factory=list)
    _wires: list[Wire] = field(default_factory=list)

    def wires(self, number: int) -> list[Wire]:
        """This many connections, which stay open until the load is closed."""
        self._wires += [Wire(self.port) for _new in range(number - len(self._wires))]
        return self._wires[:number]

    async def open_games(self, numbers: Iterable[int]) -> None:
        """Sets up a game with two seats for each number."""
        wire = Wire(self.port)
        for _number in numbers:
            first = await wire.ask("POST", "/api/games", body={"kind": "friend", "name": "A"})
            second = await wire.ask("POST", f"/api/invites/{first['invite']}", body={"name": "B"})
            self.games.append(LiveGame(first["game"], (first["token"], second["token"])))
        await wire.close()

    async def listen(self, games: Iterable[LiveGame], after: int = 1) -> None:
        """Adds two listeners to each game; every stream is open before this returns."""
        for game in games:
            for token in game.secrets:
                ready = asyncio.Event()
                path = f"/api/games/{game.id}/events?after={after}"
                stream = Wire(self.port).lines(path, token, listener(self, game, ready))
                self._listeners.append(asyncio.create_task(stream))
                await ready.wait()

    async def steady(self, per_second: float, numbers: Iterable[int]) -> None:
        """A move for each number, at a steady rate however long answers take; at most one per game is on its way."""
        free = asyncio.Queue[tuple[LiveGame, Wire]]()
        for place in zip(self.games, self.wires(len(self.games)), strict=True):
            free.put_nowait(place)

        async def move(game: LiveGame, wire: Wire) -> None:
            await self.move(game, wire)
            if not game.over:
                free.put_nowait((game, wire))

        start = time.perf_counter()
        async with asyncio.TaskGroup() as running:
            for number in numbers:
                await asyncio.sleep(max(0.0, start + number / per_second - time.perf_counter()))
                running.create_task(move(*await free.get()))
        await self.settle()

    async def flat_out(self, players: int, seconds: float) -> float:
        """Moves per second when each player moves again as soon as it can, and goes on to another game after each."""
        start, before = time.perf_counter(), self.moves
        waiting = iter([game for game in self.games if not game.over])

        async def play(wire: Wire) -> None:
            for game in waiting:
                while not game.over:
                    if time.perf_counter() >= start + seconds:
                        return
                    await self.move(game, wire)

        await asyncio.gather(*map(play, self.wires(players)))
        elapsed = time.perf_counter() - start
        await self.settle()
        return (self.moves - before) / elapsed

    async def post_bare(self, clients: int, seconds: float) -> int:
        """How many moves a server takes that only reads them (`jaipur.bench.bare`)."""
        end, posts = time.perf_counter() + seconds, 0

        async def post(wire: Wire) -> None:
            nonlocal posts
            while time.perf_counter() < end:
                await wire.ask("POST", "/moves", body={"move": "+DG-LM", "ply": posts})
                posts += 1

        await asyncio.gather(*map(post, self.wires(clients)))
        return posts

    async def move(self, game: LiveGame, wire: Wire) -> None:
        """Makes a random move for the seat to move, or starts the next round."""
        view = await wire.ask("GET", f"/api/games/{game.id}", game.secrets[game.turn])
        if view["status"] == "sheet":
            for token in game.secrets:
                await wire.ask("POST", f"/api/games/{game.id}/ready", token)
        elif view["status"] == "over":
            game.over = True
        elif view["turn"] != game.turn:
            game.turn = view["turn"]
            await self.move(game, wire)
        else:
            sent = game.sent[view["number"] + 1] = time.perf_counter()
            body = {"move": random.choice(view["legal"]), "ply": view["ply"]}
            await wire.ask("POST", f"/api/games/{game.id}/moves", game.secrets[game.turn], body)
            self.answers.append(1000 * (time.perf_counter() - sent))
            self.moves += 1
            game.turn = 1 - game.turn

    async def settle(self) -> None:
        """Waits for the last pushes."""
        deadline = time.perf_counter() + 10
        while time.perf_counter() < deadline and len(self.pushes) < 2 * self.moves:
            await asyncio.sleep(0.05)

    async def close(self) -> None:
        """Ends all connections. If a listener ended early, raises its error: what it did not hear counts as lost."""
        for wire in self._wires:
            await wire.close()
        for task in self._listeners:
            task.cancel()
        for end in await asyncio.gather(*self._listeners, return_exceptions=True):
            if end is not None and not isinstance(end, asyncio.CancelledError):
                raise end


def listener(load: Load, game: LiveGame, ready: asyncio.Event) -> Callable[[dict[str, Any]], None]:
    """Notes when it hears of a move. A move heard twice counts once, so that it cannot make up for a lost one."""
    last = 0

    def hear(event: dict[str, Any]) -> None:
        nonlocal last
        ready.set()
        if event.get("kind") == "move" and event["number"] > last:  # comings and goings have no kind
            last = event["number"]
            load.pushes.append(1000 * (time.perf_counter() - game.sent[last]))

    return hear


async def with_bots(port: int, bots: int, moves: int) -> list[float]:
    """The answer times of a person's moves while the strongest bot has to think in this many games."""
    load = Load(port)
    (wire,) = load.wires(1)
    for _bot in range(bots):
        made = await wire.ask("POST", "/api/games", body={"kind": "bot", "level": "vizier"})
        path, token = f"/api/games/{made['game']}", made["token"]
        view = await wire.ask("GET", path, token)
        if view["turn"] == view["seat"]:
            await wire.ask("POST", f"{path}/moves", token, {"move": view["legal"][0], "ply": view["ply"]})
    await load.open_games(range(5))
    while len(load.answers) < moves:
        for game in load.games:
            if not game.over:
                await load.move(game, wire)
    await load.close()
    return load.answers[:moves]


def percentile(times: list[float], share: float) -> float:
    """The time that this share of all times stays under."""
    return sorted(times)[min(int(share * len(times)), len(times) - 1)]
