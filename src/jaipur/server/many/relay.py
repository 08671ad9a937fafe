"""Links a process with those that share its database.

An event written by another process reaches the streams and bot workers of this one as if it had been written here.
"""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from jaipur.server.bots.scheduler import BotWorkers
from jaipur.server.edge.client_address import asking, owner_of
from jaipur.server.live.messages import Called, Message, Present, Said, Watched, Written
from jaipur.server.live.presence import Presence
from jaipur.server.many.notices import Notices
from jaipur.server.tasks import BackgroundTasks
from jaipur.store import Event
from jaipur.table import Table, Tables
from jaipur.threads import in_thread

_REPEAT_SECONDS = 5.0
"""How often the others are reminded which bots are watched here: bots play for watchers at any process."""
_M = TypeVar("_M")


class Relay:
    """Links the tables of this process with those of the others. If the database is not shared, it does nothing."""

    def __init__(self, tables: Tables, workers: BotWorkers, presence: Presence) -> None:
        self.tables = tables
        self.hub = presence.hub
        self.workers = workers
        self.presence = presence
        self._handlers: dict[type, Callable[[Any], None]] = {}
        self.notices = Notices(tables.store, tables.clock, self._on_message) if tables.store.shared else None
        self._tasks = BackgroundTasks()
        if self.notices is not None:
            tables.listeners.append(self.on_event)
            self.hub.arrivals.append(self._arrived)
        presence.tellers.append(self.tell)
        self.on(Watched, self._on_watched)
        self.on(Present, presence.on_present)
        self.on(Called, presence.on_called)
        self.on(Said, presence.on_said)

    def on(self, kind: type[_M], handler: Callable[[_M], None]) -> None:
        """Has messages of a kind from other processes passed on. The handler is called on the event loop."""
        self._handlers[kind] = handler

    async def start(self) -> None:
        """Starts to listen and to tell."""
        if self.notices is not None:
            self.tables.freshness.loop = asyncio.get_running_loop()
            self.notices.start()
            self._tasks.spawn(self._repeat())

    async def stop(self) -> None:
        """Stops listening and telling."""
        await self._tasks.stop()
        await self.tables.freshness.close()
        if self.notices is not None:
            await self.notices.stop()

    @property
    def shared(self) -> bool:
        """Whether there may be other processes."""
        return self.notices is not None

    def tell(self, message: Message) -> None:
        """Tells the other processes, if there may be any. Called on any thread."""
        if self.notices is not None:
            self.notices.tell(message)

    def on_event(self, table: Table, event: Event | None) -> None:
        """Something was written here. The event is part of the message, so that no process has to read it."""
        game, number = table.game.id, 0 if event is None else event.number
        self.tell(Written(game, number, event, owner_of(asking.get()), self.workers.thinking.seconds(game)))

    def _arrived(self, game: str) -> None:
        """A game is watched here from now on. Called on the event loop."""
        self.tell(Watched(game, self.hub.watcher(game) or ""))

    def _on_watched(self, message: Watched) -> None:
        if self.workers.processes:
            self.hub.watched_elsewhere(message.game, message.owner)

    async def _repeat(self) -> None:
        while True:
            await asyncio.sleep(_REPEAT_SECONDS)
            for game in self.hub.listened():
                kept = self.tables.kept(game)
                if kept is None or not kept.persons:
                    self._arrived(game)
            self.presence.repeat()

    async def _on_message(self, message: Message) -> None:
        if not isinstance(message, Written):
            if type(message) in self._handlers:
                self._handlers[type(message)](message)
            return
        if message.event is None and message.number:  # it has to be read
            await in_thread(self.hub.heard, message.game, message.number)
        else:
            self.hub.heard(message.game, message.number, message.event)
        if message.seconds is not None:
            self.workers.thinking.remember(message.game, message.seconds)
        self.workers.heard(message.game, message.owner)
