"""Processes that listen on one socket share the incoming connections."""

import asyncio
import errno
import socket
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from jaipur.server.edge import acceptor
from jaipur.server.edge.acceptor import Acceptor
from tests.support.program import PATIENCE


@pytest.fixture(name="listening")
def _listening() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0), backlog=64) as listening:
        yield listening


class Greeting(asyncio.Protocol):
    """Counts connections."""

    def __init__(self, came: Callable[[], None]) -> None:
        self.came = came

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.came()
        transport.close()


async def visit(listening: socket.socket, visitors: int) -> None:
    """Opens all connections before any is accepted, and keeps each open until it is."""
    clients = [socket.create_connection(listening.getsockname()) for _visitor in range(visitors)]
    async with asyncio.timeout(PATIENCE):
        for client in clients:
            client.setblocking(False)
            assert await asyncio.get_running_loop().sock_recv(client, 1) == b""
            client.close()


def test_those_who_come_at_once_are_shared(listening: socket.socket) -> None:
    came = Counter[str]()

    async def scene() -> None:
        doors = [
            Acceptor(listening.dup(), lambda name=name: Greeting(lambda: came.update([name])))  # type: ignore[misc]
            for name in ("first", "second")
        ]
        await visit(listening, 32)
        for door in doors:
            door.close()
            door.listening.close()

    asyncio.run(scene())
    assert came == {"first": 16, "second": 16}


def test_with_too_many_open_files_they_wait(listening: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acceptor, "_PAUSE_SECONDS", 0.05)
    came = Counter[str]()

    class Full(socket.socket):
        tries = 0

        def accept(self) -> tuple[socket.socket, object]:
            Full.tries += 1
            if Full.tries == 1:
                raise OSError(errno.EMFILE, "Too many open files")
            return super().accept()

    async def scene() -> None:
        with Full(fileno=listening.dup().detach()) as full:
            door = Acceptor(full, lambda: Greeting(lambda: came.update(["here"])))
            await visit(listening, 3)
            door.close()

    asyncio.run(scene())
    assert came["here"] == 3
