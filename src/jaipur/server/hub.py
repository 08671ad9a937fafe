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
        self._ears: defaultdict[str, set[asyncio.Queue[Event | None]]] = defaultdict(set)
        tables.listeners.append(self._told)

    def _told(self, game: str, event: Event | None) -> None:
        """Called on the thread that wrote the event."""
        if event is not None and game in self._ears and self.loop is not None:
            self.loop.call_soon_threadsafe(self._pass_on, event)

    def _pass_on(self, event: Event) -> None:
        for ear in self._ears.get(event.game, ()):
            _put(ear, event)

    def close(self) -> None:
        """Ends all streams; the browsers come back when the server does."""
        for ears in self._ears.values():
            for ear in ears:
                _put(ear, None)

    async def listen(self, game: str, after: int) -> AsyncIterator[Event]:
        """All events of a game after a number: those that were missed from the store, then live ones."""
        ear: asyncio.Queue[Event | None] = asyncio.Queue(_WAITING_EVENTS)
        self._ears[game].add(ear)
        try:
            for missed in await asyncio.to_thread(self.tables.store.events, game, after):
                after = missed.number
                yield missed
            while (event := await ear.get()) is not None:
                if event.number <= after:
                    continue
                gap = event.number > after + 1
                for found in await asyncio.to_thread(self.tables.store.events, game, after) if gap else [event]:
                    after = found.number
                    yield found
        finally:
            self._ears[game].discard(ear)
            if not self._ears[game]:
                del self._ears[game]


def _put(ear: asyncio.Queue[Event | None], event: Event | None) -> None:
    """A slow listener loses the oldest event; the gap tells it to look into the store."""
    if ear.full():
        ear.get_nowait()
    ear.put_nowait(event)
