"""Figures for people, written as the language wants them. Programs read the JSON."""

from jaipur.arena.statistics import Estimate
from jaipur.language import _, decimal


def share(rate: float) -> str:
    """A share in per cent: `62.5%`."""
    return _("{number}%").format(number=decimal(100 * rate))


def interval(now: Estimate) -> str:
    """The lower and upper end: `58.3–76.4%`."""
    return f"{decimal(100 * now.low)}–{share(now.high)}"


def in_short(now: Estimate) -> str:
    """A win rate and its interval, to show beside a progress bar."""
    return f"{share(now.rate)} ({interval(now)})"
