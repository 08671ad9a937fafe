"""A short review as one line: two cores that agree on it review alike. Nothing here needs pytest."""

import hashlib

from jaipur.review.grades import Task, grade
from jaipur.review.luck import positions, round_luck
from tests.review.matches import played_match

_WORLDS = 8
_EVERY = 9


def review_digest() -> str:
    """Luck of a whole round and some grades of it, with their reasons, to the last digit."""
    match = played_match(4)
    dealt, played = match.deal(1, match.rounds[0].starter), match.rounds[0]
    lines = [repr(round_luck(dealt, played))]
    for before, _move in list(positions(dealt, played))[::_EVERY]:
        task = Task(str(before.view(before.turn)), str(before.legal_moves()[-1]), _WORLDS)
        lines.append(repr(grade(task)))
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
