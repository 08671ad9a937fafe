"""Proofs near the end of a round: what each move is certainly worth, whatever the network thinks.

When the rival's whole hand is known and the deck is small, everything that can still happen can be listed: the cards
that refill the market, and the bonus tokens this seat draws. Every move of both sides is tried, a few turns deep. A
line that has not ended by then may be worth anything from 0 to 1, so each move has a lower and an upper bound; they
meet where the end is reached. The rival is assumed to know what this seat holds. Tokens that the rival draws stay
unknown (R19) and are averaged over at the end.
"""

import math
from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from jaipur.rules.bag import BAG_BITS, BAG_MASK, CAMEL_SHIFT, ONE_CAMEL, count, kind_of, one, size
from jaipur.rules.bonus import bonus_counts
from jaipur.rules.box import BONUS_LOWEST, BONUS_PILES, CAMEL_TOKEN, KINDS, bonus_pile
from jaipur.rules.deck import Deck
from jaipur.rules.legal import legal_codes
from jaipur.rules.rng import Rng
from jaipur.rules.round import Round
from jaipur.rules.view import View
from jaipur.rules.worlds import determinize, unseen

LARGEST_DECK: Final = 7
"""A bag has three bits for each kind, so it cannot hold a larger deck."""
_DEEPEST: Final = 8
_CHOOSE: Final = vec[i64]([math.comb(n, k) for n in range(LARGEST_DECK + 1) for k in range(LARGEST_DECK + 1)])


def can_be_listed(view: View) -> bool:
    """Whether everything that can still happen can be listed from the view."""
    return view.deck_size <= LARGEST_DECK and view.rival.hand_size == size(view.rival.known)


@final
class Position:
    """A round without its secrets: the deck and the bonus tokens are counted, not ordered.

    `cards` is the deck as a bag. Of the bonus tokens, `left` counts those in each pile, `hidden` those of each kind
    that this seat has not seen, `taken` those the rival has from each pile; this seat has `tokens`, worth `rupees`.
    """

    def __init__(self, round_: Round, cards: i64) -> None:
        self.round = round_
        self.cards = cards
        self.left: i64 = 0
        self.hidden: i64 = 0
        self.taken: i64 = 0
        self.rupees: i64 = 0
        self.tokens: i64 = 0

    def after(self, code: i64, drawn: i64) -> "Position":
        """The position after a move, if these cards come off the deck."""
        other = Position(self.round.copy(), self.cards - drawn)
        other.left = self.left
        other.hidden = self.hidden
        other.taken = self.taken
        other.rupees = self.rupees
        other.tokens = self.tokens
        other.round.deck = _deck(drawn, other.cards)
        other.round.apply(code)
        return other


def _deck(top: i64, rest: i64) -> Deck:
    cards = vec[i64](capacity=8)
    for bag in (top, rest):
        for kind in range(i64(KINDS)):
            for _ in range(count(bag, kind)):
                cards = append(cards, kind)
    return Deck(cards, 0)


