"""What the players of a game are called, in the reader's language: only names that people chose are stored."""

from jaipur.bots import LEVELS
from jaipur.language import _
from jaipur.table.events import GameKind


def label_of(kind: GameKind, seat: int, name: str, level: str | None) -> str:
    """A player's name on its own: `Trader`, `Ann`, or `Guest` for somebody who chose none."""
    if level is not None:
        return LEVELS[level].shown_title if level in LEVELS else level
    if name:
        return name
    if kind is GameKind.ONE_SCREEN:
        return _("Player 2") if seat else _("Player 1")
    return _("Guest")


def name_in_sentence(kind: GameKind, seat: int, name: str, level: str | None) -> str:
    """A player's name inside a sentence, with an article where the language needs one: `the Trader`, `Ann`."""
    if level in LEVELS:
        return LEVELS[level].shown_name
    return label_of(kind, seat, name, level)
