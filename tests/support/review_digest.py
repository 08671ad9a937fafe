"""A short review as one line: two builds that agree on it give the same reviews. Nothing here needs pytest."""

import hashlib

from jaipur.coach.grades import Grade, Label, Task, grade
from jaipur.coach.review import Draft
from jaipur.coach.summary import player_summary
from jaipur.notation import parse_view
from tests.support.matches import played_match

_WORLDS = 8
_EVERY = 9


def review_digest() -> str:
    """A digest of a whole round's luck, sum and summaries, and of some grades with their reasons, to the last digit."""
    match = played_match(4)
    draft = Draft(match.until(len(match.rounds[0].moves)), _WORLDS, ended=True)
    lines = [repr(draft.ungraded)]
    tasks = draft.tasks()
    grades = [Grade(task.move, number * 7e-6, 0.0, Label.CLOSE) for number, task in enumerate(tasks)]
    for number in range(0, len(tasks), _EVERY):
        last = parse_view(tasks[number].view).legal_moves()[-1]
        grades[number] = grade(Task(tasks[number].view, str(last), _WORLDS))
    review = draft.review(grades)
    lines += [repr(review), *(repr(player_summary(review, seat)) for seat in (0, 1))]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