@final
class Endgame:
    """Bounds for every legal move of a view. `nodes` is how many positions it may still look at."""

    def __init__(self, view: View, nodes: i64) -> None:
        self.me = view.seat
        self.nodes = nodes
        self.codes = legal_codes(view.me.hand, view.me.herd, view.market)
        self.low = vec[float]([0.0] * len(self.codes))
        self.high = vec[float]([1.0] * len(self.codes))
        self.start = _position(view)

    def solve(self) -> None:
        """Looks deeper and deeper until a move is proven best or the nodes run out."""
        for depth in range(i64(_DEEPEST)):
            for i in range(i64(len(self.codes))):
                low, high = self._after(self.start, self.codes[i], depth)
                if self.nodes <= 0:
                    return
                self.low[i] = max(self.low[i], low)
                self.high[i] = min(self.high[i], high)
            if self.proven() >= 0:
                return

    def proven(self) -> i64:
        """The index of a move that no other can beat, or -1."""
        for i in range(i64(len(self.codes))):
            best = True
            for j in range(i64(len(self.codes))):
                if j != i and self.high[j] > self.low[i]:
                    best = False
            if best:
                return i
        return -1

    def at_least(self, code: i64) -> float:
        """What a move is worth at least."""
        return self.low[self._place(code)]

    def beaten(self, code: i64) -> bool:
        """Whether another move is certainly better than this one."""
        high = self.high[self._place(code)]
        most = 0.0
        for low in self.low:
            most = max(most, low)
        return most > high

    def _place(self, code: i64) -> i64:
        at: i64 = 0
        while self.codes[at] != code:
            at += 1
        return at

    def _bounds(self, position: Position, depth: i64) -> tuple[float, float]:
        """What a position is worth to this seat, at least and at most."""
        round_ = position.round
        if round_.over:
            result = _result(position, self.me)
            return result, result
        if depth == 0 or self.nodes <= 0:
            return 0.0, 1.0
        mine = round_.turn == self.me
        mover = round_.side(round_.turn)
        low = 0.0 if mine else 1.0
        high = low
        for code in legal_codes(mover.hand, mover.herd, round_.market):
            least, most = self._after(position, code, depth - 1)
            if mine:
                low, high = max(low, least), max(high, most)
                if low == 1.0:
                    break
            else:
                low, high = min(low, least), min(high, most)
                if high == 0.0:
                    break
        return low, high

    def _after(self, position: Position, code: i64, depth: i64) -> tuple[float, float]:
        """The bounds after a move: the mean over the cards that the deck may turn up."""
        cards: i64 = 0
        if code >> BAG_BITS == 0:
            cards = 1 if code != ONE_CAMEL else position.round.market >> CAMEL_SHIFT
        cards = min(cards, size(position.cards))
        low, high, total = 0.0, 0.0, 0.0
        for drawn in _draws(position.cards, cards):
            ways = float(_ways(position.cards, drawn))
            least, most = self._token(position, position.after(code, drawn), code, depth)
            low += ways * least
            high += ways * most
            total += ways
        return low / total, high / total

    def _token(self, before: Position, after: Position, code: i64, depth: i64) -> tuple[float, float]:
        """The bounds once the cards are drawn: the mean over the bonus tokens that this seat's sale may bring."""
        self.nodes -= 1
        pile: i64 = -1
        if code & BAG_MASK == 0:
            give = code >> BAG_BITS
            pile = bonus_pile(count(give, kind_of(give)))
        if pile < 0 or count(before.left, pile) == 0:
            return self._bounds(after, depth)
        after.left -= one(pile)
        if before.round.turn != self.me:
            after.taken += one(pile)
            return self._bounds(after, depth)
        low, high, total = 0.0, 0.0, 0.0
        after.tokens += 1
        for step in range(i64(3)):
            kind = 3 * pile + step
            number = float(count(before.hidden, kind))
            if number > 0.0:
                after.hidden = before.hidden - one(kind)
                after.rupees = before.rupees + BONUS_LOWEST[pile] + step
                least, most = self._bounds(after, depth)
                low += number * least
                high += number * most
                total += number
        return low / total, high / total


def _position(view: View) -> Position:
    cards: i64 = 0
    for kind in range(i64(KINDS)):
        cards += unseen(view, kind) * one(kind)
    position = Position(determinize(view, Rng(0)), cards)
    position.round.bonus_piles = 0
    position.left = view.bonus_left
    position.hidden = bonus_counts(view.me.bonus)
    position.taken = view.rival.bonus_taken
    position.rupees = view.me.bonus_rupees
    position.tokens = view.me.bonus_tokens
    return position


def _result(position: Position, me: i64) -> float:
    """The result for this seat (R23, R24), averaged over the bonus tokens that the rival may have."""
    mine = position.round.side(me)
    theirs = position.round.side(1 - me)
    lead = mine.goods_rupees + position.rupees - theirs.goods_rupees
    if mine.herd != theirs.herd:
        lead += CAMEL_TOKEN if mine.herd > theirs.herd else -CAMEL_TOKEN
    tie = position.tokens - size(position.taken)
    if tie == 0:
        tie = mine.goods_tokens - theirs.goods_tokens
    return _share(lead, tie, position.hidden, position.taken)


def _share(lead: i64, tie: i64, hidden: i64, taken: i64) -> float:
    """The mean result, once the rival's tokens, drawn one by one from the hidden ones, are taken off the lead."""
    for pile in range(i64(BONUS_PILES)):
        if count(taken, pile) == 0:
            continue
        share, total = 0.0, 0.0
        for step in range(i64(3)):
            kind = 3 * pile + step
            number = float(count(hidden, kind))
            if number > 0.0:
                after = lead - BONUS_LOWEST[pile] - step
                share += number * _share(after, tie, hidden - one(kind), taken - one(pile))
                total += number
        return share / total
    if lead == 0:
        lead = tie
    if lead == 0:
        return 0.5
    return 1.0 if lead > 0 else 0.0


def _draws(cards: i64, number: i64) -> vec[i64]:
    """Every bag of this many cards that the deck holds."""
    bags = append(vec[i64](capacity=8), i64(0))
    for kind in range(i64(KINDS)):
        longer = vec[i64](capacity=16)
        for bag in bags:
            for more in range(min(count(cards, kind), number - size(bag)) + 1):
                longer = append(longer, bag + more * one(kind))
        bags = longer
    full = vec[i64](capacity=16)
    for bag in bags:
        if size(bag) == number:
            full = append(full, bag)
    return full


def _ways(cards: i64, drawn: i64) -> i64:
    """How many ways there are to draw these cards."""
    ways: i64 = 1
    for kind in range(i64(KINDS)):
        ways *= _CHOOSE[count(cards, kind) * (LARGEST_DECK + 1) + count(drawn, kind)]
    return ways
