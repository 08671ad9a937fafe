"""What processes that share a PostgreSQL database tell each other: game events, who watches, questions to the coach.

A notice (LISTEN and NOTIFY) names a game and a number, and is only a hint. It is sent after the commit, not with it:
PostgreSQL commits only one transaction with a NOTIFY at a time, so all games would wait for each other's flush to disk.
If a process is killed in between, or a connection drops, notices are lost. So every second or two each process checks
the event numbers of recently changed games and passes on whatever it has not heard of. Everybody therefore hears of
everything once, at worst a little later.
"""

import logging
import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection

from jaipur.store.store import Store

_log = logging.getLogger(__name__)
_CHANNEL = "jaipur"
_LOOK_SECONDS = 1.5
_BLINK = 0.25
"""Seconds between checks whether a thread should end."""
_RETRY_SECONDS = 0.3
_SLACK = 10_000
"""Milliseconds to allow for clocks that differ between machines and for commits that come after their time stamp."""
_AT_ONCE = 200
_MOST_WAITING = 10_000
"""The most notices that wait to be sent. While the database is away, more would only fill memory with stale ones."""
_SEND = f"SELECT pg_notify('{_CHANNEL}', notice) FROM unnest(%s::text[]) AS notice"


class NoticeKind(StrEnum):
    """What a notice is about."""

    EVENT = "event"
    """The number of the last event, on whose behalf and how long a bot would think next, and the event itself."""
    WATCHED = "watched"
    """Who is watching."""
    PRESENCE = "presence"
    EMOTE = "emote"
    """The seat that arrived, left or sent an emote, and what it sent."""
    QUESTION = "question"
    ANSWER = "answer"
    """A question to the coach with its rank, and the answer; the key of the question takes the place of the game."""
    REVIEW = "review"
    """Who wants to see the review of a finished match."""
    GRADED = "graded"
    REVIEWED = "reviewed"
    """How many decisions out of how many are graded; `reviewed` is the last such notice."""


@dataclass(frozen=True)
class Notice:
    """Something about a game: a number and a word, whose meaning depends on the kind."""

    kind: NoticeKind
    game: str
    number: int = 0
    word: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.game} {self.number} {self.word}"

    @classmethod
    def parse(cls, line: str) -> "Notice | None":
        """Reads a notice; None if another version sent something that this one does not know."""
        try:
            kind, game, number, word = line.split(" ", 3)
            return cls(NoticeKind(kind), game, int(number), word)
        except ValueError:
            return None


@contextmanager
def _closed_if_lost(connection: Connection) -> Iterator[None]:
    """The driver is called directly, so SQLAlchemy does not see a loss: it would try to roll back, and log that."""
    driver: Any = connection.connection.dbapi_connection
    try:
        yield
    except Exception:
        connection.invalidate()
        driver.close()  # nobody else would: the connection no longer belongs to a pool
        raise


class Notices:
    """Listens and sends on connections of its own, in two threads. It does not report back what it sent itself."""

    def __init__(self, store: Store, clock: Callable[[], int], heard: Callable[[Notice], None]) -> None:
        self.store = store
        self.clock = clock
        self._heard = heard
        self._known: dict[str, int] = {}
        self._since = clock()
        self._lock = threading.Lock()
        self._outbox: queue.SimpleQueue[Notice | None] = queue.SimpleQueue()
        self._unsent: list[Notice | None] = []
        """Taken from the outbox to be sent; kept for the next connection if this one turns out to be lost."""
        self._ending = threading.Event()
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        """Starts listening: everything that happens from now on is heard."""
        self._since = self.clock()
        for work in (self._listen, self._send):
            thread = threading.Thread(target=self._keep_on, args=(work,), name=work.__name__, daemon=True)
            thread.start()
            self._threads.append(thread)

    def stop(self) -> None:
        """Ends both threads."""
        self._ending.set()
        self._outbox.put(None)
        for thread in self._threads:
            thread.join()

    def tell(self, notice: Notice) -> None:
        """Tells the other processes soon. If the outbox is full the notice is lost, just as when a connection drops."""
        if notice.kind is NoticeKind.EVENT:
            self._remember(notice)
        if self._outbox.qsize() < _MOST_WAITING:
            self._outbox.put(notice)

    def _keep_on(self, work: Callable[[Connection], None]) -> None:
        """Works on a connection, and on a new one when that is lost. A long outage is logged once."""
        lost = False
        while not self._ending.is_set():
            try:
                with self.store.reader.connect() as connection:
                    connection.detach()
                    lost = False
                    with _closed_if_lost(connection):
                        work(connection)
            except Exception as error:  # whatever the cause, try again: event numbers make up for what was missed
                if not lost:
                    _log.warning("No notices for a moment: %s", str(error).partition("\n")[0])
                lost = True
                self._ending.wait(_RETRY_SECONDS)

    def _send(self, connection: Connection) -> None:
        driver: Any = connection.connection.dbapi_connection
        while self._unsent or not self._ending.is_set() or not self._outbox.empty():
            self._unsent = self._unsent or [self._outbox.get()]
            while not self._outbox.empty() and len(self._unsent) < _AT_ONCE:
                self._unsent.append(self._outbox.get())
            driver.execute(_SEND, ([str(notice) for notice in self._unsent if notice is not None],))
            self._unsent = []

    def _listen(self, connection: Connection) -> None:
        connection.exec_driver_sql(f"LISTEN {_CHANNEL}")
        driver: Any = connection.connection.dbapi_connection
        while not self._ending.is_set():
            self._catch_up()
            until = time.monotonic() + _LOOK_SECONDS
            while not self._ending.is_set() and time.monotonic() < until:
                for told in driver.notifies(timeout=_BLINK):
                    if (notice := Notice.parse(told.payload)) is not None:
                        self._hear(notice)

    def _hear(self, notice: Notice) -> None:
        """Passes a notice on. An event counts as known only afterwards, so one that could not be read comes again."""
        if notice.kind is not NoticeKind.EVENT:
            self._heard(notice)
        elif self._is_news(notice):
            self._heard(notice)
            self._remember(notice)

    def _catch_up(self) -> None:
        """Passes on recent events, going by their numbers. Only recently changed games need to stay remembered."""
        now = self.clock()
        lately = self.store.changed_since(self._since - _SLACK)
        for game, number in lately.items():
            self._hear(Notice(NoticeKind.EVENT, game, number))
        with self._lock:
            self._known = {game: number for game, number in self._known.items() if game in lately}
        self._since = now

    def _is_news(self, notice: Notice) -> bool:
        with self._lock:
            return notice.number > self._known.get(notice.game, -1)

    def _remember(self, notice: Notice) -> None:
        with self._lock:
            self._known[notice.game] = max(notice.number, self._known.get(notice.game, -1))
