"""How long the bot of a game thinks: as long as whoever plays there has set it in their browser."""

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from jaipur.bots import DEFAULT_BUDGET

USUAL_SECONDS = DEFAULT_BUDGET.seconds or 0.0
SHARED_SECONDS = 2.0
"""The longest thought of the last process, while others play too: with it, a bot that is quick answers within 3 s."""
_ABOUT_SECONDS = 300.0
"""How long somebody counts as playing after their last move."""
_KEPT = 2000


class ThinkingTimes:
    """Of the games that somebody acted in lately; every other game has the usual time.

    A browser says it with all it does at a table, so nothing is stored: a server that has just started knows it after
    the next move. Other processes are told with each event.
    """

    def __init__(self) -> None:
        self._seconds: OrderedDict[str, float] = OrderedDict()
        self._lock = Lock()

    def remember(self, game: str, seconds: float | None) -> None:
        """What somebody at this table has set; None is the usual time."""
        with self._lock:
            self._seconds.pop(game, None)
            if seconds is not None:
                self._seconds[game] = seconds
            if len(self._seconds) > _KEPT:
                self._seconds.popitem(last=False)

    def seconds(self, game: str) -> float:
        """For one move of this game's bot."""
        return self._seconds.get(game, USUAL_SECONDS)


class LongThoughts:
    """Sees to it that nobody waits long for a process that thinks as long as somebody else has set it.

    A thought cannot be cut short, so this is decided before it begins: one process is always free soon. Whoever plays
    alone has all of the time that they have set. Used on the event loop only; times are the loop's.
    """

    def __init__(self, processes: int) -> None:
        self.processes = processes
        self._running = 0
        self._players: OrderedDict[str, float] = OrderedDict()
        """When each owner last wanted a move, the latest at the end."""

    def wanted(self, owner: str, now: float) -> None:
        """Somebody waits for the move of a bot."""
        self._players.pop(owner, None)
        self._players[owner] = now
        if len(self._players) > _KEPT:
            self._players.popitem(last=False)

    @contextmanager
    def bounded(self, seconds: float, owner: str, now: float) -> Iterator[float]:
        """How much of its time a thought may take."""
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
