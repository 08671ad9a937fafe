"""Carries messages between the processes that share a PostgreSQL database, by LISTEN and NOTIFY.

A notice is only a hint. It is sent after the commit, not with it: PostgreSQL commits only one transaction with a NOTIFY
at a time, so all games would wait for each other's flush to disk. If a process is killed in between, or a connection
drops, notices are lost. So every second or two each process checks the event numbers of recently changed games and
passes on what it has not heard of. Each process therefore hears of every event, at worst a little later.
"""

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from jaipur.server.live.messages import Message, Written, pack, unpack
from jaipur.server.tasks import BackgroundTasks
from jaipur.store import Store
from jaipur.store.postgres.postgres_engine import keep_connected
from jaipur.threads import in_thread

if TYPE_CHECKING:  # needs the package of an extra
    from psycopg import AsyncConnection

_CHANNEL = "jaipur"
_LOOK_SECONDS = 1.5
_GOODBYE_SECONDS = 2.0
_SLACK = 10_000
"""Milliseconds to allow for clocks that differ between machines and for commits that come after their time stamp."""
_AT_ONCE = 200
_MOST_WAITING = 10_000
"""The most notices that wait to be sent. While the database is away, more would only fill memory with stale ones."""
_SEND = f"SELECT pg_notify('{_CHANNEL}', notice) FROM json_array_elements_text(%s) AS notice"


class Notices:
    """Listens and sends on connections of its own, on the event loop. It does not hear what it sent itself."""

    def __init__(
        self, store: Store, clock: Callable[[], int], on_message: Callable[[Message], Awaitable[None]]
    ) -> None:
        self.store = store
        self.clock = clock
        self.on_message = on_message
        self._process = secrets.token_hex(4)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._known: dict[str, int] = {}
        self._since = clock()
        self._outbox = asyncio.Queue[str](_MOST_WAITING)
        self._unsent: list[str] = []
        """Taken from the outbox to be sent; kept for the next connection if this one turns out to be lost."""
        self._catching_up: asyncio.Future[None] | None = None
        self._tasks = BackgroundTasks()

    def start(self) -> None:
        """Starts listening: everything that happens from now on is heard."""
        self._loop = asyncio.get_running_loop()
        self._since = self.clock()
        for work in (self._listen, self._send):
            self._tasks.spawn(keep_connected(self.store.engine, work))

    async def stop(self) -> None:
        """Sends what is waiting, if the database answers, and ends."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_GOODBYE_SECONDS):
                await self._outbox.join()
        await self._tasks.stop()
        if self._catching_up is not None:  # it reads in a thread, which must not outlive the store
            await asyncio.gather(self._catching_up, return_exceptions=True)

    def tell(self, message: Message) -> None:
        """Tells the other processes soon. Called on any thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._post, message)

    def _post(self, message: Message) -> None:
        """If the outbox is full the notice is lost, just as when a connection drops."""
        if isinstance(message, Written):
            self._remember(message)
        with suppress(asyncio.QueueFull):
            self._outbox.put_nowait(f"{self._process} {pack(message)}")

    async def _send(self, connection: "AsyncConnection") -> None:
        cursor = connection.cursor()
        while True:
            self._unsent = self._unsent or [await self._outbox.get()]
            while not self._outbox.empty() and len(self._unsent) < _AT_ONCE:
                self._unsent.append(self._outbox.get_nowait())
            await cursor.execute(_SEND, [json.dumps(self._unsent)], prepare=True)
            for _sent in self._unsent:
                self._outbox.task_done()
            self._unsent = []

    async def _listen(self, connection: "AsyncConnection") -> None:
        await connection.execute(f"LISTEN {_CHANNEL}")
        while True:
            self._catching_up = asyncio.ensure_future(self._catch_up())
            await asyncio.shield(self._catching_up)
            async for notice in connection.notifies(timeout=_LOOK_SECONDS):
                process, _space, text = notice.payload.partition(" ")
                if process != self._process and (message := unpack(text)) is not None:
                    await self._hear(message)

    async def _hear(self, message: Message) -> None:
        """Passes a message on. An event counts as known only afterwards: one that could not be read comes again."""
        if not isinstance(message, Written):
            await self.on_message(message)
        elif message.number > self._known.get(message.game, -1):
            await self.on_message(message)
            self._remember(message)

    async def _catch_up(self) -> None:
        """Passes on recent events, going by their numbers. Only recently changed games need to stay remembered."""
        now = self.clock()
        lately = await in_thread(self.store.changed_since, self._since - _SLACK)
        for game, number in lately.items():
            await self._hear(Written(game, number))
        self._known = {game: number for game, number in self._known.items() if game in lately}
        self._since = now

    def _remember(self, message: Written) -> None:
        self._known[message.game] = max(message.number, self._known.get(message.game, -1))
