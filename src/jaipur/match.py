"""A match: rounds until somebody has two seals (R7, R24, R26), all of it following from a seed and the moves."""

import hashlib
import secrets
from collections.abc import Iterator
from copy import copy

from jaipur.core.box import SEALS_TO_WIN
from jaipur.core.errors import N_, IllegalMove, JaipurError
from jaipur.core.move import Move
from jaipur.core.rng import SeedRng
from jaipur.core.round import STOPPED, Round

RULES_VERSION = 1
"""Written into records and into the labels of the deal: the same seed deals the same cards for ever."""
SEED_BYTES = 32


class Match:
    """A match in progress. `round` is the current round; it stays there when it is over, until the next is dealt."""

    def __init__(self, seed: bytes | int | str | None = None) -> None:
        """Deals the first round. The seed is 32 bytes, 64 hex digits, or a number; without one it is drawn."""
        self.seed = read_seed(seed)
        self.rounds = [self.deal(1, self._rng("starter").below(2))]

    @property
    def round(self) -> Round:
        """The current round."""
        return self.rounds[-1]

    @property
    def commitment(self) -> str:
        """The SHA-256 of the seed: shown before the match, it binds the deck without telling it."""
        return hashlib.sha256(self.seed).hexdigest()

    @property
    def seals(self) -> tuple[int, int]:
        """The Seals of Excellence of each seat."""
        winners = [played.score().winner for played in self.rounds if played.over]
        return winners.count(0), winners.count(1)

    @property
    def winner(self) -> int | None:
        """The seat that has two seals (R26)."""
        seals = self.seals
        return seals.index(SEALS_TO_WIN) if SEALS_TO_WIN in seals else None

    @property
    def over(self) -> bool:
        """Whether somebody has won the match."""
        return self.winner is not None

    @property
    def ply(self) -> int:
        """How many moves were played, in all rounds."""
        return sum(len(played.moves) for played in self.rounds)

    def play(self, move: Move) -> None:
        """Plays a move for the seat whose turn it is, in the next round if the current one is over."""
        if self.over:
            raise IllegalMove(N_("The match is over (R26)."))
        if not self.round.over:
            return self.round.play(move)
        dealt = self._next_deal()
        dealt.play(move)
        return self.rounds.append(dealt)

    def next_round(self) -> None:
        """Deals the next round."""
        if self.over or not self.round.over:
            raise JaipurError(N_("The next round is dealt when the current one is over and nobody has two seals."))
        self.rounds.append(self._next_deal())

    def _next_deal(self) -> Round:
        """The loser of the last round starts (R7); after a draw, who did not start it (R24)."""
        winner = self.round.score().winner
        return self.deal(len(self.rounds) + 1, 1 - (self.round.starter if winner is None else winner))

    def copy(self) -> "Match":
        """The same match, to be played on separately."""
        other = copy(self)
        other.rounds = [*self.rounds[:-1], self.round.copy()]
        return other

    def until(self, ply: int) -> "Match":
        """The match as it was after so many moves: undo, replay and review are this."""
        if not 0 <= ply <= self.ply:
            raise JaipurError(N_("This match has the positions 0 to {last}."), last=self.ply)
        match = Match(self.seed)
        for move, stopped in self._history():
            if match.ply == ply:
                break
            match.play(move)
            if stopped:
                match.round.stop()
        return match

    def _history(self) -> Iterator[tuple[Move, bool]]:
        """Each move, and whether the round was stopped after it (R25)."""
        for played in self.rounds:
            for i, move in enumerate(played.moves, 1):
                yield move, played.ended_by == STOPPED and i == len(played.moves)

    def _rng(self, label: str) -> SeedRng:
        return SeedRng(self.seed, f"jaipur {RULES_VERSION} {label}")

    def deal(self, number: int, starter: int) -> Round:
        """Round `number` of this seed as it is dealt, whoever starts."""
        return Round.deal(self._rng(f"round {number}"), starter)


def read_seed(seed: bytes | int | str | None) -> bytes:
    """The 32 bytes of a seed, however it was given."""
    if seed is None:
        return secrets.token_bytes(SEED_BYTES)
    if isinstance(seed, bytes) and len(seed) == SEED_BYTES:
        return seed
    if isinstance(seed, int) and 0 <= seed < 1 << (8 * SEED_BYTES):
        return seed.to_bytes(SEED_BYTES, "big")
    if isinstance(seed, str) and len(seed) == 2 * SEED_BYTES and not seed.strip("0123456789abcdefABCDEF"):
        return bytes.fromhex(seed)
    raise JaipurError(N_("A seed is 32 bytes, 64 hex digits, or a whole number from 0 to 2**256 - 1."))
