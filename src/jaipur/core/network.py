"""The value network: the probability to win the round from an afterstate. One hidden layer, integer sums.

Hidden unit sums are added up from rows of weights, one row a feature. Four units share an int, 15 bits each, as
whole numbers of 1/512: adding a row is 16 additions instead of 64. From one move to the next only the rows of
the slots that changed are exchanged. Features that are halves of a pair are part of the row of the pair.
"""

import math
from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from jaipur.core.features import ALONE, FEATURES, MOVING, fill_moving, fill_still, fold_alone, rupee_lead
from jaipur.core.legal import legal_codes
from jaipur.core.view import View

HIDDEN: Final = 64
LANES: Final = 4
WORDS: Final = HIDDEN // LANES
LANE_BITS: Final = 15
LANE_MASK: Final = 0x7FFF
SCALE: Final = 512.0
_HALF: Final = 0x4000
_HALVES: Final = _HALF | _HALF << 15 | _HALF << 30 | _HALF << 45
_MOST: Final = 4000


def activation(x: float) -> float:
    """The hidden units' own curve."""
    return math.tanh(x)


_CURVE: Final = vec[float]([activation((lane - _HALF) / SCALE) for lane in range(LANE_MASK + 1)])


def whole(weight: float) -> i64:
    """A weight as a whole number of 1/512, small enough that a sum of them stays in its lane."""
    number = i64(math.floor(weight * SCALE + 0.5))
    return max(min(number, _MOST), -_MOST)


@final
class Network:
    """Weights for playing. `rows` has a row of packed ints for each feature, the last row is the bias."""

    def __init__(self, output: vec[float]) -> None:
        self.rows = vec[i64]([0] * ((FEATURES + 1) * WORDS))
        self.output = output
        self.best_value = 0.0
        self._lead: i64 = 0
        self._slots = vec[i64]([0] * ALONE)
        self._after = vec[i64]([0] * ALONE)
        self._sums = vec[i64]([0] * WORDS)

    def take_weights(self, weights: vec[float]) -> None:
        """Plays with these weights from now on: HIDDEN of them for each row."""
        numbers = vec[i64](capacity=len(weights))
        for weight in weights:
            numbers = append(numbers, whole(weight))
        self._take_whole(numbers)

    def take_bytes(self, data: bytes) -> None:
        """The same from whole numbers of 1/512, two bytes each, as a file of weights has them."""
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
        """For each move the probability that this seat wins the round after it."""
        self._look(view)
        values = vec[float](capacity=len(codes))
        for code in codes:
            values = append(values, self._value_after(view, code))
        return values

    def legal_values(self, view: View) -> vec[float]:
        """The same for all legal moves, in the order of `legal_codes`.

        Python code that is not compiled calls this one: a packed array that it hands in is never freed (mypyc 2.4).
        """
        return self.values(view, legal_codes(view.me.hand, view.me.herd, view.market))

    def _look(self, view: View) -> None:
        """Adds up the rows of the position before any move."""
        slots = self._slots
        sums = self._sums
        rows = self.rows
        fill_still(view, slots)
        self._lead = rupee_lead(view)
        fill_moving(view, 0, self._lead, slots)
        bias: i64 = FEATURES * WORDS
        for word in range(i64(WORDS)):
            sums[word] = rows[bias + word] + _HALVES
        for slot in slots:
            row = slot * WORDS
            for word in range(i64(WORDS)):
                sums[word] += rows[row + word]

    def _value_after(self, view: View, code: i64) -> float:
        """The value after a move, from the sums of the one before."""
        slots = self._slots
        after = self._after
        sums = self._sums
        rows = self.rows
        fill_moving(view, code, self._lead, after)
        for slot in range(i64(MOVING), i64(ALONE)):
            new = after[slot]
            old = slots[slot]
            if new != old:
                slots[slot] = new
                new *= WORDS
                old *= WORDS
                for word in range(i64(WORDS)):
                    sums[word] += rows[new + word] - rows[old + word]
        return self._squash(sums)

    def _squash(self, sums: vec[i64]) -> float:
        output = self.output
        total = output[HIDDEN]
        unit: i64 = 0
        for word in range(i64(WORDS)):
            lanes = sums[word]
            total += output[unit] * _CURVE[lanes & LANE_MASK]
            total += output[unit + 1] * _CURVE[(lanes >> 15) & LANE_MASK]
            total += output[unit + 2] * _CURVE[(lanes >> 30) & LANE_MASK]
            total += output[unit + 3] * _CURVE[(lanes >> 45) & LANE_MASK]
            unit += 4
        return 1.0 / (1.0 + math.exp(-total))

    def best(self, view: View) -> i64:
        """The code of the move with the best afterstate."""
        codes = legal_codes(view.me.hand, view.me.herd, view.market)
        self._look(view)
        best: i64 = 0
        best_value = -1.0
        for code in codes:
            value = self._value_after(view, code)
            if value > best_value:
                best, best_value = code, value
        self.best_value = best_value
        return best


def network_of(weights: list[float], output: list[float]) -> Network:
    """A network with these weights, given as lists: see `Network.legal_values`."""
    network = Network(vec[float](output))
    network.take_weights(vec[float](weights))
    return network
