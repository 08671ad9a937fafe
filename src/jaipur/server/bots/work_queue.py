"""Work that waits for a processor, in an order that is fair to all owners and quick for people waiting at a table."""

import asyncio
import heapq
import itertools
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from enum import IntEnum

LONG_SECONDS = 0.1
"""Work that takes this long or longer counts as long, and short work goes first."""


class Rank(IntEnum):
    """How urgent work is, the most urgent first."""

    PERSON = 0
    """A player waits for it: a bot's move, or an answer of the coach."""
    LEFT_OVER = 1
    """A person's game that an earlier server left unfinished: perhaps nobody comes back to it."""
    MATCH = 2
    """A bot's move in a match that is being watched."""
    REVIEW = 3
    """The review of a finished match: every move goes before it."""


@dataclass(frozen=True)
class Work:
    """What is known about a piece of work beforehand: its rank, its owner, and roughly how many seconds it takes."""

    rank: Rank
    owner: str
    seconds: float


@dataclass(frozen=True, order=True)
class _Place:
    """A place in the queue. `tag` is its owner's time after this work, on a scale that all owners share."""

    rank: Rank
    long: bool
    tag: float
    number: int


class WorkQueue:
    """Keys with their work, each at most once.

    The better rank comes first, then short work before long, and then the owner who has had the least. That is fair
    queueing: each owner has a virtual clock that advances by what their work takes, the owner least ahead comes next,
    and a new one starts at the queue's own clock. So an owner with a thousand pieces of work delays another by only one
    of them. No real time is involved.
    """

    def __init__(self) -> None:
        self._heap: list[tuple[_Place, str]] = []
        self._waiting: dict[str, tuple[_Place, Work]] = {}
        self._pieces: Counter[str] = Counter()
        self._ahead: dict[str, float] = {}
        self._clock = 0.0
        self._numbers = itertools.count()

    def __len__(self) -> int:
        return len(self._waiting)

    def ranks(self) -> Counter[Rank]:
        """How much is waiting, by rank."""
        return Counter(place.rank for place, _work in self._waiting.values())

    def put(self, key: str, work: Work) -> None:
        """Adds a key. If it is waiting already, it keeps its place unless its rank has improved."""
        if key in self._waiting:
            if self._waiting[key][0].rank <= work.rank:
                return
            self.remove(key)
        tag = self._ahead[work.owner] = max(self._clock, self._ahead.get(work.owner, 0.0)) + work.seconds
        place = _Place(work.rank, work.seconds >= LONG_SECONDS, tag, next(self._numbers))
        self._waiting[key] = place, work
        self._pieces[work.owner] += 1
        heapq.heappush(self._heap, (place, key))

    def claim(self, key: str, owner: str) -> None:
        """A player has come back to a left-over game: if it is still waiting, it moves up."""
        if key in self._waiting and self._waiting[key][0].rank is Rank.LEFT_OVER:
            self.put(key, replace(self._waiting[key][1], rank=Rank.PERSON, owner=owner))

    def take(self) -> tuple[str, Work]:
        """Removes and returns the next key and its work."""
        while True:
            place, key = heapq.heappop(self._heap)
            if key in self._waiting and self._waiting[key][0] is place:
                self._clock = max(self._clock, place.tag)
                return key, self.remove(key)

    def remove(self, key: str) -> Work:
        """Removes a waiting key."""
        _place, work = self._waiting.pop(key)
        self._pieces[work.owner] -= 1
        if not self._pieces[work.owner]:
            del self._pieces[work.owner], self._ahead[work.owner]
        if len(self._heap) > 2 * len(self._waiting) + 64:  # abandoned places are dropped now and then
            self._heap = [(place, key) for key, (place, _work) in self._waiting.items()]
            heapq.heapify(self._heap)
        return work


class Turns:
    """So many places to work in, given away in the order of a work queue. Used on an event loop."""

    def __init__(self, places: int) -> None:
        self.queue = WorkQueue()
        self._free = places
        self._calls: dict[str, asyncio.Future[None]] = {}

    @asynccontextmanager
    async def turn(self, key: str, work: Work) -> AsyncIterator[None]:
        """Holds a place for as long as the block lasts."""
        await self.acquire(key, work)
        try:
            yield
        finally:
            self.release()

    async def acquire(self, key: str, work: Work) -> None:
        """Waits for a place; the key must not be waiting yet."""
        loop = asyncio.get_running_loop()
        call = self._calls[key] = loop.create_future()
        self.queue.put(key, work)
        loop.call_soon(self._call)  # of those who come at the same moment, the queue says who is first
        try:
            await call
        except asyncio.CancelledError:  # the caller has stopped waiting
            if not call.cancelled():
                self.release()
            elif self._calls.pop(key, None) is not None:
                self.queue.remove(key)
            raise

    def release(self) -> None:
        """Gives a place to the next in the queue."""
        self._free += 1
        self._call()

    def _call(self) -> None:
        while self._free and self.queue:
            key, _work = self.queue.take()
            call = self._calls.pop(key)
            if not call.cancelled():
                call.set_result(None)
                self._free -= 1
