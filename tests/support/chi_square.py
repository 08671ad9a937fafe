"""Tests whether counts are plausible for given odds."""

from collections import Counter
from collections.abc import Hashable, Mapping
from math import sqrt
from typing import TypeVar

Outcome = TypeVar("Outcome", bound=Hashable)


def critical_value(freedom: int) -> float:
    """The value that chi-square exceeds once in a thousand times (Wilson and Hilferty's approximation)."""
    spread = 2 / (9 * freedom)
    return freedom * (1 - spread + 3.0902 * sqrt(spread)) ** 3


def fits(counts: Counter[Outcome], odds: Mapping[Outcome, float]) -> bool:
    """Whether the counts are plausible for these odds, which add up to 1; an outcome without odds never is."""
    total = counts.total()
    assert min(odds.values()) * total >= 5, "too few samples for chi-square"
    if not counts.keys() <= odds.keys():
        return False
    error = sum((counts[outcome] - total * p) ** 2 / (total * p) for outcome, p in odds.items())
    return error < critical_value(len(odds) - 1)


def fits_evenly(counts: Counter[int], outcomes: int) -> bool:
    """Whether 0, 1, 2, ... are plausibly equally likely."""
    return fits(counts, dict.fromkeys(range(outcomes), 1 / outcomes))
