"""A client that plays through the API: requests, and listeners that write down what they are told."""

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

Answer = tuple[int, dict[str, Any]]


class Gone(Exception):
    """The server ended before it answered."""


@dataclass
class Client:
    """One connection to a server on this machine, opened when needed."""

    port: int
    _streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, token: str = "", body: object = None, key: str = "") -> Answer:
        """The status and the JSON of an answer."""
        data = b"" if body is None else json.dumps(body).encode()
        try:
            if self._streams is None:
                self._streams = await asyncio.open_connection("127.0.0.1", self.port)
            reader, writer = self._streams
            writer.write(request(method, path, token, data, key))
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            length = next(int(line[15:]) for line in head.split("\r\n") if line.startswith("content-length:"))
            answer = json.loads(await reader.readexactly(length))
            if "connection: close" in head:  # nginx does this after a thousand requests
                self.close()
            return int(head.split()[1]), answer
        except (OSError, asyncio.IncompleteReadError) as error:
            self.close()
            raise Gone from error

    def close(self) -> None:
        """Ends the connection."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


def request(method: str, path: str, token: str, body: bytes, key: str = "", close: bool = False) -> bytes:
    """A request as bytes. With `close`, the connection ends with the answer, even if that is a refusal."""
    lines = [f"{method} {path} HTTP/1.1", "host: localhost", f"content-length: {len(body)}"]
    lines += [f"authorization: Bearer {token}"] * bool(token) + [f"idempotency-key: {key}"] * bool(key)
    lines += ["content-type: application/json"] * bool(body) + ["connection: close"] * close
    return "\r\n".join([*lines, "", ""]).encode() + body


@dataclass
class Listener:
    """Hears the events of a game, across all servers, and notes their numbers in the order they came."""

    game: str
    token: str
    heard: list[int] = field(default_factory=list)

    async def listen(self, port: int) -> None:
        """Listens, starting after the last event heard, until the stream ends."""
        after = self.heard[-1] if self.heard else 0
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            return
        try:
            asked = request("GET", f"/api/games/{self.game}/events?after={after}", self.token, b"", close=True)
            writer.write(asked)
            while line := await reader.readline():
                if line.startswith(b"id: "):
                    self.heard.append(int(line[4:]))
        except OSError:
            return
        finally:
            writer.close()
