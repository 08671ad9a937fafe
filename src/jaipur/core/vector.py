"""Many rounds played at once: actions in, rows of what the next player sees out, no Python between two rounds.

All arrays can be read through the buffer protocol; `step` and `deal` write them anew.
"""

from typing import Final, final

from librt.strings import read_i32_le
from librt.vecs import vec
from mypy_extensions import i16, i32, i64, u8

from jaipur.core.actions import ACTIONS, MOST_LEGAL, code_of, fill_actions, move_of
from jaipur.core.errors import N_, IllegalMove
from jaipur.core.features import SLOTS
from jaipur.core.observation import ROW, fill_features, fill_row, new_row
from jaipur.core.rng import Rng
from jaipur.core.round import Round
from jaipur.core.view import View

MASK_BYTES: Final = (ACTIONS + 7) // 8
_ACTION_BYTES: Final = 4
_BIT: Final = 1


@final
class Rounds:
    """Rounds side by side. When one ends, the next is dealt at once from its own random numbers.

    `observations` has a row for the seat that moves next in each round, `last_observations` the last row of the seat
    that ended a round. The legal actions of round i are `legal[first[i]:first[i + 1]]`; what follows the last of them
    means nothing. `rewards` and `ended` belong to the seat that moved, `seats` says which one moves next. `masks` has
    a bit for each action, lowest bit first, and `features` a row of SLOTS for each legal action: both stay empty
    unless they are wanted.
    """

    def __init__(self, number: i64, count_rupees: bool, want_masks: bool, want_features: bool) -> None:
        self.number = number
        self.count_rupees = count_rupees
        self.want_masks = want_masks
        self.want_features = want_features
        self.observations = new_row(number)
        self.last_observations = new_row(number)
        self.rewards = vec[float]([0.0] * number)
        self.ended = vec[u8]([0] * number)
        self.seats = vec[u8]([0] * number)
        self.first = vec[i32]([0] * (number + 1))
        self.legal = vec[i32]([0] * (number * MOST_LEGAL))
        self.masks = vec[u8]([0] * (number * MASK_BYTES * i64(want_masks)))
        self.features = vec[i16]([0] * (number * MOST_LEGAL * SLOTS * i64(want_features)))
        self._rngs: list[Rng] = []
        self._tables: list[Round] = []

    def deal(self, seeds: list[int]) -> None:
        """Deals new rounds, each from a seed of its own."""
        self._rngs = [Rng(seed) for seed in seeds]
        self._tables = [_deal(rng) for rng in self._rngs]
        self._look()

    def view(self, number: i64) -> View:
        """What the seat that moves next in a round may know."""
        table = self._tables[number]
        return table.view(table.turn)

    def step(self, actions: bytes) -> None:
        """Plays one action in each round, given as 32-bit numbers. If one is illegal, none is played."""
        for i in range(self.number):
            self._check(i, i64(read_i32_le(actions, i * _ACTION_BYTES)))
        for i in range(self.number):
            table = self._tables[i]
            seat = table.turn
            table.apply(code_of(i64(read_i32_le(actions, i * _ACTION_BYTES))))
            table.stop_if_quiet()
            self.rewards[i] = 0.0
            self.ended[i] = 0
            if table.over:
                self.rewards[i] = reward(table, seat, self.count_rupees)
                self.ended[i] = 1
                fill_row(table.view(seat), 0, 0, self.last_observations, i * ROW)
                self._tables[i] = _deal(self._rngs[i])
        self._look()

    def _check(self, number: i64, action: i64) -> None:
        low = i64(self.first[number])
        high = i64(self.first[number + 1])
        while low < high:
            middle = (low + high) >> 1
            if i64(self.legal[middle]) < action:
                low = middle + 1
            else:
                high = middle
        if low == i64(self.first[number + 1]) or i64(self.legal[low]) != action:
            move = move_of(action)
            reason = self._tables[number].why_illegal(move)
            raise IllegalMove(N_("Round {number}, {move}: {reason}"), number=number, move=str(move), reason=str(reason))

    def _look(self) -> None:
        """Writes what can be seen now."""
        self._clear_masks()
        at: i64 = 0
        end: i64 = 0
        for i in range(self.number):
            table = self._tables[i]
            view = table.view(table.turn)
            self.seats[i] = u8(table.turn)
            fill_row(view, 0, 0, self.observations, i * ROW)
            at = fill_actions(view, self.legal, at)
            self.first[i + 1] = i32(at)
            if self.want_features:
                end = fill_features(view, self.features, end)
        self._set_masks()

    def _set_masks(self) -> None:
        if self.want_masks:
            for i in range(self.number):
                for j in range(i64(self.first[i]), i64(self.first[i + 1])):
                    action = i64(self.legal[j])
                    self.masks[i * MASK_BYTES + (action >> 3)] |= u8(_BIT << (action & 7))

    def _clear_masks(self) -> None:
        """Only the bits that were set: most of a mask is always empty."""
        if self.want_masks:
            for i in range(self.number):
                for j in range(i64(self.first[i]), i64(self.first[i + 1])):
                    self.masks[i * MASK_BYTES + (i64(self.legal[j]) >> 3)] = 0


def reward(table: Round, seat: i64, count_rupees: bool) -> float:
    """What a finished round brings a seat: the difference in rupees, or 1 for the seal, -1 without it, 0 for a draw."""
    score = table.score()
    if count_rupees:
        return float(score.tallies[seat].rupees - score.tallies[1 - seat].rupees)
    winner = score.winner
    if winner is None:
        return 0.0
    return 1.0 if i64(winner) == seat else -1.0


def _deal(rng: Rng) -> Round:
    starter = rng.below(2)
    return Round.deal(rng, starter)
