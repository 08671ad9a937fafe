"""What an opponent probably holds, judging by what they have not sold.

The unseen cards of a hand are cards from the deal (R6). Nobody keeps them for long once their tokens start to go, so
the cards are not all equally likely: each is weighted by how likely it is to be in the hand still.
"""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from jaipur.rules.bag import size
from jaipur.rules.box import GOODS
from jaipur.rules.discard import discarded
from jaipur.rules.rng import Rng
from jaipur.rules.round import Round
from jaipur.rules.view import View
from jaipur.rules.worlds import unseen, world_with

_HELD: Final = (
    (562, 307, 307, 269, 43, 23, 23, 23, 23, 23),
    (634, 269, 269, 279, 33, 18, 18, 18, 18, 18),
    (790, 352, 352, 300, 95, 29, 29, 29, 29, 29),
    (477, 142, 52, 18, 4, 2, 1, 1, 1, 1),
    (453, 141, 46, 15, 3, 2, 1, 1, 1, 1),
    (374, 111, 51, 29, 10, 5, 3, 2, 2, 2),
)
"""For each good, by how many of its cards are sold: how likely a card is held, as seen in the merchant's rounds.

Where a number of sold cards never occurred, the odds are its neighbour's.
"""
_SPAN: Final = 10
_ODDS: Final = vec[i64]([odds for row in _HELD for odds in row])


def likely_world(view: View, rng: Rng) -> Round:
    """Like `determinize`, a round that this seat cannot tell from the real one, but with likely cards in the hand."""
    left = vec[i64]([0] * GOODS)
    odds = vec[i64]([0] * GOODS)
    total: i64 = 0
    for good in range(i64(GOODS)):
        left[good] = unseen(view, good)
        odds[good] = _ODDS[good * _SPAN + min(discarded(view.discard, good), _SPAN - 1)]
        total += left[good] * odds[good]
    cards = vec[i64](capacity=64)
    for _ in range(view.rival.hand_size - size(view.rival.known)):
        drawn = _draw(left, odds, rng.below(total))
        cards = append(cards, drawn)
        left[drawn] -= 1
        total -= odds[drawn]
    for good in range(i64(GOODS)):
        for _ in range(left[good]):
            cards = append(cards, good)
    return world_with(view, cards, rng)


def _draw(left: vec[i64], odds: vec[i64], at: i64) -> i64:
    """The good that a random number falls on: each has its share of the total."""
    good: i64 = 0
    while at >= left[good] * odds[good]:
        at -= left[good] * odds[good]
        good += 1
    return good
