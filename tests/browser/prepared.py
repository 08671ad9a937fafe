"""Games that are not played by clicks: put into the database of a server, as if they had been played there."""

import itertools
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache

from jaipur import Match, Move, Record, Rng
from jaipur.coach.advice import analyse
from jaipur.coach.grades import judge_name
from jaipur.coach.review import Review
from jaipur.coach.saved import review_to_text
from jaipur.coach.summary import dearest, player_summary
from jaipur.rules.move import from_code
from jaipur.rules.playout import RandomMover
from jaipur.server.coach.jobs import doubt_about
from jaipur.store import ReviewRow, ReviewShelf
from jaipur.table import GameKind, Seating, Table, Tables, hashed
from tests.browser.player import Player
from tests.support.matches import played_match, review_match

_WORLDS = 60
Fits = Callable[[Match], bool]


def reached(fits: Fits) -> Match:
    """The first position that fits, of matches between random players."""
    for seed in itertools.count(1):
        match, mover = Match(seed), RandomMover(Rng(seed))
        while not fits(match) and not match.over:
            if match.round.over:
                match.next_round()
            me = match.round.side(match.round.turn)
            match.play(from_code(mover.choose(me.hand, me.herd, match.round.market)))
        if fits(match):
            return match
    raise AssertionError


def my_turn(match: Match) -> bool:
    """Seat 0 is to move."""
    return not match.round.over and match.round.turn == 0


def can(*moves: str) -> Fits:
    """Seat 0 is to move, and these moves are legal."""
    return lambda match: my_turn(match) and all(match.round.why_illegal(Move.parse(move)) is None for move in moves)


def one_move_before(fits: Fits) -> tuple[Match, str]:
    """A position that a move of seat 0 turns into one that fits, and the move."""
    found = reached(
        lambda match: bool(match.round.moves) and fits(match) and match.until(match.ply - 1).round.turn == 0
    )
    return found.until(found.ply - 1), str(found.round.moves[-1])


def round_is_over(match: Match) -> bool:
    return match.round.over and not match.over


def match_is_over(match: Match) -> bool:
    return match.over


@dataclass(frozen=True)
class Reviewed:
    """Games of the person in seat 0; `exercise` is the ply of a fault, `refilled` a ply with cards from the deck."""

    done: str
    exercise: int
    refilled: int


@dataclass(frozen=True)
class Games:
    """The games of a server."""

    tables: Tables

    def seat(self, player: Player, match: Match, level: str = "pedlar") -> None:
        """Sits somebody down against a bot."""
        player.sit(self.tables.create(against(player, level), history=match).game.id)

    def seat_both(self, host: Player, friend: Player, match: Match) -> None:
        """Sits two people down at one table, where they have played this match."""
        holders = (hashed(host.secret), hashed(friend.secret))
        seating = Seating(GameKind.FRIEND, ("Asha", "Léa"), holders=holders)
        table = self.tables.create(seating, history=Match(match.seed))
        for number, dealt in enumerate(match.rounds):
            for seat in (0, 1) if number else ():
                table = self.tables.ready(table, seat)
            for move in dealt.moves:
                assert table.turn is not None
                table = self.tables.move(table, table.turn, table.ply, move)
        host.sit(table.game.id)
        friend.sit(table.game.id)

    def seat_at_one_screen(self, player: Player, match: Match, names: tuple[str, str]) -> None:
        """Sits two people down in front of one page."""
        holder = hashed(player.secret)
        seating = Seating(GameKind.ONE_SCREEN, names, holders=(holder, holder))
        player.sit(self.tables.create(seating, history=match).game.id)

    def waiting_with_a_clock(self, host: str) -> str:
        """A game that waits for a friend, with six seconds for a whole match: a pace that people cannot choose."""
        seating = Seating(GameKind.FRIEND, ("Ann", ""), holders=(hashed(host), None), pace="0.1+0")
        return self.tables.create(seating, host).game.id

    def finished(self, player: Player, match: Match) -> Table:
        """A match whose last move was played at this table, or that was given up there."""
        seating = against(player, "trader")
        if not match.over:
            return self.tables.resign(self.tables.create(seating, history=match), 0)
        table = self.tables.create(seating, history=match.until(match.ply - 1))
        assert table.turn is not None
        return self.tables.move(table, table.turn, table.ply, match.round.moves[-1])

    def reviewed(self, player: Player) -> Reviewed:
        """Two finished matches with their reviews; one of them was given up."""
        match, given_up = played_match(1), played_match(3).until(9)
        done = self.finished(player, match)
        for table in (done, self.finished(player, given_up)):
            made = _review(str(Record(table.match)))
            both = json.dumps([asdict(player_summary(made, seat)) for seat in (0, 1)])
            row = ReviewRow(table.game.id, judge_name(), _WORLDS, both, review_to_text(made), self.tables.clock())
            ReviewShelf(self.tables.store).keep(row)
        fault = dearest(_review(str(Record(match))), 0)[0]
        refilled = next(at for at, played in enumerate(done.log, 1) if "-" not in played.move)
        return Reviewed(done.game.id, fault, refilled)


@cache
def _review(record: str) -> Review:
    return review_match(Record.parse(record).match, _WORLDS, ended=True)


def against(player: Player, level: str) -> Seating:
    """The person in seat 0, and a bot."""
    return Seating(GameKind.BOT, ("Ann", level.title()), (None, level), (hashed(player.secret), None))


def near_blunder() -> tuple[Match, str]:
    """A match in which it is seat 0's turn, and a move that the tutor warns against."""
    match = played_match(5)
    for ply in range(4, match.ply):
        now = match.until(ply)
        if my_turn(now):
            view = now.round.view(0)
            worst = str(min(analyse(view, 100), key=lambda one: one.win).move)
            if doubt_about(str(view), worst) is not None:
                return now, worst
    raise AssertionError
