"""The headline: points lost per open decision, which tells levels apart whoever the opponent is.

Two things hide skill in the plain mean of all losses. Whoever is far behind, or far ahead, has little left to lose, so
the mean depends on the opponent. And a few disasters of fifty points or more outweigh all the rest. So a decision
counts only if the round is still open before the move, and a blunder counts the same however large it is.
"""

from jaipur.coach.grades import LIMITS, Label

_LOW, _HIGH = 0.1, 0.9
MOST = LIMITS[Label.BLUNDER]
"""The most that one decision counts."""


def is_open(chance: float) -> bool:
    """Whether the round is still open for a player with this chance before the move."""
    return _LOW <= chance <= _HIGH


def counted(loss: float) -> float:
    """What a loss counts in the headline. A negative loss is noise but stays: without it the mean would be too high."""
    return min(loss, MOST)
