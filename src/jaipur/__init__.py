"""Jaipur, the card game: its rules, matches and records. An unofficial implementation.

The names listed here, in `jaipur.bots` and in `jaipur.envs` are public (docs/api.md); everything else may change.
"""

from jaipur import art as _art  # noqa: F401 - lets notebooks show views and rounds as pictures
from jaipur.match import Match
from jaipur.notation import parse_round, parse_view
from jaipur.record import Record, RecordError
from jaipur.rules import bag as _bag
from jaipur.rules.bag import count, letters, size
from jaipur.rules.errors import IllegalMove, JaipurError, NotationError
from jaipur.rules.move import Move
from jaipur.rules.rng import Rng
from jaipur.rules.round import Round
from jaipur.rules.score import Decision, Ending, Score, Tally
from jaipur.rules.side import Rival, Side
from jaipur.rules.view import View
from jaipur.rules.worlds import determinize
from jaipur.version import __version__

COMPILED = not _bag.__file__.endswith(".py")
"""Whether the rulebook runs as machine code; built without a C compiler, it runs as plain Python, slower."""

__all__ = [
    "COMPILED",
    "Decision",
    "Ending",
    "IllegalMove",
    "JaipurError",
    "Match",
    "Move",
    "NotationError",
    "Record",
    "RecordError",
    "Rival",
    "Rng",
    "Round",
    "Score",
    "Side",
    "Tally",
    "View",
    "__version__",
    "count",
    "determinize",
    "letters",
    "parse_round",
    "parse_view",
    "size",
]
