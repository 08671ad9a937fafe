"""Figures for an operator, in the text format of Prometheus. Labels are fixed words, never anything that was sent."""

import os

from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from jaipur.store import Event
from jaipur.table import Table

SHARED = "PROMETHEUS_MULTIPROC_DIR"
"""The variable with the folder in which the processes of one machine add up their figures."""
_BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)

disable_created_metrics()  # a second series for each one, with the time at which it began


def durations(name: str, explained: str, *labels: str) -> Histogram:
    """A histogram of durations in seconds."""
    return Histogram(name, explained, labels, registry=None, buckets=_BOUNDS)


class Metrics:
    """What is counted while the server runs."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._shared = SHARED in os.environ
        if self._shared:
            MultiProcessCollector(self.registry)
        self.requests = Counter("jaipur_requests", "Requests.", ("method", "route", "status"), registry=None)
        self.seconds = durations("jaipur_request_seconds", "Until the answer, or a stream, begins.", "route")
        self.events = Counter("jaipur_events", "What happened at the tables.", ("kind",), registry=None)
        self.refused = Counter(
            "jaipur_connections_refused", "Connections refused or cut off.", ("reason",), registry=None
        )
        self.database = durations("jaipur_database_seconds", "Reads and writes, with their waiting for locks.")
        for metric in (self.requests, self.seconds, self.events, self.refused, self.database):
            self.add(metric)

    def add(self, metric: Collector) -> None:
        """Shows one more. Figures that processes share are shown anyway."""
        if not self._shared:
            self.registry.register(metric)

    def on_event(self, _table: Table, event: Event | None) -> None:
        """Something happened at a table, or a new game was set up."""
        self.events.labels("create" if event is None else event.kind).inc()
