"""`python -m tools.pairs [PAIRS]`: the noninterference tests, with as many pairs of games as you like.

Every answer is compared in full: status, headers and body. One in ten runs is repeated with a planted leak, which must
be seen.
"""

import sys

import pytest
from tests.server import test_noninterference as tests
from tests.server.twins import twins

from jaipur.table import seen

PAIRS = 10_000
AT_ONCE = 100
"""Pairs that share two houses, before new ones are made, so that lists of games stay short."""
_SHARES: tuple[tuple[tests.Pair, int], ...] = (
    (tests.seat_pair, 66),
    (tests.spectator_pair, 26),
    (tests.guest_pair, 8),
)
LEAKS = (tests.leaks_the_hand, tests.leaks_the_deck, tests.leaks_a_bonus)


def compare(first: int, leak: tests.Leak | None = None) -> tuple[int, int]:
    """How many of the next pairs have different secrets, and how many answers differ."""
    different, found = 0, 0
    with pytest.MonkeyPatch.context() as patch, twins(patch) as houses:
        if leak is not None:
            patch.setattr(seen, "_closed", leak)
        for pair, share in _SHARES:
            for number in range(first, first + share * AT_ONCE // 100):
                secrets, answers = pair(houses, number)
                different, found = different + secrets, found + len(answers)
    return different, found


def main() -> None:
    """Prints how many pairs had different secrets, how many answers differed, and how many planted leaks were seen."""
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else PAIRS
    different = found = planted = noticed = 0
    for number, first in enumerate(range(0, pairs, AT_ONCE)):
        secrets, answers = compare(1000 + first)
        different, found = different + secrets, found + answers
        if number % 10 == 0:
            planted += 1
            noticed += compare(1000 + first, LEAKS[number // 10 % len(LEAKS)])[1] > 0
        print(f"{first + AT_ONCE} pairs, {different} with different secrets, {found} answers differ; "  # noqa: T201
              f"{noticed} of {planted} planted leaks seen", flush=True)  # fmt: skip
    sys.exit(bool(found) or noticed < planted)


if __name__ == "__main__":
    main()
