"""Uniformly random rounds: every legal move is equally likely. The core's benchmark and its fingerprint."""

from typing import NamedTuple

from mypy_extensions import i64

from jaipur.core.legal import RandomMover
from jaipur.core.rng import Rng
from jaipur.core.round import Round


class Playouts(NamedTuple):
    """What some random rounds added up to."""

    turns: int
    moves_seen: int


def random_turns(table: Round, mover: RandomMover) -> i64:
    """Plays a round to its end and counts the turns."""
    turns: i64 = 0
    while not table.over:
        me = table.second if table.turn else table.first
        table.apply(mover.choose(me.hand, me.herd, table.market))
        turns += 1
    return turns


def random_rounds(rounds: i64, rng: Rng) -> Playouts:
    """Plays whole rounds from the deal to the end."""
    mover = RandomMover(rng)
    turns: i64 = 0
    for _ in range(rounds):
        turns += random_turns(Round.deal(rng), mover)
    return Playouts(turns, mover.moves_seen)
