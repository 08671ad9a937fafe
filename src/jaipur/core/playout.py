"""Uniformly random rounds, the core's own benchmark: every legal move is equally likely."""

from typing import NamedTuple

from mypy_extensions import i64

from jaipur.core.legal import RandomMover
from jaipur.core.rng import Rng
from jaipur.core.round import Round


class Playouts(NamedTuple):
    """What some random rounds added up to."""

    rounds: int
    turns: int
    rupees: int


def play_random_rounds(rounds: i64, rng: Rng) -> Playouts:
    """Plays whole rounds from the deal to the end."""
    mover = RandomMover(rng)
    turns: i64 = 0
    rupees: i64 = 0
    for _ in range(rounds):
        table = Round.deal(rng)
        while not table.over:
            me = table.second if table.turn else table.first
            table.apply(mover.choose(me.hand, me.herd, table.market))
            turns += 1
        rupees += table.first.goods_rupees - table.second.goods_rupees
    return Playouts(rounds, turns, rupees)
