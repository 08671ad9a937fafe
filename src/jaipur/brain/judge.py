"""The judge: tries two moves in the same likely worlds, lets the network play on, and compares them world by world.

A try is worth what this seat thinks when it moves ten, twelve and fourteen turns later. Earlier opinions are too close
to the one being checked. The result itself is a fact, not an opinion, but so noisy that it takes seven times as many
worlds (docs/coach.md has the figures). Reasons are counted in rounds played to the end, since only these have a score
sheet; all counts there are whole numbers, so the sums are the same on every machine.
"""

import math
from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from jaipur.brain.beliefs import likely_world
from jaipur.brain.network import Network
from jaipur.rules.bag import BAG_BITS, BAG_MASK, count, kind_of, size
from jaipur.rules.box import GOODS, KINDS
from jaipur.rules.discard import sale_rupees
from jaipur.rules.rng import Rng
from jaipur.rules.round import Round
from jaipur.rules.view import View

_FIRST: Final = 10
"""How many turns after the move the first opinion counts."""
_LAST: Final = 14
_OPINIONS: Final = 3.0

# What is counted in a round played to its end. Rupees are those gained after the position.
RESULT: Final = 0
"""Twice the result, so that a draw too is a whole number."""
MY_GOODS: Final = 1
THEIR_GOODS: Final = MY_GOODS + GOODS
MY_BONUS: Final = THEIR_GOODS + GOODS
THEIR_BONUS: Final = MY_BONUS + 1
MY_CAMEL: Final = THEIR_BONUS + 1
"""The camel token, in rupees like the other tokens."""
THEIR_CAMEL: Final = MY_CAMEL + 1
TURNS: Final = THEIR_CAMEL + 1
MY_UNSOLD: Final = TURNS + 1
THEIR_UNSOLD: Final = MY_UNSOLD + 1
TAKEN_NEXT: Final = THEIR_UNSOLD + 1
"""For each kind, whether the rival's reply takes cards of it."""
COLUMNS: Final = TAKEN_NEXT + KINDS


@final
class Gap:
    """How far one move is ahead of another: the mean over the worlds, its standard error, and both moves' values."""

    def __init__(self, mean: float, error: float, better: float, worse: float) -> None:
        self.mean = mean
        self.error = error
        self.better = better
        self.worse = worse


@final
class Count:
    """One column over all worlds: the mean for each of two moves, and the standard error of their difference."""

    def __init__(self, better: float, worse: float, error: float) -> None:
        self.better = better
        self.worse = worse
        self.error = error


@final
class Judge:
    """Judges moves of one view, always for the seat of that view."""

    def __init__(self, view: View, network: Network) -> None:
        self.view = view
        self.network = network
        self._row = vec[i64]([0] * COLUMNS)
        self._kept = vec[i64]([0] * COLUMNS)

    def gap(self, better: i64, worse: i64, worlds: i64, rng: Rng) -> Gap:
        """How far the first of two moves is ahead."""
        first, second, squares = 0.0, 0.0, 0.0
        for _ in range(worlds):
            world = likely_world(self.view, rng)
            ahead = self._opinion(world.copy(), better)
            behind = self._opinion(world, worse)
            first += ahead
            second += behind
            squares += (ahead - behind) * (ahead - behind)
        number = float(worlds)
        mean = (first - second) / number
        variance = max(squares / number - mean * mean, 0.0)
        return Gap(mean, math.sqrt(variance / number), first / number, second / number)

    def _opinion(self, world: Round, code: i64) -> float:
        """What this seat thinks some turns after the move; if the round is over by then, the result stands in."""
        me = self.view.seat
        total = 0.0
        left = _OPINIONS
        world.apply(code)
        for turn in range(1, _LAST + 1):
            if world.over:
                break
            code = self.network.best(world.view(world.turn))
            if turn >= _FIRST and world.turn == me:
                total += self.network.best_value
                left -= 1.0
            world.apply(code)
        if left > 0.0:
            total += left * world.score().result(me)
        return total / _OPINIONS

    def counts(self, better: i64, worse: i64, worlds: i64, rng: Rng) -> list[Count]:
        """Every column for two moves; given the same random numbers, in the same worlds as `gap`."""
        first = vec[i64]([0] * COLUMNS)
        second = vec[i64]([0] * COLUMNS)
        squares = vec[i64]([0] * COLUMNS)
        for _ in range(worlds):
            world = likely_world(self.view, rng)
            self._play_on(world.copy(), better)
            for column in range(i64(COLUMNS)):
                first[column] += self._row[column]
                self._kept[column] = self._row[column]
            self._play_on(world, worse)
            for column in range(i64(COLUMNS)):
                second[column] += self._row[column]
                change = self._kept[column] - self._row[column]
                squares[column] += change * change
        number = float(worlds)
        counts: list[Count] = []
        for column in range(i64(COLUMNS)):
            mean = float(first[column] - second[column]) / number
            variance = max(float(squares[column]) / number - mean * mean, 0.0)
            error = math.sqrt(variance / number)
            counts.append(Count(float(first[column]) / number, float(second[column]) / number, error))
        return counts

    def _play_on(self, world: Round, code: i64) -> None:
        """Plays a move and the rest of the round, and fills in the columns."""
        row = self._row
        me = self.view.seat
        for column in range(i64(COLUMNS)):
            row[column] = 0
        mine = world.side(me)
        theirs = world.side(1 - me)
        row[MY_BONUS] = -mine.bonus_rupees
        row[THEIR_BONUS] = -theirs.bonus_rupees
        while True:
            self._note(world, code)
            world.apply(code)
            row[TURNS] += 1
            world.stop_if_quiet()
            if world.over:
                break
            code = self.network.best(world.view(world.turn))
        score = world.score()
        row[RESULT] = i64(2.0 * score.result(me))
        row[MY_BONUS] += mine.bonus_rupees
        row[THEIR_BONUS] += theirs.bonus_rupees
        row[MY_CAMEL] = score.tallies[me].camel
        row[THEIR_CAMEL] = score.tallies[1 - me].camel
        row[MY_UNSOLD] = size(mine.hand)
        row[THEIR_UNSOLD] = size(theirs.hand)

    def _note(self, world: Round, code: i64) -> None:
        """Counts a move before it is played: what a sale brings, what the rival's reply takes."""
        row = self._row
        take = code & BAG_MASK
        if take == 0:
            give = code >> BAG_BITS
            good = kind_of(give)
            at: i64 = MY_GOODS if world.turn == self.view.seat else THEIR_GOODS
            row[at + good] += sale_rupees(world.discard, good, count(give, good))
        elif row[TURNS] == 1:
            for kind in range(i64(KINDS)):
                if count(take, kind):
                    row[TAKEN_NEXT + kind] = 1
