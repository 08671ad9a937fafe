"""Carries events between the processes that share a database.

An event written by another process reaches the streams and bot workers of this one as if it had been written here.
"""

import asyncio
import json
from collections.abc import Callable

from jaipur.server.bots.scheduler import BotWorkers
from jaipur.server.edge.client_address import asking, owner_of
from jaipur.server.live.hub import Hub
from jaipur.server.live.presence import Place, Presence
from jaipur.server.tasks import BackgroundTasks
from jaipur.store import Event
from jaipur.store.postgres.notices import Notice, NoticeKind, Notices
from jaipur.table import Table, Tables

_REPEAT_SECONDS = 5.0
"""How often the others are reminded which bots are watched here: bots play for watchers at any process."""


class Relay:
    """Links the tables of this process with those of the others. If the database is not shared, it does nothing."""

    def __init__(self, tables: Tables, hub: Hub, workers: BotWorkers, presence: Presence | None = None) -> None:
        self.tables = tables
        self.hub = hub
        self.workers = workers
        self.presence = presence
        self.hearers: dict[NoticeKind, Callable[[Notice], None]] = {}
        """Other receivers of notices, by kind. Called on the event loop."""
        self.notices = Notices(tables.store, tables.clock, self._heard) if tables.store.shared else None
        self._tasks = BackgroundTasks()
        if self.notices is not None:
            tables.listeners.append(self.on_event)
            hub.arrivals.append(self._arrived)
            if presence is not None:
                presence.tellers.append(self._said)

    async def start(self) -> None:
        """Starts to listen and to tell."""
        if self.notices is not None:
            self.tables.freshness.loop = asyncio.get_running_loop()
            await asyncio.to_thread(self.notices.start)
            self._tasks.spawn(self._repeat())

    async def stop(self) -> None:
        """Stops listening and telling."""
        await self._tasks.stop()
        await self.tables.freshness.close()
        if self.notices is not None:
            await asyncio.to_thread(self.notices.stop)

    @property
    def shared(self) -> bool:
        """Whether there may be other processes."""
        return self.notices is not None

    def tell(self, notice: Notice) -> None:
        """Tells the other processes, if there may be any."""
        if self.notices is not None:
            self.notices.tell(notice)

    def _said(self, place: Place, kind: str, text: str) -> None:
        """Somebody came, left or said something here. Called on the event loop."""
        self.tell(Notice(NoticeKind(kind), *place, text))

    def on_event(self, table: Table, event: Event | None) -> None:
        """Something was written here. The event is part of the notice, so that nobody has to read it."""
        wish = f"{owner_of(asking.get())}:{self.workers.thinking.seconds(table.game.id)}"
        number, told = (0, "") if event is None else (event.number, _packed(event))
        self.tell(Notice(NoticeKind.EVENT, table.game.id, number, f"{wish} {told}"))

    def _arrived(self, game: str) -> None:
        """Somebody starts watching here. Called on the event loop."""
        self.tell(Notice(NoticeKind.WATCHED, game, 0, self.hub.watcher(game) or ""))

    async def _repeat(self) -> None:
        while True:
            await asyncio.sleep(_REPEAT_SECONDS)
            for game in self.hub.listened():
                if not self.tables.known_with_people(game):
                    self._arrived(game)
            if self.presence is not None:
                self.presence.repeat()

    def _heard(self, notice: Notice) -> None:
        """A notice has arrived. Called on the thread of the notices."""
        loop = self.hub.loop
        if loop is None or loop.is_closed():
            return
        if notice.kind is NoticeKind.EVENT:
            wish, _space, told = notice.word.partition(" ")
            self.hub.heard(notice.game, notice.number, _unpacked(notice.game, told) if told else None)
            owner, _colon, seconds = wish.partition(":")
            if seconds:
                self.workers.thinking.remember(notice.game, float(seconds))
            self.workers.heard(notice.game, owner)
        elif notice.kind is NoticeKind.WATCHED:
            if self.workers.processes:
                loop.call_soon_threadsafe(self.hub.watched_elsewhere, notice.game, notice.word)
        elif notice.kind in self.hearers:
            loop.call_soon_threadsafe(self.hearers[notice.kind], notice)
        elif self.presence is not None:
            loop.call_soon_threadsafe(self.presence.heard, (notice.game, notice.number), notice.kind, notice.word)


def _packed(event: Event) -> str:
    """An event as text for a notice, which already names the game."""
    return json.dumps((event.number, event.seat, event.kind, event.text, event.key, event.at))


def _unpacked(game: str, told: str) -> Event:
    return Event(game, *json.loads(told))
