"""How long the bot in a game thinks: as long as its opponent has set in their browser."""

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from jaipur.bots import DEFAULT_BUDGET

USUAL_SECONDS = DEFAULT_BUDGET.seconds or 0.0
SHARED_SECONDS = 2.0
"""The longest thought on the last free process while others play too, so that quick bots still answer within 3 s."""
_ABOUT_SECONDS = 300.0
"""How long somebody counts as playing after their last move."""
_KEPT = 2000


class ThinkingTimes:
    """The thinking times of games in which somebody acted lately; every other game has the usual time.

    A browser sends the setting with everything it does at a table, so nothing is stored: a newly started server knows
    it after the next move. Other processes are told with each event.
    """

    def __init__(self) -> None:
        self._seconds: OrderedDict[str, float] = OrderedDict()
        self._lock = Lock()

    def remember(self, game: str, seconds: float | None) -> None:
        """Remembers what somebody at this table has set; None means the usual time."""
        with self._lock:
            self._seconds.pop(game, None)
            if seconds is not None:
                self._seconds[game] = seconds
            if len(self._seconds) > _KEPT:
                self._seconds.popitem(last=False)

    def seconds(self, game: str) -> float:
        """The time for one move of this game's bot."""
        return self._seconds.get(game, USUAL_SECONDS)


class LongThoughts:
    """Makes sure that nobody waits long because somebody else has set their bot to think long.

    A thought cannot be cut short, so this is decided before it begins: one process is always free again soon. Somebody
    who plays alone gets all the time they have set. Used on the event loop only; times are the loop's.
    """

    def __init__(self, processes: int) -> None:
        self.processes = processes
        self._running = 0
        self._players: OrderedDict[str, float] = OrderedDict()
        """When each owner last wanted a move, the latest at the end."""

    def wanted(self, owner: str, now: float) -> None:
        """Somebody is waiting for a bot's move."""
        self._players.pop(owner, None)
        self._players[owner] = now
        if len(self._players) > _KEPT:
            self._players.popitem(last=False)

    @contextmanager
    def bounded(self, seconds: float, owner: str, now: float) -> Iterator[float]:
        """How many seconds a thought may take."""
        if self._running >= self.processes - 1 and self._others(owner, now):
            seconds = min(seconds, SHARED_SECONDS)
        long = seconds > SHARED_SECONDS
        self._running += long
        try:
            yield seconds
        finally:
            self._running -= long

    def _others(self, owner: str, now: float) -> bool:
        latest = next((at for player, at in reversed(self._players.items()) if player != owner), None)
        return latest is not None and now - latest < _ABOUT_SECONDS
