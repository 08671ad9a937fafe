"""Learning by self-play: TD(lambda) on afterstates; the target is whether the round was won.

Both sides play the move with the best afterstate. After the round every afterstate is pulled towards what the later
ones say about it, seen from the same side: mostly the result, partly the network's own later opinion.

Against an opponent that does not learn, only the learner's own afterstates count.

A rare feature learns in larger steps, or it would never learn: see `_step_of`.

There are two sets of weights. One learns and is restless: it chases the latest rounds. The other follows it slowly, as
an average over many recent rounds; it plays, gives the opinions, and is the final result.
"""

import math
from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from jaipur.brain.features import FEATURES, SLOTS, fill_alone, fill_moving, fill_still, rupee_lead
from jaipur.brain.network import HIDDEN, Network, activation
from jaipur.rules.legal import legal_codes
from jaipur.rules.rng import Rng
from jaipur.rules.round import Round
from jaipur.rules.view import View

STEP_ROUNDS: Final = 50
"""Rounds between two steps of the steady weights."""
_COMMON: Final = 0.05
"""A feature seen in this fraction of the positions or more learns in plain steps."""
_LARGEST_STEP: Final = 20.0


def new_weights(rng: Rng) -> vec[float]:
    """Small random weights for the hidden layer: a row for each feature, the last one for the bias."""
    return _small_numbers((FEATURES + 1) * HIDDEN, rng)


def new_output(rng: Rng) -> vec[float]:
    """Small random weights for the output, the last one for the bias."""
    return _small_numbers(HIDDEN + 1, rng)


def new_seen() -> vec[float]:
    """How often each feature has been seen; the bias, which comes last, is seen in every position."""
    return vec[float]([1.0] * (FEATURES + 1))


def _small_numbers(number: i64, rng: Rng) -> vec[float]:
    numbers = vec[float](capacity=number)
    for _ in range(number):
        numbers = append(numbers, (float(rng.below(2001)) - 1000.0) / 10000.0)
    return numbers


