"""Notifies people whose page is closed: at most once per turn, question or score sheet, and never naming a card."""

import asyncio
import hashlib
import json
import logging
from dataclasses import replace

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
from jaipur.table import GameKind, Table, Tables, see
from jaipur.table.events import EventKind
from jaipur.threads import in_thread

_log = logging.getLogger(__name__)
_CALLING = frozenset({EventKind.JOIN, EventKind.MOVE, EventKind.UNDO, EventKind.REDO, EventKind.ASK, EventKind.READY})
"""What one seat may do that makes the game wait for the other."""
_AT_ONCE = 4
_MOST_CALLS = 2000
"""How many calls may wait or be sent."""
_TTL_SECONDS = 24 * 3600
_RENEWED_MS = 24 * 3600 * 1000
_TOPIC_BYTES = 24
_GONE = frozenset({404, 410})
_REFUSED = 300


class PushSender:
    """Waits a little after each event, since a page may just be reloading. Then it sends, to a few at once."""

    def __init__(self, tables: Tables, presence: Presence, keys: Keys, delivery: Delivery | None = None) -> None:
        self.tables = tables
        self.presence = presence
        self.keys = keys
        self.delivery = delivery or Delivery()
        self.subscriptions = Subscriptions(tables.store)
        self.loop: asyncio.AbstractEventLoop | None = None
        self.calls = BackgroundTasks()
        self._waiting: dict[Place, asyncio.Task[None]] = {}
        """The calls that a new event may still take back."""
        self._turns = asyncio.Semaphore(_AT_ONCE)
        tables.listeners.append(self.on_event)

    async def start(self) -> None:
        """Starts listening to the tables."""
        self.loop = asyncio.get_running_loop()

    async def stop(self) -> None:
        """Drops what has not been sent by now: the next move calls again."""
        self.loop = None
        await self.calls.stop()
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
        if not self._knows(new) and self.tables.store.games_of(holder, 1):
            self.subscriptions.keep(new)

    def _knows(self, new: Subscription) -> bool:
        """Whether the same was stored lately: pages subscribe on every load, which need not be written each time."""
        known = self.subscriptions.of(new.holder)
        return any(replace(old, at=new.at) == new and new.at - old.at < _RENEWED_MS for old in known)

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
            if place in self._waiting:
                self._waiting.pop(place).cancel()
            if place[1] == acted:
                continue
            if len(self.calls) < _MOST_CALLS:
                self._waiting[place] = self.calls.spawn(self._call(place))
            else:
                _log.warning("Too many push messages wait: one was dropped.")

    async def _call(self, place: Place) -> None:
        """Calls a seat after a while, unless its page is open by then."""
        await asyncio.sleep(self.presence.away_seconds)
        if self.presence.listens_elsewhere(place):  # news of a page that closed there may take this long
            await asyncio.sleep(self.presence.away_seconds)
        del self._waiting[place]
        if self.presence.listens(place) or self.presence.listens_elsewhere(place):
            return
        async with self._turns:
            try:
                reason, letters = await in_thread(self._letters, place)
                if letters and self.presence.call_once(place, reason):
                    await asyncio.gather(*(self._send(browser, place, text) for browser, text in letters))
            except Exception as error:  # its text may hold a secret
                _log.error("A push message could not be made: %s.", type(error).__name__)

    def _letters(self, place: Place) -> tuple[str, list[tuple[Subscription, bytes]]]:
        """Why a seat is called now, in the same words in every language, and what each of its browsers is sent.

        Runs in a thread, with a language of its own.
        """
        game, seat = place
        table = self.tables.open(game)
        browsers = self.subscriptions.of(table.holder(seat))
        if not browsers or (table.number and table.actor == seat):  # it may have acted while its call waited
            return "", []
        seen, letters = see(table, seat), list[tuple[Subscription, bytes]]()
        for browser in browsers:
            use_language(browser.language)
            call = signal(seen)
            fields = {"title": call.call, "body": call.about, "game": game}
            letters.append((browser, json.dumps(fields, ensure_ascii=False).encode()))
        use_language("en")
        reason = signal(seen).call
        return f"{seen.ply} {reason}", letters if reason else []

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
            "Authorization": self.keys.authorization(f"https://{target.netloc}", self.tables.clock() / 1000),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(_TTL_SECONDS),
            "Topic": base64url(topic),
        }
        return await self.delivery.post(target, headers, encrypted(text, browser.key, browser.auth))
