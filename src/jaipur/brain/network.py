"""The value network: the probability of winning the round from an afterstate. One hidden layer, integer sums.

The sums of the hidden units are added up from rows of weights, one row per feature. Four units share an int, 15 bits
each, in units of 1/512: adding a row takes 16 additions instead of 64. For a move, only the rows of the slots it
changes are swapped. Most moves are exchanges, and each good taken, each good given and the camels given change slots
of their own: what each of these changes is computed once per position, and an exchange adds up a few of them.
Features that are halves of a pair are folded into the row of the pair.
"""

import math
from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from jaipur.brain.features import (
    ALONE,
    CAMEL_SLOTS,
    FEATURES,
    MOVING,
    TRADED_SLOTS,
    fill_camels,
    fill_moving,
    fill_still,
    fill_traded,
    fold_alone,
    rupee_lead,
)
from jaipur.rules.bag import BAG_BITS, BAG_MASK, CAMEL_SHIFT, count
from jaipur.rules.box import GOODS
from jaipur.rules.legal import legal_codes
from jaipur.rules.view import View

HIDDEN: Final = 64
LANES: Final = 4
WORDS: Final = HIDDEN // LANES
LANE_BITS: Final = 15
LANE_MASK: Final = 0x7FFF
SCALE: Final = 512.0
_HALF: Final = 0x4000
_HALVES: Final = _HALF | _HALF << 15 | _HALF << 30 | _HALF << 45
_MOST: Final = 4000
_NONE: Final = 7
_CHANGES: Final = 2 * _NONE + 1
"""An exchange changes the cards of a kind in the hand by -7 to +7."""
_TRADED: Final = 3


def activation(x: float) -> float:
    """The activation function of the hidden units."""
    return math.tanh(x)


_CURVE: Final = vec[float]([activation((lane - _HALF) / SCALE) for lane in range(LANE_MASK + 1)])


def chance(odds: float) -> float:
    """The probability with these log-odds."""
    return 1.0 / (1.0 + math.exp(-odds))


def whole(weight: float) -> i64:
    """A weight in units of 1/512, rounded, and bounded so that sums stay in their lane."""
    number = i64(math.floor(weight * SCALE + 0.5))
    return max(min(number, _MOST), -_MOST)


