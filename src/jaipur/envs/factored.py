"""The factored actions: 57 small ones. An exchange takes several of them, one card after the other.

| action   | what                                                             |
|----------|------------------------------------------------------------------|
| 0 to 42  | take one good, the camels, sales: as in the flat numbering       |
| 43 to 48 | an exchange takes this good too                                  |
| 49 to 55 | an exchange gives this card too                                  |
| 56       | nothing more is taken                                            |

Cards are picked in the order of the notation, so that every exchange has one path and no path is the start of another.
"""

from functools import cache

from jaipur.encoding.actions import EXCHANGES, move_of
from jaipur.rules.bag import letters
from jaipur.rules.box import GOODS, KINDS, LETTERS
from jaipur.rules.errors import N_, JaipurError

TAKES = EXCHANGES
GIVES = TAKES + GOODS
TAKEN = GIVES + KINDS
FACTORED_ACTIONS = TAKEN + 1
PICKED = GOODS + KINDS + 1
"""Places that show the picks so far: goods taken, cards given, and whether taking is done."""

Picks = tuple[int, ...]


@cache
def path(action: int) -> Picks:
    """The factored actions that make up a flat one."""
    if action < EXCHANGES:
        return (action,)
    move = move_of(action)
    taken = (TAKES + LETTERS.index(letter) for letter in letters(move.take))
    given = (GIVES + LETTERS.index(letter) for letter in letters(move.give))
    return (*taken, TAKEN, *given)


def next_picks(legal: list[int], picks: Picks) -> list[int]:
    """What can be picked next, from low to high, on the way to a legal flat action."""
    at = len(picks)
    return sorted({way[at] for way in map(path, legal) if way[:at] == picks and len(way) > at})


def finished(legal: list[int], picks: Picks) -> int | None:
    """The flat action that the picks make up, if they are complete."""
    return next((action for action in legal if path(action) == picks), None)


def picked_row(picks: Picks) -> list[int]:
    """The picks so far as places of an observation."""
    row = [0] * PICKED
    for pick in picks:
        row[pick - TAKES] += 1
    return row


def pick_text(action: int) -> str:
    """A factored action as text: a whole move, `+D…` or `-M…` for part of an exchange, `…-` when taking is done."""
    if action < EXCHANGES:
        return str(move_of(action))
    if action == TAKEN:
        return "…-"
    return f"+{LETTERS[action - TAKES]}…" if action < GIVES else f"-{LETTERS[action - GIVES]}…"


def read_pick(text: str) -> int:
    """The factored action that a text stands for."""
    if text not in _TEXTS:
        raise JaipurError(N_("“{text}” is not a factored action."), text=text[:40])
    return _TEXTS.index(text)


_TEXTS = [pick_text(action) for action in range(FACTORED_ACTIONS)]
