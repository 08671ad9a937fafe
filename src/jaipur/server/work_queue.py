"""What waits for a processor, and what comes next: fair among those who ask, and quick for whoever waits at a table."""

import asyncio
import heapq
import itertools
from collections import Counter, deque
from dataclasses import dataclass, replace
from enum import IntEnum

LONG_SECONDS = 0.1
"""Work that takes this long or longer is long, and waits for all that is short."""


class Rank(IntEnum):
    """What matters more comes first. Work for nobody in particular belongs at the end."""

    PERSON = 0
    """Somebody waits for it at a table."""
    LEFT_OVER = 1
    """A person's game that a server before this one left in the middle: perhaps nobody comes back to it."""
    MATCH = 2
    """Bots play each other, and somebody looks on."""
    REVIEW = 3
    """A finished match is looked at again: it can wait for every move."""


@dataclass(frozen=True)
class Work:
    """What is known of a piece of work before it is done: for whom it is, and about how many seconds it takes."""

    rank: Rank
    owner: str
    seconds: float


@dataclass(frozen=True, order=True)
class _Place:
    """A place in the queue. `tag` is where its owner stands when this is done, on a clock that all owners share."""

    rank: Rank
    long: bool
    tag: float
    number: int


class WorkQueue:
    """Keys with their work, each at most once.

    First comes the better rank, then short before long, and then whoever has had least. That is fair queueing: each
    owner has a clock that runs ahead by what its work takes, whoever is least ahead comes next, and someone new starts
    at the clock of the queue. So an owner with a thousand pieces of work delays another by one of them. There is no
    clock of the wall in here.
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
        """How much waits, by rank."""
        return Counter(place.rank for place, _work in self._waiting.values())

    def put(self, key: str, work: Work) -> None:
        """Lets a key wait. If it waits already, it keeps its place unless its rank has become a better one."""
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
        """Somebody has come back for what was left over, if it still waits."""
        if key in self._waiting and self._waiting[key][0].rank is Rank.LEFT_OVER:
            self.put(key, replace(self._waiting[key][1], rank=Rank.PERSON, owner=owner))

    def take(self) -> tuple[str, Work]:
        """The key that comes next, and its work."""
        while True:
            place, key = heapq.heappop(self._heap)
            if key in self._waiting and self._waiting[key][0] is place:
                self._clock = max(self._clock, place.tag)
                return key, self.remove(key)

    def remove(self, key: str) -> Work:
        """Forgets a key that waits."""
        _place, work = self._waiting.pop(key)
        self._pieces[work.owner] -= 1
        if not self._pieces[work.owner]:
            del self._pieces[work.owner], self._ahead[work.owner]
        if len(self._heap) > 2 * len(self._waiting) + 64:  # places that were left are not kept for ever
            self._heap = [(place, key) for key, (place, _work) in self._waiting.items()]
            heapq.heapify(self._heap)
        return work


class Waiting:
    """A work queue for the tasks of an event loop: whoever takes waits until there is something."""

    def __init__(self) -> None:
        self.queue = WorkQueue()
        self._takers: deque[asyncio.Future[None]] = deque()

    def put(self, key: str, work: Work) -> None:
        """Lets a key wait."""
        self.queue.put(key, work)
        self._wake()

    def _wake(self) -> None:
        """Wakes one of those who wait: there may be many, and there is work for one."""
        while self._takers:
            taker = self._takers.popleft()
            if not taker.done():
                taker.set_result(None)
                return

    async def take(self) -> tuple[str, Work]:
        """What comes next."""
        while not self.queue:
            taker = asyncio.get_running_loop().create_future()
            self._takers.append(taker)
            await taker
        taken = self.queue.take()
        if self.queue:
            self._wake()
        return taken
