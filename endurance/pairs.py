"""Games that differ only in secrets, pair after pair: every answer must be the same, in status, headers and body.

One in ten batches is repeated with a planted leak, which must be seen.
"""

import time
from itertools import count

import pytest
from rich.console import Console
from rich.progress import Progress
from tests.server.play import test_noninterference as tests
from tests.support.twins import make_twins

AT_ONCE = 100
"""Pairs that share two servers, before new ones are started, so that lists of games stay short."""
_SHARES: tuple[tuple[tests.Pair, int], ...] = (
    (tests.seat_pair, 66),
    (tests.spectator_pair, 26),
    (tests.guest_pair, 8),
)
LEAKS = tuple(tests.LEAKS)
_PLANTED = 10
"""A leak is planted in one batch of so many."""


def compare(first: int, leak: str | None = None) -> tuple[int, int]:
    """How many of the next pairs have different secrets, and how many answers differ."""
    different, found = 0, 0
    with pytest.MonkeyPatch.context() as patch, make_twins(patch) as twins:
        if leak is not None:
            tests.plant_leak(patch, leak)
        for pair, share in _SHARES:
            for number in range(first, first + share * AT_ONCE // 100):
                secrets, answers = pair(twins, number)
                different, found = different + secrets, found + len(answers)
    return different, found


def measure(seconds: float) -> dict[str, object]:
    """As many batches as there is time for, at least one."""
    start, pairs, different, found, planted, missed = time.monotonic(), 0, 0, 0, 0, 0
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task("seconds", total=seconds)
        for batch in count():
            first = 1000 + batch * AT_ONCE
            secrets, answers = compare(first)
            pairs, different, found = pairs + AT_ONCE, different + secrets, found + answers
            if batch % _PLANTED == 0:
                planted += 1
                missed += not compare(first, LEAKS[batch // _PLANTED % len(LEAKS)])[1]
            progress.update(task, completed=time.monotonic() - start)
            if time.monotonic() - start > seconds:
                break
    return {
        "pairs": pairs,
        "pairs_with_different_secrets": different,
        "answers_that_differ": found,
        "planted_leaks": planted,
        "planted_leaks_missed": missed,
    }
