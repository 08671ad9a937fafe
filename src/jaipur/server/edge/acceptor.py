"""Accepts connections from a socket that several processes share: one per turn of the event loop.

The loop's own server accepts everything that is waiting at once, so of 32 browsers that connect together, one process
may get 30. Here idle processes get their share, because a busy one comes back to the socket later.
"""

import asyncio
import socket
from collections.abc import Callable

_PAUSE_SECONDS = 1.0
"""How long nothing is accepted after an error such as too many open files; new connections stay in the queue."""


class Acceptor:
    """Takes the place of an `asyncio.Server`: has the methods that uvicorn needs to close one."""

    def __init__(self, listening: socket.socket, make_protocol: Callable[[], asyncio.Protocol]) -> None:
        self.listening = listening
        self.make_protocol = make_protocol
        self.loop = asyncio.get_running_loop()
        self._open = True
        self._welcomes = set[asyncio.Task[object]]()
        listening.setblocking(False)
        self._watch()

    def _watch(self) -> None:
        if self._open:
            self.loop.add_reader(self.listening.fileno(), self._accept)

    def _accept(self) -> None:
        try:
            connection = self.listening.accept()[0]
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):  # another process was quicker
            return
        except OSError:
            self.loop.remove_reader(self.listening.fileno())
            self.loop.call_later(_PAUSE_SECONDS, self._watch)
            return
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        welcome = self.loop.create_task(self._welcome(connection))
        self._welcomes.add(welcome)
        welcome.add_done_callback(self._welcomes.discard)

    async def _welcome(self, connection: socket.socket) -> None:
        try:
            await self.loop.connect_accepted_socket(self.make_protocol, connection)
        except OSError:  # the client has gone already
            connection.close()

    def close(self) -> None:
        """Accepts no more connections."""
        if self._open:
            self._open = False
            self.loop.remove_reader(self.listening.fileno())

    async def wait_closed(self) -> None:
        """Nothing is left to wait for: uvicorn waits for the connections themselves."""
