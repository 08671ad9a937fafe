"""How long the bot in a game thinks: as long as its opponent has set in their browser."""

from collections import OrderedDict
from threading import Lock

from jaipur.bots import DEFAULT_BUDGET

USUAL_SECONDS = DEFAULT_BUDGET.seconds or 0.0
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
