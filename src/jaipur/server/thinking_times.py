"""How long the bot of a game thinks: as long as whoever plays there has set it in their browser."""

from collections import OrderedDict
from threading import Lock

from jaipur.bots import DEFAULT_BUDGET

_KEPT = 2000


class ThinkingTimes:
    """Of the games that somebody acted in lately; every other game has the usual time.

    A browser says it with all it does at a table, so nothing is stored: a server that has just started, or another
    one, knows it after the next move. Bot workers apart from the servers give every game the usual time.
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
        return self._seconds.get(game, DEFAULT_BUDGET.seconds or 0.0)
