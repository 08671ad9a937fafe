"""Jaipur, the card game: its rules, matches and records. An unofficial implementation.

The names listed here are the public ones (docs/api.md); everything else may change.
"""

from jaipur.core import bag as _bag
from jaipur.core.bag import count, letters, size
from jaipur.core.errors import IllegalMove, JaipurError, NotationError
from jaipur.core.move import Move
from jaipur.core.rng import Rng
from jaipur.core.round import Round, Score, Tally
from jaipur.core.view import View
from jaipur.core.worlds import determinize
from jaipur.match import Match
from jaipur.record import Record, RecordError

__version__ = "0.1.0"

COMPILED = not _bag.__file__.endswith(".py")
"""Whether the rulebook runs as machine code; without a C compiler it runs as plain Python, slower."""

__all__ = [
    "COMPILED",
    "IllegalMove",
    "JaipurError",
    "Match",
    "Move",
    "NotationError",
    "Record",
    "RecordError",
    "Rng",
    "Round",
    "Score",
    "Tally",
    "View",
    "count",
    "determinize",
    "letters",
    "size",
]
