"""Who is present at a table with a friend, and the few polite things they can say. Kept in memory, never written.

It comes from open streams and pressed buttons, never from cards, so it can reveal nothing about them.
"""

import asyncio
import secrets
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from cachetools import FIFOCache

from jaipur.rules.errors import N_, JaipurError
from jaipur.server.edge.rates import Limit
from jaipur.server.live.hub import Hub
from jaipur.server.live.messages import Called, Message, Present, Said
from jaipur.store import Event
from jaipur.table import GameKind, KeyUsed, NotAllowed, Status, Table

EMOTES = {
    "hello": N_("Hello!"),
    "luck": N_("Good luck!"),
    "played": N_("Well played!"),
    "thanks": N_("Thank you!"),
    "moment": N_("One moment, please."),
    "sorry": N_("Sorry!"),
}
"""All that can be said at a table."""
AWAY_SECONDS = 6.0
"""A stream that breaks and returns within this time does not count as gone."""
_PRESENCE, _EMOTE, _HERE, _AWAY = "presence", "emote", "here", "away"
_SHOWN_MS = 15_000
_ELSEWHERE_MS = 15_000
"""How long a report from another process holds: each repeats its own every few seconds."""
_REMEMBERED = 10_000
_SECONDS_EACH = 4
_AT_ONCE = 3

Place = tuple[str, int]
"""A game and a seat."""


@dataclass(frozen=True)
class Companion:
    """Somebody at the table: whether they are there, when they last were (milliseconds), what they just said."""

    here: bool
    last_seen: int | None
    emote: str


class Presence:
    """Who is at which table. Streams come and go on the event loop; pages read this from threads."""

    def __init__(self, hub: Hub, away_seconds: float = AWAY_SECONDS) -> None:
        self.hub = hub
        self.away_seconds = away_seconds
        self._streams: Counter[Place] = Counter()
        self._present: defaultdict[Place, dict[str, int]] = defaultdict(dict)
        """The processes where a seat is present, and when each of them last said so."""
        self._last = FIFOCache[Place, int](_REMEMBERED)
        self._said = FIFOCache[Place, tuple[str, int, str]](_REMEMBERED)
        self._called = FIFOCache[Place, str](_REMEMBERED)
        self._limit = Limit(1 / _SECONDS_EACH, _AT_ONCE)
        self._process = secrets.token_hex(4)
        self.tellers: list[Callable[[Message], None]] = []
        """Called to tell other processes who is here and what they say."""

    @contextmanager
    def present(self, table: Table, seat: int | None) -> Iterator[None]:
        """A seat is here while it has a stream open, and away a few seconds after the last one has closed."""
        if seat is None or table.kind is not GameKind.FRIEND:
            yield
            return
        place = table.game.id, seat
        self._streams[place] += 1
        if self._process not in self._present.get(place, ()):
            self._report(place)
        try:
            yield
        finally:
            self._streams[place] -= 1
            if not self._streams[place]:
                del self._streams[place]
                asyncio.get_running_loop().call_later(self.away_seconds, self._close, place, self.hub.tables.clock())

    def _close(self, place: Place, at: int) -> None:
        if place not in self._streams and self._process in self._present.get(place, ()):
            self._tell_others(Present(*place, self._process, here=False))
            self._leave(place, self._process, at)

    def _report(self, place: Place) -> None:
        self._come(place, self._process)
        self._tell_others(Present(*place, self._process, here=True))

    def _come(self, place: Place, process: str) -> None:
        known = place in self._present
        self._present[place][process] = self.hub.tables.clock()
        if not known:
            self._pass_on(place, _PRESENCE, _HERE)

    def _leave(self, place: Place, process: str, at: int) -> None:
        """A seat left one process: it is away, unless it is still present at another."""
        self._present[place].pop(process, None)
        if not self._present[place]:
            del self._present[place]
            self._last[place] = at
            self._pass_on(place, _PRESENCE, _AWAY)

    def listens(self, place: Place) -> bool:
        """Whether this process has a page of this seat open right now."""
        return place in self._streams

    def listens_elsewhere(self, place: Place) -> bool:
        """Whether another process has a page of this seat open, or had one until a moment ago."""
        return any(process != self._process for process in self._present.get(place, ()))

    def call_once(self, place: Place, reason: str) -> bool:
        """Whether a seat has not been called for this reason yet. Marks it as called, and tells the other processes."""
        if self._called.get(place) == reason:
            return False
        self._called[place] = reason
        self._tell_others(Called(*place, reason))
        return True

    def of(self, table: Table) -> list[Companion] | None:
        """Both seats of a table with a friend; None for other tables, and before the friend has come."""
        if table.kind is not GameKind.FRIEND or not table.full:
            return None
        now = self.hub.tables.clock()
        return [self._companion(table, seat, now) for seat in (0, 1)]

    def _companion(self, table: Table, seat: int, now: int) -> Companion:
        place = table.game.id, seat
        last = max(self._last.get(place, 0), table.acted[seat])
        emote, at, _key = self._said.get(place, ("", 0, ""))
        return Companion(place in self._present, last or None, emote if now - at < _SHOWN_MS else "")

    def say(self, table: Table, seat: int, emote: str, key: str) -> None:
        """Says one of the emotes to everybody at the table; a form sent twice says it once."""
        if emote not in EMOTES:
            raise JaipurError(N_("There is no such emote: choose one of {emotes}."), emotes=", ".join(EMOTES))
        if table.kind is not GameKind.FRIEND or table.status is Status.WAITING:
            raise NotAllowed(N_("Nobody is here to hear it."))
        place = table.game.id, seat
        said, _at, used = self._said.get(place, ("", 0, ""))
        if key and used == key:
            if said != emote:
                raise KeyUsed
            return
        if self._limit.seconds_to_wait(f"{place}"):
            raise NotAllowed(N_("You have just said something: wait a few seconds."))
        self._said[place] = emote, self.hub.tables.clock(), key
        self._tell_others(Said(*place, emote, key))
        if self.hub.loop is not None:
            self.hub.loop.call_soon_threadsafe(self._pass_on, place, _EMOTE, emote)

    def on_present(self, message: Present) -> None:
        """A seat came to another process, or left it. Called on the event loop."""
        place = message.game, message.seat
        if message.here:
            self._come(place, message.process)
        else:
            self._leave(place, message.process, self.hub.tables.clock())

    def on_called(self, message: Called) -> None:
        """Another process called a seat."""
        self._called[message.game, message.seat] = message.reason

    def on_said(self, message: Said) -> None:
        """A seat said something at another process. A request that was repeated there still says it only once here."""
        place = message.game, message.seat
        if not message.key or self._said.get(place, ("", 0, ""))[2] != message.key:
            self._said[place] = message.emote, self.hub.tables.clock(), message.key
            self._pass_on(place, _EMOTE, message.emote)

    def repeat(self) -> None:
        """Repeats who is here, and forgets those at other processes that have not been reported for a while."""
        now = self.hub.tables.clock()
        for place, processes in list(self._present.items()):
            if self._process in processes:
                self._report(place)
            for process, at in list(processes.items()):
                if now - at > _ELSEWHERE_MS:
                    self._leave(place, process, now)

    def _tell_others(self, message: Message) -> None:
        for tell in self.tellers:
            tell(message)

    def _pass_on(self, place: Place, kind: str, text: str) -> None:
        game, seat = place
        self.hub.pass_on(Event(game, 0, seat, kind, text, None, 0))
