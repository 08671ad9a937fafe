"""Figures for an operator, in the text format of Prometheus. Labels are fixed words, never anything that was sent."""

import bisect
import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from jaipur.store import Event
from jaipur.table import Table

_BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


@dataclass
class Histogram:
    """Counts of durations, in buckets."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(_BOUNDS) + 1))
    total: float = 0.0

    def add(self, seconds: float) -> None:
        """Counts one more."""
        self.counts[bisect.bisect_left(_BOUNDS, seconds)] += 1
        self.total += seconds

    def lines(self, name: str, labels: str = "") -> list[str]:
        """The lines of one series."""
        sums = list(itertools.accumulate(self.counts))
        comma = "," if labels else ""
        where = f"{{{labels}}}" if labels else ""
        return [
            *(
                f'{name}_bucket{{{labels}{comma}le="{bound}"}} {reached}'
                for bound, reached in zip((*_BOUNDS, "+Inf"), sums, strict=True)
            ),
            f"{name}_sum{where} {self.total:.6f}",
            f"{name}_count{where} {sums[-1]}",
        ]


@dataclass
class Metrics:
    """What is counted while the server runs."""

    requests: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    """By method, route and status."""
    seconds: defaultdict[str, Histogram] = field(default_factory=lambda: defaultdict(Histogram))
    """By route. A stream is counted when it begins."""
    events: Counter[str] = field(default_factory=Counter)
    database: Histogram = field(default_factory=Histogram)
    refused: Counter[str] = field(default_factory=Counter)
    """Connections that were refused or cut off, by reason."""

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """A request was answered."""
        self.requests[method, route, status] += 1
        self.seconds[route].add(seconds)

    def on_event(self, _table: Table, event: Event | None) -> None:
        """Something happened at a table, or a new game was set up."""
        self.events["create" if event is None else event.kind] += 1

    def text(self, gauges: Mapping[str, float], waiting: Mapping[str, int], waits: Histogram) -> str:
        """All the figures. `gauges` are current values; `waiting` and `waits` are those of the bots' queue."""
        asked = {
            f'method="{method}",route="{route}",status="{status}"': count
            for (method, route, status), count in sorted(self.requests.items())
        }
        lines = [
            *_series("jaipur_requests_total", "counter", asked),
            "# TYPE jaipur_request_seconds histogram",
            *itertools.chain.from_iterable(
                times.lines("jaipur_request_seconds", f'route="{route}"')
                for route, times in sorted(self.seconds.items())
            ),
            *_series("jaipur_events_total", "counter", _labelled("kind", self.events)),
            *_series("jaipur_connections_refused_total", "counter", _labelled("reason", self.refused)),
            *_series("jaipur_bot_queue", "gauge", _labelled("rank", waiting)),
            "# TYPE jaipur_bot_wait_seconds histogram",
            *waits.lines("jaipur_bot_wait_seconds"),
            "# TYPE jaipur_database_seconds histogram",
            *self.database.lines("jaipur_database_seconds"),
        ]
        for name, value in gauges.items():
            lines += _series(name, "counter" if name.endswith("_total") else "gauge", {"": value})
        return "\n".join([*lines, ""])


def _labelled(name: str, counts: Mapping[str, int]) -> dict[str, int]:
    return {f'{name}="{value}"': count for value, count in sorted(counts.items())}


def _series(name: str, kind: str, values: Mapping[str, float]) -> Iterable[str]:
    yield f"# TYPE {name} {kind}"
    for labels, value in values.items():
        yield f"{name}{{{labels}}} {value}" if labels else f"{name} {value}"
