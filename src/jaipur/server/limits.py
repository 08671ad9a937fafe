"""How often somebody may ask: token buckets, kept for those who came lately."""

import time
from collections import OrderedDict
from collections.abc import Callable

_REMEMBERED = 10_000


class Limit:
    """Allows `rate` requests a second for each client, and `burst` at once."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate = rate
        self.burst = burst
        self.clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def seconds_to_wait(self, client: str) -> float:
        """Takes one from the client's bucket: 0, or the seconds until there is one again."""
        if not self.rate:
            return 0.0
        now = self.clock()
        left, at = self._buckets.pop(client, (self.burst, now))
        left = min(self.burst, left + (now - at) * self.rate)
        allowed = left >= 1
        self._buckets[client] = (left - 1 if allowed else left, now)
        while len(self._buckets) > _REMEMBERED:
            self._buckets.popitem(last=False)
        return 0.0 if allowed else (1 - left) / self.rate
