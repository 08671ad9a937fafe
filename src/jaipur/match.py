"""A match: rounds until a player has two seals (R7, R24, R26), all determined by a seed and the moves."""

import hashlib
import secrets
from copy import copy
from dataclasses import dataclass

from jaipur.rules.bag import letters
from jaipur.rules.box import CAMEL, LETTERS, SEALS_TO_WIN
from jaipur.rules.errors import N_, IllegalMove, JaipurError
from jaipur.rules.move import Move
from jaipur.rules.rng import SeedRng
from jaipur.rules.round import Round
from jaipur.rules.score import Ending
from jaipur.rules.side import Side

RULES_VERSION = 1
"""Written into records and into the labels of the deal: a seed always deals the same cards."""
SEED_BYTES = 32
MOST_PLIES = 2000
"""The most moves in a match, far above any ever played: it limits what reading or showing a match can cost."""


@dataclass(frozen=True)
class Deal:
    """How a round was dealt, in letters: both hands, with the camels that went to the herds, the market, the deck."""

    starter: int
    hands: tuple[str, str]
    market: str
    deck: str


class Match:
    """A match in progress. `round` is the current round, even when it is over, until the next is dealt."""

    def __init__(self, seed: bytes | int | str | None = None) -> None:
        """Deals the first round. The seed is 32 bytes, 64 hex digits, or a number; if there is none, one is drawn."""
        self.seed = read_seed(seed)
        self.rounds = [self.deal(1, self._rng("starter").below(2))]

    @property
    def round(self) -> Round:
        """The current round."""
        return self.rounds[-1]

    @property
    def commitment(self) -> str:
        """The SHA-256 of the seed: shown before the match, it fixes the deck without giving it away."""
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
        """Whether a player has won the match."""
        return self.winner is not None

    @property
    def ply(self) -> int:
        """How many moves have been played, in all rounds."""
        return sum(len(played.moves) for played in self.rounds)

    def play(self, move: Move) -> None:
        """Plays a move for the seat to move, in the next round if the current one is over."""
        if self.over:
            raise IllegalMove(N_("The match is over (R26)."))
        self.check_length()
        self._play(move)

    def check_length(self) -> None:
        """Raises `IllegalMove` if there is no room for one more move."""
        if self.ply >= MOST_PLIES:
            raise IllegalMove(N_("A match has at most {most} moves: start a new one."), most=MOST_PLIES)

    def _play(self, move: Move) -> None:
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
        """The loser of the last round starts (R7); after a draw, the player who did not start it (R24)."""
        winner = self.round.score().winner
        return self.deal(len(self.rounds) + 1, 1 - (self.round.starter if winner is None else winner))

    def copy(self) -> "Match":
        """A copy that can be played on independently."""
        return copy(self)

    def __getstate__(self) -> dict[str, object]:
        return {**vars(self), "rounds": [*self.rounds[:-1], self.round.copy()]}

    def until(self, ply: int) -> "Match":
        """The match as it was after this many moves: the basis of undo, replay and review."""
        if not 0 <= ply <= self.ply:
            raise JaipurError(N_("This match has positions 0 to {last}."), last=self.ply)
        match = Match(self.seed)
        for played in self.rounds:
            for move in played.moves:
                if match.ply == ply:
                    return match
                match._play(move)
            if played.ending is Ending.STOPPED:
                match.round.stop()
        return match

    def _rng(self, label: str) -> SeedRng:
        return SeedRng(self.seed, f"jaipur {RULES_VERSION} {label}")

    def deal(self, number: int, starter: int) -> Round:
        """Round `number` of this seed as dealt; the cards are the same for either starter."""
        return Round.deal(self._rng(f"round {number}"), starter)

    def deals(self) -> list[Deal]:
        """How each round so far was dealt."""
        return [_described(self.deal(number, played.starter)) for number, played in enumerate(self.rounds, 1)]

    def __eq__(self, other: object) -> bool:
        """Whether seed, moves and the endings of the rounds are the same."""
        if not isinstance(other, Match):
            return NotImplemented
        return self.seed == other.seed and self._played() == other._played()

    __hash__ = None  # type: ignore[assignment]  # a match changes

    def _played(self) -> list[tuple[list[Move], Ending | None]]:
        return [(played.moves, played.ending) for played in self.rounds]

    def __str__(self) -> str:
        """The current round with everything open, below a line that says where the match stands."""
        return f"round {len(self.rounds)} / seals {self.seals[0]}-{self.seals[1]} / ply {self.ply}\n{self.round}"

    def __repr__(self) -> str:
        return f"<Match: round {len(self.rounds)}, seals {self.seals[0]}-{self.seals[1]}, {self.ply} moves>"


def _described(dealt: Round) -> Deal:
    deck = "".join(LETTERS[kind] for kind in dealt.deck.kinds())
    return Deal(dealt.starter, (_dealt_to(dealt.first), _dealt_to(dealt.second)), letters(dealt.market), deck)


def _dealt_to(side: Side) -> str:
    return letters(side.hand) + LETTERS[CAMEL] * side.herd


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
