"""Notifies people whose page is closed: at most once per turn, question or score sheet, and never naming a card."""

import asyncio
import hashlib
import json
import logging
from dataclasses import dataclass, replace

from jaipur.language import current_language, use_language
from jaipur.rules.errors import N_, JaipurError
from jaipur.server.live.presence import Place, Presence
from jaipur.server.live.signals import signal
from jaipur.server.people.push.delivery import BadEndpoint, Delivery
from jaipur.server.people.push.encryption import base64url, encrypted, read_browser
from jaipur.server.people.push.keys import Keys
from jaipur.server.tasks import BackgroundTasks
from jaipur.store import Event
from jaipur.store.subscriptions import Subscription, Subscriptions
from jaipur.table import GameKind, Seen, Table, Tables, see
from jaipur.table.events import EventKind
from jaipur.threads import in_thread

_log = logging.getLogger(__name__)
_CALLING = frozenset({EventKind.JOIN, EventKind.MOVE, EventKind.UNDO, EventKind.REDO, EventKind.ASK, EventKind.READY})
"""What one seat may do that makes the game wait for the other."""
_WORKERS = 4
_MOST_WAITING = 1000
_TTL_SECONDS = 24 * 3600
_RENEWED_MS = 24 * 3600 * 1000
_TOPIC_BYTES = 24
_GONE = frozenset({404, 410})
_REFUSED = 300


@dataclass(frozen=True)
class Call:
    """Why a seat is called, in the same words in every language, and what each of its browsers is sent."""

    reason: str
    letters: list[tuple[Subscription, bytes]]


def message(seen: Seen) -> bytes:
    """What is sent to a seat, in the current language: why it is called, and in which game. Empty if it is not."""
    why = signal(seen)
    fields = {"title": why.call, "body": why.about, "game": seen.game}
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode() if why.call else b""


class PushSender:
    """Waits a little after each event, since a page may just be reloading. Then a few workers send."""

    def __init__(self, tables: Tables, presence: Presence, keys: Keys, delivery: Delivery | None = None) -> None:
        self.tables = tables
        self.presence = presence
        self.keys = keys
        self.delivery = delivery or Delivery()
        self.subscriptions = Subscriptions(tables.store)
        self.loop: asyncio.AbstractEventLoop | None = None
        self._timers: dict[Place, asyncio.TimerHandle] = {}
        self._queue: asyncio.Queue[Place] = asyncio.Queue(_MOST_WAITING)
        self._tasks = BackgroundTasks()
        tables.listeners.append(self.on_event)

    async def start(self) -> None:
        """Starts listening to the tables."""
        self.loop = asyncio.get_running_loop()
        for _worker in range(_WORKERS):
            self._tasks.spawn(self._work())

    async def stop(self) -> None:
        """Drops what has not been sent by now: the next move calls again."""
        self.loop = None
        for timer in self._timers.values():
            timer.cancel()
        await self._tasks.stop()
        await self.delivery.close()

    def subscribe(self, holder: str, endpoint: str, key: str, auth: str) -> None:
        """Stores where to send messages for a browser, and in which language.

        A guest without a game has nothing to be called to: the first table will subscribe again.
        """
        self.delivery.target(endpoint)
        try:
            read_browser(key, auth)
        except ValueError as error:
            raise JaipurError(N_("The keys of this browser's subscription cannot be read.")) from error
        new = Subscription(holder, endpoint, key, auth, current_language(), self.tables.clock())
        if self._knows(new) or not self.tables.store.games_of(holder, 1):
            return
        self.subscriptions.keep(new)

    def _knows(self, new: Subscription) -> bool:
        """Whether the same was stored lately: pages subscribe on every load, which need not be written each time."""
        known = next((old for old in self.subscriptions.of(new.holder) if old.endpoint == new.endpoint), None)
        return known is not None and replace(known, at=new.at) == new and new.at - known.at < _RENEWED_MS

    def on_event(self, table: Table, event: Event | None) -> None:
        """Called on the thread that wrote the event. Only friends are called, since a bot keeps nobody waiting."""
        if self.loop is None or (event is not None and event.kind not in _CALLING):
            return
        if table.kind is not GameKind.FRIEND or not table.full:
            return
        self.loop.call_soon_threadsafe(self._happened, table.game.id, None if event is None else event.seat)

    def _happened(self, game: str, acted: int | None) -> None:
        """The player who acted needs no call for what came before; the other one may need one."""
        for place in (game, 0), (game, 1):
            timer = self._timers.pop(place, None)
            if timer is not None:
                timer.cancel()
            if place[1] != acted:
                self._wait(place)

    def _wait(self, place: Place, again: bool = False) -> None:
        if len(self._timers) >= _MOST_WAITING:
            _log.warning("Too many push messages wait: one was dropped.")
            return
        wait = asyncio.get_running_loop().call_later
        self._timers[place] = wait(self.presence.away_seconds, self._due, place, again)

    def _due(self, place: Place, again: bool) -> None:
        self._timers.pop(place, None)
        if self.presence.listens(place):
            return
        if self.presence.listens_elsewhere(place):
            if not again:  # news of a page that closed there may take this long
                self._wait(place, again=True)
            return
        if self._queue.full():
            _log.warning("Too many push messages wait: one was dropped.")
            return
        self._queue.put_nowait(place)

    async def _work(self) -> None:
        while True:
            place = await self._queue.get()
            try:
                await self._deliver(place)
            except Exception as error:  # any fault: the others are still called; its text may hold a secret
                _log.error("A push message could not be made: %s.", type(error).__name__)
            finally:
                self._queue.task_done()

    async def _deliver(self, place: Place) -> None:
        call = await in_thread(self._call, place)
        if call is not None and self.presence.call_once(place, call.reason):
            await asyncio.gather(*(self._send(browser, place, text) for browser, text in call.letters))

    def _call(self, place: Place) -> Call | None:
        """Why a seat is called now, if it is. Runs in a thread, with a language of its own."""
        game, seat = place
        table = self.tables.open(game)
        browsers = self.subscriptions.of(table.holder(seat))
        if not browsers or (table.number and table.actor == seat):  # it may have acted while its call waited
            return None
        seen = see(table, seat)
        use_language("en")
        reason = signal(seen).call
        letters: list[tuple[Subscription, bytes]] = []
        for browser in browsers:
            use_language(browser.language)
            letters.append((browser, message(seen)))
        return Call(f"{seen.ply} {reason}", letters) if reason else None

    async def _send(self, browser: Subscription, place: Place, text: bytes) -> None:
        """Sends one message once. The log does not name the address: it is all that sending takes."""
        try:
            status = await self._post(browser, place, text)
        except (BadEndpoint, OSError) as error:  # a timeout is an OSError too
            _log.warning("A push message did not arrive: %s.", type(error).__name__)
            return
        if status in _GONE:
            await in_thread(self.subscriptions.remove, browser.endpoint)
        elif status >= _REFUSED:
            _log.warning("A push service refused a message with status %d.", status)

    async def _post(self, browser: Subscription, place: Place, text: bytes) -> int:
        target = self.delivery.target(browser.endpoint)
        # A newer message about a game replaces an older one; the service does not learn which game it is.
        topic = hashlib.sha256(f"{browser.auth} {place}".encode()).digest()[:_TOPIC_BYTES]
        headers = {
            "Authorization": self.keys.authorization(target.origin, self.tables.clock() / 1000),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(_TTL_SECONDS),
            "Topic": base64url(topic),
        }
        return await self.delivery.post(target, headers, encrypted(text, browser.key, browser.auth))
