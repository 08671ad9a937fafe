"""Long duels and long training do not use up memory: a decision leaves nothing behind."""

import gc
import random
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.envs.agreement import openspiel

from jaipur import Match, Rng
from jaipur.bots import LEVELS, Budget
from jaipur.brain.features import FEATURES
from jaipur.brain.network import HIDDEN
from jaipur.training.checkpoint import Plan
from jaipur.training.train import learn_stretch

_MEGABYTE = 1 << 20
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the size of a process is read from /proc")


def grown(call: Callable[[], object], calls: int) -> int:
    """How many bytes the process grows by with this many calls: the least of two measurements.

    What is left behind grows every time. An allocator that keeps a block or two for itself does so only once.
    """
    for _call in range(calls // 4):
        call()
    return min(_growth(call, calls) for _time in range(2))


def _growth(call: Callable[[], object], calls: int) -> int:
    gc.collect()
    before = _size()
    for _call in range(calls):
        call()
    gc.collect()
    return _size() - before


def _size() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


@pytest.mark.parametrize("level", [name for name in LEVELS if name != "vizier"])
def test_decisions_leave_nothing_behind(level: str) -> None:
    round_ = Match(1).round
    view, player, rng = round_.view(round_.turn), LEVELS[level].make(), Rng(1)
    assert grown(lambda: player.choose(view, Budget(worlds=1), rng), 8000) < _MEGABYTE


def test_learning_leaves_nothing_behind() -> None:
    float_size = 8
    weights = bytes((FEATURES + 1) * HIDDEN * float_size), bytes((HIDDEN + 1) * float_size)
    seen = bytes((FEATURES + 1) * float_size)
    packed = *weights, *weights, seen
    assert grown(lambda: learn_stretch(Plan(stretch=1), packed, 0, 0), 40) < 4 * _MEGABYTE


def test_rounds_with_luck_from_outside_leave_nothing_behind() -> None:
    luck = random.Random(8)
    assert grown(lambda: openspiel(1, luck), 200) < _MEGABYTE
