"""Who listens to which game. Listeners hear of events after they have been written.

Events that are never written, such as a player coming to the table, have the number 0 and reach only those listening.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable

from cachetools import TTLCache

from jaipur.server.edge.client_address import asking, owner_of
from jaipur.server.tasks import BackgroundTasks
from jaipur.store import Event
from jaipur.table import Table, Tables
from jaipur.threads import in_thread

_WAITING_EVENTS = 64
LOOK_SECONDS = 15.0
"""How long a look counts as watching: pages without scripts reload every few seconds."""
_LOOKS_KEPT = 1000
_PING_SECONDS = 15.0
_PINGS_AT_ONCE = 50
STILL_HERE = Event("", 0, 0, "ping", "", None, 0)
"""Keeps quiet streams open, which proxies would close."""


class Hub:
    """Hands each event to those who listen to its game, on the event loop."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.loop: asyncio.AbstractEventLoop | None = None
        self.arrivals: list[Callable[[str], None]] = []
        """Called with each game that a client starts watching."""
        self._queues: defaultdict[str, dict[asyncio.Queue[Event | None], str]] = defaultdict(dict)
        self._looks: TTLCache[str, str] = TTLCache(_LOOKS_KEPT, LOOK_SECONDS)
        self._tasks = BackgroundTasks()
        tables.listeners.append(self.on_event)

    async def start(self) -> None:
        """From now on, events are passed on."""
        self.loop = asyncio.get_running_loop()
        self._tasks.spawn(self._ping())

    async def stop(self) -> None:
        """No more pings."""
        await self._tasks.stop()

    def on_event(self, _table: Table, event: Event | None) -> None:
        """Called on the thread that wrote the event."""
        if event is not None and event.game in self._queues and self.loop is not None:
            self.loop.call_soon_threadsafe(self.pass_on, event)

    def pass_on(self, event: Event) -> None:
        """Hands an event to the listeners of its game. Called on the event loop."""
        for queue in self._queues.get(event.game, ()):
            _put(queue, event)

    def heard(self, game: str, number: int, event: Event | None = None) -> None:
        """Another process wrote an event. If the event itself did not come along, it is read once for all listeners.

        Games that nobody listens to here are ignored. Called on the event loop, or on a thread where it reads.
        """
        if number and game in self._queues and self.loop is not None:
            for written in self.tables.store.events(game, number - 1) if event is None else [event]:
                self.tables.follow(written)
                self.loop.call_soon_threadsafe(self.pass_on, written)

    def listened(self) -> list[str]:
        """The games that have listeners here."""
        return list(self._queues)

    def watcher(self, game: str) -> str | None:
        """Who watches a game, as an owner of work: the first listener, or a client that looked lately."""
        listeners = self._queues.get(game)
        return next(iter(listeners.values())) if listeners else self._looks.get(game)

    @property
    def streams(self) -> int:
        """How many streams are open."""
        return sum(len(queues) for queues in self._queues.values())

    def looked(self, game: str) -> None:
        """A client looks at a game without listening. Called on any thread."""
        if self.loop is not None:
            self.loop.call_soon_threadsafe(self._looked, game, owner_of(asking.get()))

    def _looked(self, game: str, who: str) -> None:
        self._looks[game] = who
        self._arrived(game)

    def watched_elsewhere(self, game: str, who: str) -> None:
        """A client watches through another process, which repeats this every few seconds."""
        known = self.watcher(game)
        self._looks[game] = who
        if known is None:
            self._arrived(game)

    def _arrived(self, game: str) -> None:
        for tell in self.arrivals:
            tell(game)

    def close(self) -> None:
        """Ends all streams; browsers reconnect when the server is back."""
        for queues in self._queues.values():
            for queue in queues:
                _put(queue, None)

    async def _ping(self) -> None:
        """Sends something on all quiet streams now and then, for as long as the server runs: one timer for them all."""
        while True:
            await asyncio.sleep(_PING_SECONDS)
            for number, queue in enumerate([queue for queues in self._queues.values() for queue in queues]):
                if queue.empty():
                    queue.put_nowait(STILL_HERE)
                if number % _PINGS_AT_ONCE == 0:  # lets other work go first
                    await asyncio.sleep(0)

    async def listen(self, game: str, after: int) -> AsyncGenerator[Event]:
        """All events of a game after a number: first the missed ones from the store, then live ones."""
        queue: asyncio.Queue[Event | None] = asyncio.Queue(_WAITING_EVENTS)
        self._queues[game][queue] = owner_of(asking.get())
        self._arrived(game)
        try:
            for missed in await in_thread(self.tables.store.events, game, after):
                after = missed.number
                yield missed
            while (event := await queue.get()) is not None:
                if not event.number:
                    yield event
                elif event.number > after:
                    gap = event.number > after + 1
                    for following in await in_thread(self.tables.store.events, game, after) if gap else [event]:
                        after = following.number
                        yield following
        finally:
            del self._queues[game][queue]
            if not self._queues[game]:
                del self._queues[game]


def _put(queue: asyncio.Queue[Event | None], event: Event | None) -> None:
    """A slow listener loses the oldest event; the gap in the numbers tells it to look in the store.

    Only a later number reveals the gap, so an event without a number never pushes out one that has a number.
    """
    if queue.full():
        oldest = queue.get_nowait()
        if oldest is not None and oldest.number and event is not None and not event.number:
            event = oldest
    queue.put_nowait(event)
