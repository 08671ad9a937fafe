"""A load for a running server: many games, many listeners, and a steady stream of moves."""

import asyncio
import json
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field

_OK = range(200, 300)


class Wire:
    """One connection that is kept open: just enough HTTP to ask for JSON, so that asking costs little."""

    def __init__(self, port: int, source: str = "127.0.0.1") -> None:
        self.port = port
        self.source = source
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, token: str = "", body: object = None) -> dict[str, object]:
        """The JSON answer; anything but success raises."""
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.source, 0))
        reader, writer = self._streams
        writer.write(_request(method, path, token, b"" if body is None else json.dumps(body).encode()))
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        length = next(int(line[15:]) for line in head.split("\r\n") if line.startswith("content-length:"))
        answer: dict[str, object] = json.loads(await reader.readexactly(length))
        if int(head.split()[1]) not in _OK:
            raise RuntimeError(f"{method} {path}: {answer}")
        return answer

    async def lines(self, path: str, token: str, heard: Callable[[dict[str, object]], None]) -> None:
        """Listens to a stream of events until cancelled."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(_request("GET", path, token, b""))
        await reader.readuntil(b"\r\n\r\n")
        heard({})
        try:
            while line := await reader.readline():
                if line.startswith(b"data: "):
                    heard(json.loads(line[6:]))
        finally:
            writer.close()
            await writer.wait_closed()

    async def close(self) -> None:
        """Ends the connection."""
        if self._streams is not None:
            self._streams[1].close()
            await self._streams[1].wait_closed()


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
    _kept: list[Wire] = field(default_factory=list)

    def wire(self) -> Wire:
        """A new connection, closed with the load."""
        self._wires.append(Wire(self.port))
        return self._wires[-1]

    def _lasting(self, number: int) -> list[Wire]:
        """Connections that stay open from one turn to the next."""
        self._kept += [self.wire() for _new in range(number - len(self._kept))]
        return self._kept[:number]

    async def open_games(self, number: int, told: Callable[[], None]) -> None:
        """Sets up games with two seats each."""
        wire = self.wire()
        for _game in range(number):
            first = await wire.ask("POST", "/api/games", body={"kind": "friend", "name": "A"})
            second = await wire.ask("POST", f"/api/invites/{first['invite']}", body={"name": "B"})
            self.games.append(LiveGame(str(first["game"]), (str(first["token"]), str(second["token"]))))
            told()
        await wire.close()

    async def listen(self, told: Callable[[], None]) -> None:
        """Adds two listeners to each game; every stream is open before this returns."""
        for game in self.games:
            for token in game.secrets:
                ready = asyncio.Event()
                heard = listener(self, game, ready)
                stream = Wire(self.port).lines(f"/api/games/{game.id}/events?after=1", token, heard)
                self._listeners.append(asyncio.create_task(stream))
                await ready.wait()
            told()

    async def steady(self, per_second: float, seconds: float, told: Callable[[], None]) -> None:
        """Moves at a steady rate, however long the answers take; each game has at most one move on its way."""
        free = asyncio.Queue[tuple[LiveGame, Wire]]()
        for game in self.games:
            free.put_nowait((game, self.wire()))
        start = time.perf_counter()
        running: set[asyncio.Task[None]] = set()
        for number in range(int(per_second * seconds)):
            await asyncio.sleep(max(0.0, start + number / per_second - time.perf_counter()))
            game, wire = await free.get()
            task = asyncio.create_task(self._move_then_free(game, wire, free))
            running.add(task)
            task.add_done_callback(running.discard)
            told()
        await asyncio.gather(*running)
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

        await asyncio.gather(*map(play, self._lasting(players)))
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

        await asyncio.gather(*map(post, self._lasting(clients)))
        return posts

    async def _move_then_free(self, game: LiveGame, wire: Wire, free: asyncio.Queue[tuple[LiveGame, Wire]]) -> None:
        await self.move(game, wire)
        if not game.over:
            free.put_nowait((game, wire))

    async def move(self, game: LiveGame, wire: Wire) -> None:
        """Makes a random move for the seat to move, or starts the next round."""
        view = await wire.ask("GET", f"/api/games/{game.id}", game.secrets[game.turn])
        if view["status"] == "sheet":
            for token in game.secrets:
                await wire.ask("POST", f"/api/games/{game.id}/ready", token)
            return None
        if view["status"] == "over":
            game.over = True
            return None
        if view["turn"] != game.turn:
            game.turn = int(str(view["turn"]))
            return await self.move(game, wire)
        token = game.secrets[game.turn]
        legal: list[str] = view["legal"]  # type: ignore[assignment]
        sent = game.sent[int(str(view["number"])) + 1] = time.perf_counter()
        body = {"move": random.choice(legal), "ply": view["ply"]}
        await wire.ask("POST", f"/api/games/{game.id}/moves", token, body)
        self.answers.append(1000 * (time.perf_counter() - sent))
        self.moves += 1
        game.turn = 1 - game.turn
        return None

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


def listener(load: Load, game: LiveGame, ready: asyncio.Event) -> Callable[[dict[str, object]], None]:
    """Notes when it hears of a move. A move heard twice counts once, so that it cannot make up for a lost one."""
    last = 0

    def heard(event: dict[str, object]) -> None:
        nonlocal last
        ready.set()
        if event.get("kind") == "move":  # comings and goings are told in between, without a kind
            number = int(str(event["number"]))
            if number > last:
                load.pushes.append(1000 * (time.perf_counter() - game.sent[number]))
                last = number

    return heard


async def with_bots(port: int, bots: int, moves: int) -> list[float]:
    """The answer times of a person's moves while this many bot decisions are waiting."""
    load = Load(port)
    wire = load.wire()
    for _bot in range(bots):
        await _bot_on_turn(wire)
    await load.open_games(5, lambda: None)
    while len(load.answers) < moves:
        for game in load.games:
            if not game.over:
                await load.move(game, wire)
    await load.close()
    return load.answers[:moves]


async def _bot_on_turn(wire: Wire) -> None:
    """Sets up a game in which the strongest bot has to think."""
    made = await wire.ask("POST", "/api/games", body={"kind": "bot", "level": "vizier"})
    view = await wire.ask("GET", f"/api/games/{made['game']}", str(made["token"]))
    if view["turn"] == view["seat"]:
        legal: list[str] = view["legal"]  # type: ignore[assignment]
        body = {"move": legal[0], "ply": view["ply"]}
        await wire.ask("POST", f"/api/games/{made['game']}/moves", str(made["token"]), body)


def percentile(times: list[float], share: float) -> float:
    """The time that this share of all times stays under."""
    return sorted(times)[min(int(share * len(times)), len(times) - 1)]
