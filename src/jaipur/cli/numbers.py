"""Figures for people, as the language writes them. Programs read the JSON."""

from jaipur.arena.statistics import Estimate
from jaipur.language import DECIMAL_MARKS, _, current_language, decimal


def whole(number: int) -> str:
    """A large number: `1,000,000`."""
    return f"{number:,}".replace(",", "," if DECIMAL_MARKS[current_language()] == "." else "\u202f")


def share(rate: float) -> str:
    """A share in per cent: `62.5%`."""
    return _("{number}%").format(number=decimal(100 * rate))


def interval(now: Estimate) -> str:
    """From where to where: `58.3–76.4%`."""
    return f"{decimal(100 * now.low)}–{share(now.high)}"


def in_short(now: Estimate) -> str:
    """A win rate and its interval, beside a bar."""
    return f"{share(now.rate)} ({interval(now)})"