@final
class Network:
    """Weights for playing. `rows` has a row of packed ints for each feature; the last row is the bias."""

    def __init__(self, output: vec[float]) -> None:
        self.rows = vec[i64]([0] * ((FEATURES + 1) * WORDS))
        self.output = output
        self.best_value = 0.0
        self._lead: i64 = 0
        self._slots = vec[i64]([0] * ALONE)
        self._after = vec[i64]([0] * ALONE)
        self._before = vec[i64]([0] * WORDS)
        self._sums = vec[i64]([0] * WORDS)
        self._take: i64 = 0
        self._taken = vec[i64]([0] * WORDS)
        self._position: i64 = 0
        self._stamps = vec[i64]([0] * ((GOODS + 1) * _CHANGES))
        self._deltas = vec[i64]([0] * ((GOODS + 1) * _CHANGES * WORDS))

    def take_weights(self, weights: vec[float]) -> None:
        """Uses these weights from now on: HIDDEN of them for each row."""
        numbers = vec[i64](capacity=len(weights))
        for weight in weights:
            numbers = append(numbers, whole(weight))
        self._take_whole(numbers)

    def take_bytes(self, data: bytes) -> None:
        """The same from a file's bytes: whole numbers in units of 1/512, two bytes each."""
        size = i64(len(data))
        numbers = vec[i64](capacity=size // 2)
        for at in range(i64(0), size, i64(2)):
            number = i64(data[at]) | i64(data[at + 1]) << 8
            numbers = append(numbers, number - ((number & 0x8000) << 1))
        self._take_whole(numbers)

    def _take_whole(self, numbers: vec[i64]) -> None:
        for word in range(i64(len(self.rows))):
            packed: i64 = 0
            for lane in range(i64(LANES)):
                packed += numbers[word * LANES + lane] << (LANE_BITS * lane)
            self.rows[word] = packed
        fold_alone(self.rows, WORDS)

    def weight(self, row: i64, unit: i64) -> float:
        """One weight of the hidden layer, unpacked."""
        packed = self.rows[row * WORDS + unit // LANES] + _HALVES
        return float(((packed >> (LANE_BITS * (unit % LANES))) & LANE_MASK) - _HALF) / SCALE

    def values(self, view: View, codes: vec[i64]) -> vec[float]:
        """For each move, the probability that this seat wins the round after it."""
        self._look(view)
        values = vec[float](capacity=len(codes))
        for code in codes:
            values = append(values, chance(self._odds_after(view, code)))
        return values

    def legal_values(self, view: View) -> vec[float]:
        """The same for all legal moves, in the order of `legal_codes`.

        Code that is not compiled must call this one: a packed array that it passes in is never freed (mypyc 2.4).
        """
        return self.values(view, legal_codes(view.me.hand, view.me.herd, view.market))

    def _look(self, view: View) -> None:
        """Adds up the rows of the position before any move."""
        slots = self._slots
        sums = self._before
        rows = self.rows
        fill_still(view, slots)
        self._lead = rupee_lead(view)
        fill_moving(view, 0, self._lead, slots)
        self._position += 1
        self._take = 0
        bias: i64 = FEATURES * WORDS
        for word in range(i64(WORDS)):
            sums[word] = rows[bias + word] + _HALVES
        for slot in slots:
            row = slot * WORDS
            for word in range(i64(WORDS)):
                sums[word] += rows[row + word]

    def _odds_after(self, view: View, code: i64) -> float:
        """The log-odds of winning after a move."""
        take = code & BAG_MASK
        give = code >> BAG_BITS
        if take and give:
            self._exchange(view, take, give)
        else:
            self._move(view, code)
        return self._squash(self._sums)

    def _move(self, view: View, code: i64) -> None:
        """Computes the sums after any move by swapping the rows of the slots it changes."""
        slots = self._slots
        after = self._after
        sums = self._sums
        before = self._before
        rows = self.rows
        fill_moving(view, code, self._lead, after)
        for word in range(i64(WORDS)):
            sums[word] = before[word]
        for slot in range(i64(MOVING), i64(ALONE)):
            new = after[slot]
            old = slots[slot]
            if new != old:
                new *= WORDS
                old *= WORDS
                for word in range(i64(WORDS)):
                    sums[word] += rows[new + word] - rows[old + word]

    def _exchange(self, view: View, take: i64, give: i64) -> None:
        """Computes the sums after an exchange. Exchanges with the same take come in a row, so its part is kept."""
        sums = self._sums
        taken = self._taken
        if take != self._take:
            self._take = take
            for word in range(i64(WORDS)):
                taken[word] = self._before[word]
            for good in range(i64(GOODS)):
                cards = count(take, good)
                if cards:
                    self._add(taken, self._traded(view, good, cards))
        for word in range(i64(WORDS)):
            sums[word] = taken[word]
        for good in range(i64(GOODS)):
            cards = count(give, good)
            if cards:
                self._add(sums, self._traded(view, good, -cards))
        if give >> CAMEL_SHIFT:
            self._add(sums, self._camels(view, give >> CAMEL_SHIFT))

    def _add(self, sums: vec[i64], at: i64) -> None:
        deltas = self._deltas
        for word in range(i64(WORDS)):
            sums[word] += deltas[at + word]

    def _traded(self, view: View, good: i64, more: i64) -> i64:
        """Where to find the change in the sums when the hand gains `more` cards of a good."""
        at = good * _CHANGES + _NONE + more
        if self._stamps[at] != self._position:
            fill_traded(view, good, more, self._after)
            self._new_delta(at)
            for i in range(i64(_TRADED)):
                self._change(at, TRADED_SLOTS[_TRADED * good + i])
        return at * WORDS

    def _camels(self, view: View, camels: i64) -> i64:
        """The same for camels given."""
        at = GOODS * _CHANGES + camels
        if self._stamps[at] != self._position:
            fill_camels(view, camels, self._lead, self._after)
            self._new_delta(at)
            for slot in CAMEL_SLOTS:
                self._change(at, slot)
        return at * WORDS

    def _new_delta(self, at: i64) -> None:
        self._stamps[at] = self._position
        for word in range(i64(WORDS)):
            self._deltas[at * WORDS + word] = 0

    def _change(self, at: i64, slot: i64) -> None:
        """Adds the change of one slot."""
        deltas = self._deltas
        rows = self.rows
        to = at * WORDS
        new = self._after[slot] * WORDS
        old = self._slots[slot] * WORDS
        for word in range(i64(WORDS)):
            deltas[to + word] += rows[new + word] - rows[old + word]

    def _squash(self, sums: vec[i64]) -> float:
        """The output, from the sums of the hidden units. Each lane has its own total, so additions need not wait."""
        output = self.output
        curve = _CURVE
        first = output[HIDDEN]
        second = 0.0
        third = 0.0
        fourth = 0.0
        unit: i64 = 0
        for word in range(i64(WORDS)):
            lanes = sums[word]
            first += output[unit] * curve[lanes & LANE_MASK]
            second += output[unit + 1] * curve[(lanes >> 15) & LANE_MASK]
            third += output[unit + 2] * curve[(lanes >> 30) & LANE_MASK]
            fourth += output[unit + 3] * curve[(lanes >> 45) & LANE_MASK]
            unit += 4
        return (first + second) + (third + fourth)

    def best(self, view: View) -> i64:
        """The code of the move with the best afterstate."""
        codes = legal_codes(view.me.hand, view.me.herd, view.market)
        self._look(view)
        best: i64 = 0
        best_odds = -1e9
        for code in codes:
            odds = self._odds_after(view, code)
            if odds > best_odds:
                best, best_odds = code, odds
        self.best_value = chance(best_odds)
        return best


def network_of(weights: list[float], output: list[float]) -> Network:
    """A network with these weights, given as lists: see `Network.legal_values`."""
    network = Network(vec[float](output))
    network.take_weights(vec[float](weights))
    return network