@final
class Learner:
    """Weights that change after every round, and the steady ones that follow them.

    `error` adds up the squared errors of all `positions`.
    """

    def __init__(
        self,
        weights: vec[float],
        output: vec[float],
        steady_weights: vec[float],
        steady_output: vec[float],
        seen: vec[float],
        rng: Rng,
    ) -> None:
        self.weights = weights
        self.output = output
        self.steady_weights = steady_weights
        self.steady_output = steady_output
        self.seen = seen
        self.rng = rng
        self.opponent: Network | None = None
        self.seat: i64 = 0
        self.network = Network(steady_output)
        self.error = 0.0
        self.positions: i64 = 0
        self._hidden = vec[float]([0.0] * HIDDEN)
        self._slots = vec[i64]([0] * SLOTS)
        self._afterstates = vec[i64]()
        self._values = vec[float]()

    def play(self, rounds: i64, rate: float, trace: float, explore: float, follow: float) -> None:
        """Plays rounds and learns from each; every `STEP_ROUNDS` the steady weights take a step."""
        for number in range(rounds):
            if number % STEP_ROUNDS == 0:
                _follow(self.steady_weights, self.weights, follow)
                _follow(self.steady_output, self.output, follow)
                self.network.take_weights(self.steady_weights)
            self.seat = number & 1
            self._learn_round(self._play_round(i64(explore * 65536.0)), rate, trace)

    def _play_round(self, explore: i64) -> Round:
        """Plays one round and remembers the learner's afterstates and their values."""
        opponent = self.opponent
        self._afterstates = vec[i64](capacity=4096)
        self._values = vec[float](capacity=64)
        round_ = Round.deal(self.rng)
        while not round_.over:
            view = round_.view(round_.turn)
            if opponent is not None and round_.turn != self.seat:
                code = opponent.best(view)
            else:
                code = self._choose(view, explore)
                self._remember(view, code)
            round_.apply(code)
            round_.stop_if_quiet()
        return round_

    def _choose(self, view: View, explore: i64) -> i64:
        if self.rng.below(65536) >= explore:
            code = self.network.best(view)
            self._values = append(self._values, self.network.best_value)
            return code
        codes = legal_codes(view.me.hand, view.me.herd, view.market)
        code = codes[self.rng.below(i64(len(codes)))]
        self._values = append(self._values, self.network.values(view, vec[i64]([code]))[0])
        return code

    def _remember(self, view: View, code: i64) -> None:
        slots = self._slots
        fill_still(view, slots)
        fill_moving(view, code, rupee_lead(view), slots)
        fill_alone(slots)
        for slot in slots:
            self._afterstates = append(self._afterstates, slot)

    def _learn_round(self, played: Round, rate: float, trace: float) -> None:
        """Learns from the last afterstate to the first: each target is the next one, seen from the side that moved."""
        alone = self.opponent is not None
        target = played.score().result(self.seat if alone else 1 - played.turn)
        at = i64(len(self._values)) - 1
        while at >= 0:
            self._learn(at * SLOTS, target, rate)
            target = trace * target + (1.0 - trace) * self._values[at]
            if not alone:
                target = 1.0 - target
            at -= 1

    def _learn(self, start: i64, target: float, rate: float) -> None:
        """One step of gradient descent on the cross-entropy of one afterstate."""
        output = self.output
        hidden = self._hidden
        wrong = self._forward(start) - target
        self.error += wrong * wrong
        self.positions += 1
        step = rate * wrong
        for unit in range(i64(HIDDEN)):
            level = hidden[unit]
            hidden[unit] = step * output[unit] * (1.0 - level * level)
            output[unit] -= step * level
        output[HIDDEN] -= step
        self._subtract_from_rows(start)

    def _forward(self, start: i64) -> float:
        """The value of an afterstate; leaves the hidden units' activations in `_hidden`."""
        hidden = self._hidden
        weights = self.weights
        bias: i64 = FEATURES * HIDDEN
        for unit in range(i64(HIDDEN)):
            hidden[unit] = weights[bias + unit]
        for i in range(i64(SLOTS)):
            row = self._afterstates[start + i] * HIDDEN
            for unit in range(i64(HIDDEN)):
                hidden[unit] += weights[row + unit]
        total = self.output[HIDDEN]
        for unit in range(i64(HIDDEN)):
            hidden[unit] = activation(hidden[unit])
            total += hidden[unit] * self.output[unit]
        return 1.0 / (1.0 + math.exp(-total))

    def _subtract_from_rows(self, start: i64) -> None:
        """Subtracts the change of each hidden unit from the weights that led to it."""
        hidden = self._hidden
        weights = self.weights
        bias: i64 = FEATURES * HIDDEN
        self.seen[FEATURES] += 1.0
        for unit in range(i64(HIDDEN)):
            weights[bias + unit] -= hidden[unit]
        for i in range(i64(SLOTS)):
            feature = self._afterstates[start + i]
            row = feature * HIDDEN
            step = self._step_of(feature)
            for unit in range(i64(HIDDEN)):
                weights[row + unit] -= step * hidden[unit]

    def _step_of(self, feature: i64) -> float:
        """Counts a feature and returns the factor of its step: the square root of how much rarer than common it is."""
        self.seen[feature] += 1.0
        common = _COMMON * self.seen[FEATURES]
        if self.seen[feature] >= common:
            return 1.0
        return min(math.sqrt(common / self.seen[feature]), _LARGEST_STEP)


def _follow(steady: vec[float], restless: vec[float], part: float) -> None:
    """Moves the steady weights this fraction of the way towards the others."""
    for i in range(i64(len(steady))):
        steady[i] += part * (restless[i] - steady[i])


def learner_of(parts: list[list[float]], rng: Rng) -> Learner:
    """A learner that starts from these weights, given as lists in its own order: see `Network.legal_values`."""
    weights, output, steady_weights, steady_output, seen = [vec[float](part) for part in parts]
    return Learner(weights, output, steady_weights, steady_output, seen, rng)
