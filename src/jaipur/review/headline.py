"""The headline: points lost per open decision, which tells levels apart whoever sits opposite.

Two things hide skill in the plain mean of all losses. Whoever is far behind, or far ahead, has little left to lose, so
the mean tells who the rival was. And a few disasters of fifty points and more outweigh all the rest. So only decisions
count where the round is still open before the move, and a blunder counts as a blunder, however large it is.
"""

from jaipur.review.grades import LIMITS, Label

_LOW, _HIGH = 0.1, 0.9
MOST = LIMITS[Label.BLUNDER]
"""What one decision counts at most."""


def is_open(chance: float) -> bool:
    """Whether a round is still open for the player who has this chance before the move."""
    return _LOW <= chance <= _HIGH


def counted(loss: float) -> float:
    """What a loss counts in the headline. A loss below zero is noise and stays: the mean would be too high."""
    return min(loss, MOST)
