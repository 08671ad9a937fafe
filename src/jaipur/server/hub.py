"""Who listens to which game. Events are told to listeners after they were written."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator

from jaipur.store import Event
from jaipur.table import Tables

_WAITING_EVENTS = 64


class Hub:
    """Hands each event to those who listen to its game, on the event loop."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.loop: asyncio.AbstractEventLoop | None = None
        self._ears: defaultdict[str, set[asyncio.Queue[Event]]] = defaultdict(set)
        tables.listeners.append(self._told)

    def _told(self, game: str, event: Event | None) -> None:
        """Called on the thread that wrote the event."""
        if event is not None and game in self._ears and self.loop is not None:
            self.loop.call_soon_threadsafe(self._pass_on, event)

    def _pass_on(self, event: Event) -> None:
        for ear in self._ears.get(event.game, ()):
            if not ear.full():
                ear.put_nowait(event)

    async def listen(self, game: str, after: int) -> AsyncIterator[Event]:
        """All events of a game after a number: those that were missed from the store, then live ones."""
        ear: asyncio.Queue[Event] = asyncio.Queue(_WAITING_EVENTS)
        self._ears[game].add(ear)
        try:
            for event in await asyncio.to_thread(self.tables.store.events, game, after):
                after = event.number
                yield event
            while True:
                event = await ear.get()
                if event.number <= after:
                    continue
                missed = event.number > after + 1
                for found in await asyncio.to_thread(self.tables.store.events, game, after) if missed else [event]:
                    after = found.number
                    yield found
        finally:
            self._ears[game].discard(ear)
            if not self._ears[game]:
                del self._ears[game]
