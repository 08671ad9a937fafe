"""Duels: paired deals, each played twice with the seats swapped, on all cores or on a cluster."""

import hashlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path

from jaipur.arena.play import Contender, Performance, PlayedGame, play_game
from jaipur.arena.statistics import Estimate, decided, estimate, normal_estimate
from jaipur.bots.player import Player
from jaipur.coach.round_luck import round_luck, weighed_luck
from jaipur.files import write_file
from jaipur.match import Match
from jaipur.processes import Elsewhere, Workers, in_order
from jaipur.record import Record, bot_name
from jaipur.rules.rng import Rng


@dataclass(frozen=True)
class Duel:
    """What to play: two contenders, a number of pairs of games, all from one seed."""

    first: Contender
    second: Contender
    pairs: int
    seed: int = 0
    whole_match: bool = False
    records: Path | None = None
    luck: bool = False


@dataclass(frozen=True)
class Lost:
    """A game lost by forfeit: which side lost it, why, and the view that side was asked about."""

    side: str
    reason: str
    position: str


@dataclass
class Standing:
    """The games so far: `pairs` has the first contender's score of each pair, from 0 to 1.

    `records` are those of one pair, not yet written: the pair may have been played on another machine. `without_luck`
    has the same scores with luck removed, if the duel counts it; they may be below 0 or above 1.
    """

    pairs: list[float] = field(default_factory=list)
    without_luck: list[float] = field(default_factory=list)
    games: int = 0
    rounds: int = 0
    turns: int = 0
    sides: tuple[Performance, Performance] = field(default_factory=lambda: (Performance(), Performance()))
    forfeits: list[Lost] = field(default_factory=list)
    records: list[tuple[Path, str]] = field(default_factory=list)

    def add(self, other: "Standing") -> None:
        """Adds some more games."""
        self.pairs += other.pairs
        self.without_luck += other.without_luck
        self.games += other.games
        self.rounds += other.rounds
        self.turns += other.turns
        self.forfeits += other.forfeits
        for side, more in zip(self.sides, other.sides, strict=True):
            side.add(more)

    @property
    def estimate(self) -> Estimate:
        """The first contender's win rate."""
        return estimate(self.pairs)

    @property
    def estimate_without_luck(self) -> Estimate:
        """The same win rate with less noise: the expected value is the same."""
        return normal_estimate(self.without_luck)

    def figures(self) -> dict[str, object]:
        """Everything by name, for programs."""
        figures: dict[str, object] = {}
        if self.without_luck:
            now = self.estimate_without_luck
            figures = {"win_rate_without_luck": now.rate, "low_without_luck": now.low, "high_without_luck": now.high}
        now = self.estimate
        return figures | {
            "games": self.games,
            "rounds": self.rounds,
            "win_rate": now.rate,
            "low": now.low,
            "high": now.high,
            "elo": now.elo,
            "ms_per_decision": [side.ms_per_decision for side in self.sides],
            "longest_ms": [1000 * side.longest for side in self.sides],
            "rupees_per_round": [side.rupees / max(self.rounds, 1) for side in self.sides],
            "turns_per_round": self.turns / max(self.rounds, 1),
            "forfeits": len(self.forfeits),
            "forfeited": [asdict(lost) for lost in self.forfeits],
        }


def run(duel: Duel, workers: Workers, sprt: tuple[float, float] | None = None) -> Iterator[Standing]:
    """Plays a duel and yields the standing after each pair; stops early when a sequential test is decided."""
    if isinstance(workers, Elsewhere):
        duel = replace(duel, first=duel.first.sent_to(workers), second=duel.second.sent_to(workers))
    standing = Standing()
    try:
        for pair in in_order(partial(play_pair, duel), range(duel.pairs), workers):
            for path, text in pair.records:
                write_file(path, text.encode())
            standing.add(pair)
            yield standing
            if sprt is not None and decided(standing.pairs, *sprt):
                return
    finally:
        forget_players()


@lru_cache(maxsize=2)
def _player(contender: Contender) -> Player:
    """One player per process, contender and duel, made when it is first needed."""
    return contender.make()


def forget_players() -> None:
    """Drops the players, since a file of weights may have changed; external programs end."""
    _player.cache_clear()


def deal_seed(seed: int, number: int) -> bytes:
    """The seed of one deal of a duel."""
    return hashlib.sha256(f"jaipur duel {seed} {number}".encode()).digest()


def play_pair(duel: Duel, number: int) -> Standing:
    """One deal, played twice with the seats swapped."""
    result = Standing([0.0], [0.0] if duel.luck else [])
    for seat in (0, 1):
        sides = (duel.first, duel.second) if seat == 0 else (duel.second, duel.first)
        players = _player(sides[0]), _player(sides[1])
        match = Match(deal_seed(duel.seed, number))
        rng = Rng(2 * number + seat)
        game = play_game(players, (sides[0].budget, sides[1].budget), match, rng, duel.whole_match)
        _count(result, game, seat)
        if duel.luck:
            result.without_luck[0] -= 0.5 * _luck(match, seat)
        if duel.records is not None:
            record = Record(match, (bot_name(sides[0].short), bot_name(sides[1].short)))
            result.records.append((duel.records / f"{number:06}-{seat}.jaipur", str(record)))
    if duel.luck:
        result.without_luck[0] += result.pairs[0]
    return result


def _luck(match: Match, seat: int) -> float:
    """What luck gave a seat in a round; 0 if the round ended by forfeit."""
    if not match.round.over:
        return 0.0
    played = match.round
    luck = weighed_luck(round_luck(match.deal(1, played.starter), played))
    return luck if seat == 0 else -luck


def _count(result: Standing, game: PlayedGame, seat: int) -> None:
    """Adds a game in which the first contender had this seat."""
    result.pairs[0] += 0.25 if game.winner is None else 0.5 * (game.winner == seat)
    result.games += 1
    result.rounds += len(game.match.rounds)
    result.turns += game.match.ply
    if game.failure:
        loser = game.match.round.turn
        side = "first" if loser == seat else "second"
        result.forfeits.append(Lost(side, game.failure, str(game.match.round.view(loser))))
    for total, place in zip(result.sides, (seat, 1 - seat), strict=True):
        total.add(game.seats[place])
        total.rupees += sum(played.score().tallies[place].rupees for played in game.match.rounds)
