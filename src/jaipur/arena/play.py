"""One game between two players: each is given only its view, the arena keeps the rest."""

from dataclasses import dataclass, field

from jaipur.bots.external import ExternalBot, Forfeit
from jaipur.bots.player import Budget, Player
from jaipur.match import Match
from jaipur.rules.move import Move
from jaipur.rules.rng import Rng


@dataclass(frozen=True)
class Failure:
    """A player that crashed, was late or answered nonsense: its seat, why, and the view it was asked about."""

    seat: int
    reason: str
    position: str


@dataclass
class PlayedGame:
    """How a game went: the match, the seat that won, and how long each seat thought."""

    match: Match
    winner: int | None = None
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])
    longest: list[float] = field(default_factory=lambda: [0.0, 0.0])
    decisions: list[int] = field(default_factory=lambda: [0, 0])
    failure: Failure | None = None


def play_game(
    players: tuple[Player, Player], budgets: tuple[Budget, Budget], match: Match, rng: Rng, whole_match: bool
) -> PlayedGame:
    """Plays one round, or a whole match. A round that is going nowhere is stopped (R25); a player that fails loses."""
    game = PlayedGame(match)
    while True:
        try:
            _play_round(players, budgets, game, rng)
        except Forfeit as error:
            seat = match.round.turn
            game.winner = 1 - seat
            game.failure = Failure(seat, str(error), str(match.round.view(seat)))
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
            game.seconds[seat] += seconds
            game.longest[seat] = max(game.longest[seat], seconds)
            game.decisions[seat] += 1
