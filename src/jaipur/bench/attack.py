"""Attacks on a server of our own on this machine: what they cost it, and what an innocent client notices.

Everything is bounded in count and time, and goes to loopback only.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from jaipur.bench.load import Wire

_HEAD = b"GET / HTTP/1.1\r\nhost: localhost\r\n"
_PIECE = 65_536
_SLOW, _IDLE, _MATCHES = 400, 300, 60
_ELSEWHERE = "127.0.0.2"
"""Another address of this machine, for those who do nothing wrong."""
_ASK_SECONDS = 0.05
_MOST_SECONDS = 60.0
"""No single attack lasts longer, whatever the server does."""


@dataclass
class Innocent:
    """Somebody who just reads the rules, again and again. Times are in milliseconds."""

    port: int
    waits: list[float] = field(default_factory=list)

    @asynccontextmanager
    async def asking(self) -> AsyncIterator[None]:
        """Asks for as long as the block lasts."""
        task = asyncio.create_task(self._ask())
        yield
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task

    async def _ask(self) -> None:
        wire = Wire(self.port, _ELSEWHERE)
        try:
            while True:
                began = time.perf_counter()
                await wire.ask("GET", "/api/openapi.json")
                self.waits.append(1000 * (time.perf_counter() - began))
                await asyncio.sleep(_ASK_SECONDS)
        finally:
            await wire.close()


def memory_mb(pid: int) -> float:
    """What a process holds in memory."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


async def send_without_end(port: int, piece: bytes, megabytes: int) -> int:
    """Sends the head of a request and then one piece again and again; says how many bytes were taken."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    taken = 0
    with contextlib.suppress(OSError):
        writer.write(_HEAD)
        while taken < megabytes * 1_000_000 and not (reader.at_eof() or writer.is_closing()):
            writer.write(piece)
            await writer.drain()
            taken += len(piece)
    writer.close()
    with contextlib.suppress(OSError):
        await writer.wait_closed()
    return taken


async def hold(port: int, connections: int, first: bytes, drip: bytes, seconds: float) -> None:
    """Opens connections and says nothing, or a byte now and then, until the server has cut them all."""

    async def one() -> None:
        with contextlib.suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(first)
            while not (reader.at_eof() or writer.is_closing()):
                writer.write(drip)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(reader.read(1000), 0.5)
            writer.close()
            await writer.wait_closed()

    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(asyncio.gather(*(one() for _ in range(connections))), seconds)


def _flood(piece: bytes, megabytes: int) -> Callable[[int], Awaitable[object]]:
    return lambda port: send_without_end(port, piece * (_PIECE // len(piece)), megabytes)


ATTACKS: dict[str, Callable[[int], Awaitable[object]]] = {
    "long_lines": lambda port: send_without_end(port, b"X-A: " + b"a" * 60_000 + b"\r\n", 300),
    "many_lines": _flood(b"a:b\r\n", 20),
    "one_line": _flood(b"a", 100),
    "requests_ahead": _flood(b"\r\n" + _HEAD, 20),
    "slow": lambda port: hold(port, _SLOW, _HEAD, b"a", _MOST_SECONDS),
    "idle": lambda port: hold(port, _IDLE, b"", b"", _MOST_SECONDS),
}


async def attack(port: int, pid: int, names: list[str]) -> dict[str, object]:
    """Memory above idle, in MB at its highest, and the longest wait of an innocent client, for each attack."""
    wire = Wire(port)
    await wire.ask("GET", "/api/openapi.json")  # whatever is made once is made now
    await wire.close()
    figures: dict[str, object] = {"server_mb": memory_mb(pid)}
    for name in names:
        before, highest = memory_mb(pid), 0.0
        innocent = Innocent(port)
        async with innocent.asking():
            attacking = asyncio.ensure_future(ATTACKS[name](port))
            while not attacking.done():
                highest = max(highest, memory_mb(pid) - before)
                await asyncio.wait([attacking], timeout=0.1)
            await asyncio.sleep(2 * _ASK_SECONDS)
        figures |= {f"{name}_mb": highest, f"{name}_worst_ms": max(innocent.waits)}
    return figures


async def matches_for_nobody(port: int, matches: int, answers: int) -> list[float]:
    """Seconds in which a person's trader answers, while matches of viziers go on and somebody listens to each."""
    wire, person = Wire(port), Wire(port, _ELSEWHERE)
    listeners = []
    for _match in range(matches):
        made = await wire.ask("POST", "/api/games", body={"kind": "watch", "level": "vizier", "level2": "vizier"})
        stream = Wire(port).lines(f"/api/games/{made['game']}/events", str(made["token"]), lambda _event: None)
        listeners.append(asyncio.create_task(stream))
    try:
        return await _answers(person, answers)
    finally:
        await wire.close()
        await person.close()
        for listener in listeners:
            listener.cancel()
        await asyncio.gather(*listeners, return_exceptions=True)


async def _answers(wire: Wire, number: int) -> list[float]:
    made = await wire.ask("POST", "/api/games", body={"kind": "bot", "level": "trader"})
    game, token = f"/api/games/{made['game']}", str(made["token"])
    waits: list[float] = []
    began = time.perf_counter()
    while len(waits) < number:
        view = await wire.ask("GET", game, token)
        if view["status"] == "sheet":
            await wire.ask("POST", f"{game}/ready", token)
        elif view["status"] == "over":
            break
        elif view["turn"] == view["seat"]:
            waits.append(time.perf_counter() - began)
            legal: list[str] = view["legal"]  # type: ignore[assignment]
            await wire.ask("POST", f"{game}/moves", token, {"move": legal[0], "ply": view["ply"]})
            began = time.perf_counter()
        await asyncio.sleep(_ASK_SECONDS)
    return waits[1:]


async def measure_attacks(port: int, pid: int) -> dict[str, object]:
    """All attacks, one after the other."""
    figures = await attack(port, pid, list(ATTACKS))
    waits = await matches_for_nobody(port, _MATCHES, 21)
    return figures | {"matches": _MATCHES, "trader_answers": len(waits), "trader_worst_s": max(waits)}
