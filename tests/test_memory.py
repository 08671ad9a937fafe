"""A decision leaves nothing behind. How much memory long runs take is measured in endurance/suites/test_memory.py."""

import gc
import random
import sys
from collections.abc import Callable

from jaipur import Match, Rng
from jaipur.bots import LEVELS, Budget
from jaipur.brain.features import FEATURES
from jaipur.brain.network import HIDDEN
from jaipur.training.checkpoint import Plan
from jaipur.training.train import learn_stretch
from tests.envs.agreement import openspiel

CALLS = 50
FEW = 4
FLOAT_BYTES = 8


def left_behind(call: Callable[[], object], calls: int = CALLS) -> int:
    """How many more blocks are in use after some calls: the least of six counts, since caches fill up first."""
    return min(_more_blocks(call, calls) for _time in range(6))


def _more_blocks(call: Callable[[], object], calls: int) -> int:
    gc.collect()
    before = sys.getallocatedblocks()
    for _call in range(calls):
        call()
    gc.collect()
    return sys.getallocatedblocks() - before


def test_decisions_leave_nothing_behind() -> None:
    round_ = Match(1).round
    view, rng = round_.view(round_.turn), Rng(1)
    players = [level.make() for name, level in LEVELS.items() if name != "vizier"]
    assert left_behind(lambda: [player.choose(view, Budget(worlds=1), rng) for player in players]) < CALLS // 2


def test_rounds_with_luck_from_outside_leave_nothing_behind() -> None:
    """The same round each time, so that no table of what was seen before can grow."""
    assert left_behind(lambda: openspiel(1, random.Random(8))) < CALLS // 2


def test_learning_leaves_nothing_behind() -> None:
    weights = bytes((FEATURES + 1) * HIDDEN * FLOAT_BYTES), bytes((HIDDEN + 1) * FLOAT_BYTES)
    packed = *weights, *weights, bytes((FEATURES + 1) * FLOAT_BYTES)
    assert left_behind(lambda: learn_stretch(Plan(stretch=1), packed, 0, 0), FEW) < FEW
