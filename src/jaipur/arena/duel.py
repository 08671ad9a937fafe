"""Duels: paired deals, each played twice with the seats swapped, on all cores."""

import hashlib
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, wait
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from jaipur.arena.statistics import Estimate, decided, estimate
from jaipur.arena.table import Game, play_game
from jaipur.arena.workers import pool_of
from jaipur.bots.contender import Contender
from jaipur.bots.player import Player
from jaipur.core.rng import Rng
from jaipur.match import Match
from jaipur.record import Record, bot_name


@dataclass(frozen=True)
class Duel:
    """What is to be played: two contenders, so many pairs of games, from one seed."""

    first: Contender
    second: Contender
    pairs: int
    seed: int = 0
    whole_match: bool = False
    records: Path | None = None


@dataclass
class Side:
    """What one contender did, added up."""

    rupees: int = 0
    seconds: float = 0.0
    longest: float = 0.0
    decisions: int = 0

    def add(self, other: "Side") -> None:
        """The deeds of some more games."""
        self.rupees += other.rupees
        self.seconds += other.seconds
        self.longest = max(self.longest, other.longest)
        self.decisions += other.decisions

    @property
    def ms_per_decision(self) -> float:
        """How long it thought about a move."""
        return 1000 * self.seconds / max(self.decisions, 1)


@dataclass
class Standing:
    """The games so far: `pairs` has the first contender's score of each pair, from 0 to 1."""

    pairs: list[float] = field(default_factory=list)
    games: int = 0
    rounds: int = 0
    turns: int = 0
    sides: tuple[Side, Side] = field(default_factory=lambda: (Side(), Side()))
    forfeits: list[str] = field(default_factory=list)

    def add(self, other: "Standing") -> None:
        """Some more games."""
        self.pairs += other.pairs
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

    def figures(self) -> dict[str, object]:
        """Everything by name, for programs."""
        now = self.estimate
        return {
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
        }


def run(duel: Duel, workers: int, sprt: tuple[float, float] | None = None) -> Iterator[Standing]:
    """Plays a duel and yields the standing after each pair; stops early when a sequential test is decided."""
    _player.cache_clear()
    standing = Standing()
    for result in _results(duel, workers):
        standing.add(result)
        yield standing
        if sprt is not None and decided(standing.pairs, *sprt):
            return


def _results(duel: Duel, workers: int) -> Iterator[Standing]:
    if workers <= 1:
        for number in range(duel.pairs):
            yield play_pair(duel, number)
        return
    with pool_of(workers) as pool:
        numbers = iter(range(duel.pairs))
        running = {pool.submit(play_pair, duel, number) for _, number in zip(range(2 * workers), numbers, strict=False)}
        try:
            while running:
                finished, running = wait(running, return_when=FIRST_COMPLETED)
                running |= {pool.submit(play_pair, duel, number) for _, number in zip(finished, numbers, strict=False)}
                for future in finished:
                    yield future.result()
        finally:
            pool.shutdown(cancel_futures=True)


@cache
def _player(contender: Contender) -> Player:
    """One player a process and duel, made when it is first needed: a file of weights may change between duels."""
    return contender.make()


def deal_seed(seed: int, number: int) -> bytes:
    """The seed of one deal of a duel."""
    return hashlib.sha256(f"jaipur duel {seed} {number}".encode()).digest()


def play_pair(duel: Duel, number: int) -> Standing:
    """One deal, played twice with the seats swapped."""
    result = Standing([0.0])
    for seat in (0, 1):
        sides = (duel.first, duel.second) if seat == 0 else (duel.second, duel.first)
        players = _player(sides[0]), _player(sides[1])
        match = Match(deal_seed(duel.seed, number))
        rng = Rng(2 * number + seat)
        game = play_game(players, (sides[0].budget, sides[1].budget), match, rng, duel.whole_match)
        _count(result, game, seat)
        if duel.records is not None:
            record = Record(match, (bot_name(sides[0].short), bot_name(sides[1].short)))
            record.save(duel.records / f"{number:06}-{seat}.jaipur")
    return result


def _count(result: Standing, game: Game, seat: int) -> None:
    """Adds a game in which the first contender had this seat."""
    result.pairs[0] += 0.25 if game.winner is None else 0.5 * (game.winner == seat)
    result.games += 1
    result.rounds += len(game.match.rounds)
    result.turns += game.match.ply
    result.forfeits += [game.forfeit] if game.forfeit else []
    for side, place in zip(result.sides, (seat, 1 - seat), strict=True):
        rupees = sum(table.score().tallies[place].rupees for table in game.match.rounds)
        side.add(Side(rupees, game.seconds[place], game.longest[place], game.decisions[place]))
