"""Contenders, and one game between two of them: each is given only its view, the arena keeps the rest."""

from dataclasses import dataclass, field, replace
from pathlib import Path

from jaipur.bots import DEFAULT_BUDGET, LEVELS, Budget, Player, make_player
from jaipur.bots.external import ExternalBot, Forfeit
from jaipur.bots.weights import read_weights
from jaipur.match import Match
from jaipur.processes import Elsewhere
from jaipur.rules.move import Move
from jaipur.rules.rng import Rng


@dataclass(frozen=True)
class Contender:
    """A player by its name (see `make_player`), and how long it may think.

    If its file of weights had to be sent to the workers, `sent` is the file's name there.
    """

    name: str
    budget: Budget = DEFAULT_BUDGET
    sent: str = ""

    @property
    def short(self) -> str:
        """A name for tables and records; a file or a command appears by its bare name."""
        level, _colon, rest = self.name.partition(":")
        return f"{level} {Path(rest.split()[0]).name}" if rest.split() else level

    def make(self) -> Player:
        """The player itself."""
        level = self.name.partition(":")[0]
        return make_player(f"{level}:{self.sent}" if self.sent else self.name)

    def sent_to(self, workers: Elsewhere) -> "Contender":
        """The same contender, with its file of weights, if any, sent to the workers."""
        level, _colon, file = self.name.partition(":")
        return replace(self, sent=workers.send(read_weights(file))) if file and level in LEVELS else self


@dataclass
class Performance:
    """What one player did, added up."""

    rupees: int = 0
    seconds: float = 0.0
    longest: float = 0.0
    decisions: int = 0

    def add(self, other: "Performance") -> None:
        """Adds what it did besides."""
        self.rupees += other.rupees
        self.seconds += other.seconds
        self.longest = max(self.longest, other.longest)
        self.decisions += other.decisions

    @property
    def ms_per_decision(self) -> float:
        """How long it thought about a move, on average."""
        return 1000 * self.seconds / max(self.decisions, 1)


@dataclass
class PlayedGame:
    """How a game went: the match, the seat that won, and what each seat did.

    If the seat to move crashed, was late or answered nonsense, `failure` says how.
    """

    match: Match
    winner: int | None = None
    seats: tuple[Performance, Performance] = field(default_factory=lambda: (Performance(), Performance()))
    failure: str = ""


def play_game(
    players: tuple[Player, Player], budgets: tuple[Budget, Budget], match: Match, rng: Rng, whole_match: bool
) -> PlayedGame:
    """Plays one round, or a whole match. A round that is going nowhere is stopped (R25); a player that fails loses."""
    game = PlayedGame(match)
    while True:
        try:
            _play_round(players, budgets, game, rng)
        except Forfeit as error:
            game.winner = 1 - match.round.turn
            game.failure = str(error)
            return game
        if not whole_match or match.over:
            game.winner = match.winner if whole_match else match.round.score().winner
            return game
        match.next_round()


def _play_round(players: tuple[Player, Player], budgets: tuple[Budget, Budget], game: PlayedGame, rng: Rng) -> None:
    round_ = game.match.round
    while not round_.over:
        round_.play(_choose(players[round_.turn], budgets[round_.turn], game, rng))
        round_.stop_if_quiet()


def _choose(player: Player, budget: Budget, game: PlayedGame, rng: Rng) -> Move:
    """A player's move; its time counts even if it fails, except for a program that was not asked at all."""
    round_ = game.match.round
    seat = round_.turn
    start = budget.clock.now()
    try:
        return player.choose(round_.view(seat), budget, rng)
    finally:
        seconds = player.seconds if isinstance(player, ExternalBot) else budget.clock.now() - start
        if seconds is not None:
            game.seats[seat].add(Performance(seconds=seconds, longest=seconds, decisions=1))
