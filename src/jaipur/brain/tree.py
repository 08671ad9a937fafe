"""Classic tree search: information-set UCT with rollouts, without any network.

It is an outsider to measure against, and shares no opinions with the learned players. Every try deals a world that
agrees with the view and walks down one tree for both sides: moves never tried at a node come first, then the one with
the best upper bound; after that a cheap hand-written policy plays on to the end of the round. For moves that only
some worlds allow, the bound counts how often they were allowed (Cowling, Powley and Whitehouse, 2012).
"""

import math
from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from jaipur.rules.bag import BAG_BITS, ONE_CAMEL, count, one, size
from jaipur.rules.box import GOODS, HAND_LIMIT, SILVER, bonus_pile, smallest_sale
from jaipur.rules.discard import sale_rupees
from jaipur.rules.legal import legal_codes
from jaipur.rules.playout import RandomMover
from jaipur.rules.rng import Rng
from jaipur.rules.round import Round
from jaipur.rules.view import View
from jaipur.rules.worlds import determinize

_EXPLORE: Final = 0.7
_RANDOM: Final = 8
"""One rollout move in this many is completely random."""
_BONUS_WORTH: Final = vec[i64]([2, 5, 9])
_GOOD_SALE: Final = 3


@final
class Node:
    """A move at its place in the tree: how often it was allowed and tried, and its total result for the mover."""

    def __init__(self, code: i64) -> None:
        self.code = code
        self.allowed: i64 = 0
        self.visits: i64 = 0
        self.total = 0.0
        self.children: dict[i64, Node] = {}

    def bound(self) -> float:
        """What the move may be worth at best."""
        visits = float(self.visits)
        return self.total / visits + _EXPLORE * math.sqrt(math.log(float(self.allowed)) / visits)


@final
class Tree:
    """Thinks about one view. `run` may be called again and again; `best` is the answer so far."""

    def __init__(self, view: View, rng: Rng) -> None:
        self.view = view
        self.rng = rng
        self.root = Node(0)
        self.mover = RandomMover(rng)

    def run(self, tries: i64) -> None:
        """Makes some more tries."""
        for _ in range(tries):
            world = determinize(self.view, self.rng)
            path: list[Node] = []
            seats = vec[i64](capacity=64)
            node = self.root
            while not world.over and (node is self.root or node.visits > 0):
                me = world.side(world.turn)
                node = self._select(node, legal_codes(me.hand, me.herd, world.market))
                path.append(node)
                seats = append(seats, world.turn)
                world.apply(node.code)
                world.stop_if_quiet()
            self._finish(world)
            score = world.score()
            for i in range(i64(len(path))):
                path[i].visits += 1
                path[i].total += score.result(seats[i])

    def best(self) -> i64:
        """The code of the move tried most often."""
        best: Node | None = None
        for node in self.root.children.values():
            if best is None or node.visits > best.visits:
                best = node
        assert best is not None
        return best.code

    def _select(self, node: Node, codes: vec[i64]) -> Node:
        """A random one of the moves never tried here, else the one with the best bound."""
        children = node.children
        fresh = vec[i64](capacity=32)
        for code in codes:
            if code not in children:
                fresh = append(fresh, code)
                children[code] = Node(code)
            elif children[code].visits == 0:
                fresh = append(fresh, code)
            children[code].allowed += 1
        if len(fresh) > 0:
            return children[fresh[self.rng.below(i64(len(fresh)))]]
        best = children[codes[0]]
        best_bound = -1.0
        for code in codes:
            bound = children[code].bound()
            if bound > best_bound:
                best, best_bound = children[code], bound
        return best

    def _finish(self, world: Round) -> None:
        """Plays on to the end of the round."""
        while not world.over:
            if self.rng.below(_RANDOM) == 0:
                me = world.side(world.turn)
                code = self.mover.choose(me.hand, me.herd, world.market)
            else:
                code = self._rollout_move(world)
            world.apply(code)
            world.stop_if_quiet()

    def _rollout_move(self, world: Round) -> i64:
        """A good sale, else the most valuable good, else the camels, else any sale, else a random move."""
        me = world.side(world.turn)
        sale = _best_sale(me.hand, world.discard)
        cards = size(sale)
        if sale and (cards >= _GOOD_SALE or size(me.hand) == HAND_LIMIT or sale < one(SILVER + 1)):
            return sale << BAG_BITS
        if size(me.hand) < HAND_LIMIT:
            take = _best_take(world.market, world.discard)
            if take:
                return take
        if world.market >= ONE_CAMEL:
            return ONE_CAMEL
        if sale:
            return sale << BAG_BITS
        return self.mover.choose(me.hand, me.herd, world.market)


def _best_sale(hand: i64, discard: i64) -> i64:
    """The bag of goods of one kind that brings the most rupees now."""
    best: i64 = 0
    most: i64 = -1
    for good in range(i64(GOODS)):
        cards = count(hand, good)
        if cards < smallest_sale(good):
            continue
        rupees = sale_rupees(discard, good, cards)
        pile = bonus_pile(cards)
        if pile >= 0:
            rupees += _BONUS_WORTH[pile]
        if rupees > most:
            best, most = cards * one(good), rupees
    return best


def _best_take(market: i64, discard: i64) -> i64:
    """The good in the market whose next token is worth most."""
    best: i64 = 0
    most: i64 = -1
    for good in range(i64(GOODS)):
        if count(market, good):
            rupees = sale_rupees(discard, good, 1)
            if rupees > most:
                best, most = one(good), rupees
    return best
