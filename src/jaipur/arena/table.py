"""One game between two players: each is given its view, the table keeps the rest."""

import time
from dataclasses import dataclass, field

from jaipur.bots.external import Forfeit
from jaipur.bots.player import Budget, Player
from jaipur.core.rng import Rng
from jaipur.match import Match


@dataclass
class Game:
    """How a game went: the match, the seat that won, and how long each seat thought."""

    match: Match
    winner: int | None = None
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])
    longest: list[float] = field(default_factory=lambda: [0.0, 0.0])
    decisions: list[int] = field(default_factory=lambda: [0, 0])
    forfeit: str = ""


def play_game(
    players: tuple[Player, Player], budgets: tuple[Budget, Budget], match: Match, rng: Rng, whole_match: bool
) -> Game:
    """Plays one round, or a whole match. A round that goes nowhere is stopped (R25); a player that fails loses."""
    game = Game(match)
    while True:
        try:
            _play_round(players, budgets, game, rng)
        except Forfeit as error:
            game.winner = 1 - match.round.turn
            game.forfeit = str(error)
            return game
        if not whole_match or match.over:
            game.winner = match.winner if whole_match else match.round.score().winner
            return game
        match.next_round()


def _play_round(players: tuple[Player, Player], budgets: tuple[Budget, Budget], game: Game, rng: Rng) -> None:
    table = game.match.round
    while not table.over:
        seat = table.turn
        start = time.perf_counter()
        move = players[seat].choose(table.view(seat), budgets[seat], rng)
        seconds = time.perf_counter() - start
        game.seconds[seat] += seconds
        game.longest[seat] = max(game.longest[seat], seconds)
        game.decisions[seat] += 1
        table.play(move)
        table.stop_if_quiet()
