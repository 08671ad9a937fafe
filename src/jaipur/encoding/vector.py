"""Many rounds played at once: actions in, rows of what the next player sees out, and no Python in between.

All arrays can be read through the buffer protocol; `step` and `deal` overwrite them.
"""

from typing import Final, final

from librt.strings import read_i32_le
from librt.vecs import vec
from mypy_extensions import i16, i32, i64, u8

from jaipur.brain.features import SLOTS
from jaipur.encoding.actions import ACTIONS, MOST_LEGAL, code_of, fill_actions, move_of
from jaipur.encoding.observation import ROW, fill_features, fill_row, new_row
from jaipur.rules.errors import N_, IllegalMove
from jaipur.rules.rng import Rng
from jaipur.rules.round import Round
from jaipur.rules.view import View

MASK_BYTES: Final = (ACTIONS + 7) // 8
_ACTION_BYTES: Final = 4
_BIT: Final = 1


@final
class Rounds:
    """Rounds side by side. When one ends, the next is dealt at once from the same random generator.

    `observations` has a row for the seat to move in each round, `last_observations` the final row of the seat that
    ended a round. The legal actions of round i are `legal[first[i]:first[i + 1]]`; whatever follows the last of them is
    meaningless. `rewards` and `ended` belong to the seat that moved, `seats` says which one moves next. `masks` has a
    bit for each action, lowest bit first, and `features` a row of SLOTS for each legal action: both stay empty unless
    wanted.
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
        self._rounds: list[Round] = []

    def deal(self, seeds: list[int]) -> None:
        """Deals new rounds, each from its own seed."""
        self._rngs = [Rng(seed) for seed in seeds]
        self._rounds = [_deal(rng) for rng in self._rngs]
        self._look()

    def view(self, number: i64) -> View:
        """What the seat to move in a round may know."""
        round_ = self._rounds[number]
        return round_.view(round_.turn)

    def step(self, actions: bytes) -> None:
        """Plays one action in each round, given as 32-bit numbers. If one is illegal, none is played."""
        self.check(actions)
        self.play(actions)

    def check(self, actions: bytes) -> None:
        """Refuses the first action that is illegal."""
        for i in range(self.number):
            self._check(i, i64(read_i32_le(actions, i * _ACTION_BYTES)))

    def play(self, actions: bytes) -> None:
        """Plays actions that have been checked."""
        rounds, rewards, ended = self._rounds, self.rewards, self.ended
        for i in range(self.number):
            round_ = rounds[i]
            seat = round_.turn
            round_.apply(code_of(i64(read_i32_le(actions, i * _ACTION_BYTES))))
            round_.stop_if_quiet()
            rewards[i] = 0.0
            ended[i] = 0
            if round_.over:
                rewards[i] = round_.score().reward(seat, self.count_rupees)
                ended[i] = 1
                fill_row(round_.view(seat), 0, 0, self.last_observations, i * ROW)
                rounds[i] = _deal(self._rngs[i])
        self._look()

    def _check(self, number: i64, action: i64) -> None:
        if not (self._in_mask(number, action) if self.want_masks else self._in_list(number, action)):
            move = move_of(action)
            reason = self._rounds[number].why_illegal(move)
            raise IllegalMove(N_("Round {number}, {move}: {reason}"), number=number, move=str(move), reason=str(reason))

    def _in_mask(self, number: i64, action: i64) -> bool:
        if action < 0 or action >= ACTIONS:
            return False
        return (i64(self.masks[number * MASK_BYTES + (action >> 3)]) >> (action & 7)) & 1 == 1

    def _in_list(self, number: i64, action: i64) -> bool:
        legal = self.legal
        low = i64(self.first[number])
        left = i64(self.first[number + 1]) - low
        while left > 1:  # at least one action is legal; multiplied, not branched, since no processor could predict it
            half = left >> 1
            low += half * i64(i64(legal[low + half - 1]) < action)
            left -= half
        return i64(legal[low]) == action

    def _look(self) -> None:
        """Writes what the seats to move see now."""
        rounds, view = self._rounds, self.view(0)
        rows, seats, legal, first, masks = self.observations, self.seats, self.legal, self.first, self.masks
        old, old_first = legal[: i64(first[self.number]) * i64(self.want_masks)], first[:]
        at: i64 = 0
        end: i64 = 0
        for i in range(self.number):
            rounds[i].show(view)
            seats[i] = u8(view.seat)
            fill_row(view, 0, 0, rows, i * ROW)
            begins = at
            at = fill_actions(view, legal, at)
            first[i + 1] = i32(at)
            if self.want_masks:
                # A mask is mostly empty: only the few bytes of the old and the new actions are touched.
                _clear_bits(old, i64(old_first[i]), i64(old_first[i + 1]), masks, i * MASK_BYTES)
                _set_bits(legal, begins, at, masks, i * MASK_BYTES)
            if self.want_features:
                end = fill_features(view, self.features, end)


def _clear_bits(actions: vec[i32], begin: i64, end: i64, masks: vec[u8], mask: i64) -> None:
    """Clears some actions in the mask that begins at `mask`, each with its neighbours in the same byte."""
    for i in range(begin, end):
        masks[mask + (i64(actions[i]) >> 3)] = 0


def _set_bits(actions: vec[i32], begin: i64, end: i64, masks: vec[u8], mask: i64) -> None:
    for i in range(begin, end):
        action = i64(actions[i])
        masks[mask + (action >> 3)] |= u8(_BIT << (action & 7))


def _deal(rng: Rng) -> Round:
    starter = rng.below(2)
    return Round.deal(rng, starter)
