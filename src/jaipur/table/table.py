"""One table: the fold of a game's events. It checks what may happen next and says what has happened."""

import threading
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from jaipur.core.bag import ONE_CAMEL, size
from jaipur.core.box import QUIET_LIMIT, SMALLEST_BONUS_SALE
from jaipur.core.errors import N_
from jaipur.core.move import Move
from jaipur.core.view import View
from jaipur.match import Match
from jaipur.store import Event, Game, Seat
from jaipur.table.errors import GameOver, NotAllowed, Stale
from jaipur.table.places import laid_out, without


class GameKind(StrEnum):
    """What kind of company a game has."""

    BOT = "bot"
    GUIDED = "guided"
    FRIEND = "friend"
    ONE_SCREEN = "one-screen"
    WATCH = "watch"


class EventKind(StrEnum):
    """What can happen at a table."""

    JOIN = "join"
    MOVE = "move"
    READY = "ready"
    ASK = "ask"
    DECLINE = "decline"
    UNDO = "undo"
    RESIGN = "resign"
    REMATCH = "rematch"
    STOP = "stop"


UNDO = "undo"
REMATCH = "rematch"
"""What one player can ask of the other."""


@dataclass(frozen=True)
class Logged:
    """A move that was played, as it is told."""

    round: int
    seat: int
    move: str


@dataclass(frozen=True)
class Played:
    """A move in the log of a match, with the round it belongs to."""

    round: int
    seat: int
    move: Move

    @cached_property
    def logged(self) -> Logged:
        """Made once: every picture of the table has the whole log."""
        return Logged(self.round, self.seat, str(self.move))


@dataclass(frozen=True)
class Offer:
    """What a seat has asked of the other."""

    seat: int
    what: str


class Table:
    """A game in progress, as it is after so many events: the next event makes the next table.

    `number` counts events, `ply` counts changes of the position and never repeats.
    """

    def __init__(self, game: Game, seats: Iterable[Seat], events: Iterable[Event] = ()) -> None:
        self.game = game
        self.kind = GameKind(game.kind)
        self.seats: list[Seat | None] = [None, None]
        for seat in seats:
            self.seats[seat.seat] = seat
        self.writing = threading.RLock()
        self.number = 0
        self.ply = 0
        self.match = Match(game.seed)
        self.log: list[Played] = []
        self.stops: set[int] = set()
        self.places = laid_out([], self.match.round.market)
        self.offer: Offer | None = None
        self.ready: set[int] = set()
        self.resigned: int | None = None
        self.rematch: str | None = None
        self.keys: dict[str, Event] = {}
        self.changed = game.created
        for event in events:
            self._apply(event)

    @property
    def full(self) -> bool:
        """Whether both seats are taken."""
        return None not in self.seats

    @property
    def winner(self) -> int | None:
        """Who has won: by two seals, or since the other resigned."""
        return self.match.winner if self.resigned is None else 1 - self.resigned

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.winner is not None

    @property
    def between_rounds(self) -> bool:
        """Whether the score sheet is on the table."""
        return self.match.round.over and not self.over

    @property
    def turn(self) -> int | None:
        """The seat that moves next; nobody between rounds, before all are seated, and at the end."""
        return None if self.over or self.match.round.over or not self.full else self.match.round.turn

    def level(self, seat: int) -> str | None:
        """The level of the bot in a seat."""
        row = self.seats[seat]
        return None if row is None else row.level

    @property
    def persons(self) -> list[int]:
        """The seats that are people's, or still free."""
        return [seat for seat in (0, 1) if self.level(seat) is None]

    @property
    def thinker(self) -> int | None:
        """The bot whose turn it is."""
        return None if self.turn is None or self.level(self.turn) is None else self.turn

    @property
    def quiet(self) -> bool:
        """Whether bots among themselves go nowhere and are stopped (R25); people never are."""
        return not self.persons and self.turn is not None and self.match.round.quiet >= QUIET_LIMIT

    def view(self, seat: int) -> View:
        """What a seat may know of the current round: all that anybody needs who decides on a move."""
        return self.match.round.view(seat)

    def held_by(self, holder: str | None) -> list[int]:
        """The seats of a person."""
        if holder is None:
            return []
        return [row.seat for row in self.seats if row is not None and row.holder == holder]

    def after(self, event: Event, joined: Seat | None = None) -> "Table":
        """The table after one more event, which was checked. This one stays as it is, so nobody sees half of it."""
        after = copy(self)
        after.match = self.match.copy()
        after.log, after.stops, after.ready = self.log.copy(), self.stops.copy(), self.ready.copy()
        after.keys = self.keys.copy()
        if joined is not None:
            after.seats = [joined if seat == joined.seat else row for seat, row in enumerate(self.seats)]
        after._apply(event)
        return after

    def _apply(self, event: Event) -> None:
        if event.kind in {EventKind.MOVE, EventKind.UNDO, EventKind.STOP}:
            self._change(event)
            self.ply += 1
        else:
            self._settle(event)
        self.number = event.number
        self.changed = event.at
        if event.key is not None:
            self.keys[event.key] = event

    def _change(self, event: Event) -> None:
        """What changes the position."""
        match event.kind:
            case EventKind.MOVE:
                self._play(Move.parse(event.text))
            case EventKind.UNDO:
                self._rewind(int(event.text))
            case EventKind.STOP:
                self._stop()

    def _settle(self, event: Event) -> None:
        """What the players agree on."""
        match event.kind:
            case EventKind.READY:
                self._get_ready(event.seat)
            case EventKind.ASK:
                self.offer = Offer(event.seat, event.text)
            case EventKind.DECLINE:
                self.offer = None
            case EventKind.RESIGN:
                self.resigned, self.offer = event.seat, None
            case EventKind.REMATCH:
                self.rematch, self.offer = event.text, None

    def _play(self, move: Move) -> None:
        before = self.match.round.market
        self.log.append(Played(len(self.match.rounds), self.match.round.turn, move))
        self.match.round.play(move)
        self.offer = None
        taken = before & (7 * ONE_CAMEL) if move.take == ONE_CAMEL and not move.give else move.take
        self.places = laid_out(without(self.places, taken), self.match.round.market)
        self.ready = set()

    def _stop(self) -> None:
        self.match.round.stop()
        self.stops.add(len(self.log))

    def _get_ready(self, seat: int) -> None:
        """Deals when every person has seen the score sheet; at one screen they see it together."""
        self.ready.add(seat)
        if self.one_screen or set(self.persons) <= self.ready:
            self._deal()

    def _deal(self) -> None:
        self.match.next_round()
        self.places = laid_out([], self.match.round.market)
        self.ready = set()

    def _rewind(self, to: int) -> None:
        past = self.replayed(to)
        if self.log[to].round > len(past.match.rounds):
            past._deal()
        self.match, self.log, self.places, self.stops = past.match, past.log, past.places, past.stops
        self.offer, self.ready = None, set()

    def replayed(self, ply: int) -> "Table":
        """The table as it was after so many moves of the log."""
        past = Table(self.game, [seat for seat in self.seats if seat is not None])
        for number, played in enumerate(self.log[:ply], 1):
            if past.match.round.over:
                past._deal()
            past._play(played.move)
            if number in self.stops:
                past._stop()
        return past

    def check_move(self, seat: int, ply: int, move: Move) -> None:
        """Raises what is wrong with a move for this ply."""
        self.check_going()
        if ply != self.ply:
            raise Stale
        if self.turn is None:
            raise NotAllowed(N_("The next round has not begun yet.") if self.full else N_("The other seat is free."))
        reason = self.view(seat).why_illegal(move)
        if reason is not None:
            raise reason

    def check_ready(self, seat: int) -> None:
        """Raises why a seat cannot ask for the next round."""
        self.check_going()
        if not self.between_rounds or seat in self.ready:
            raise Stale

    def check_going(self) -> None:
        """Raises that the match has ended."""
        if self.over:
            raise GameOver

    def check_quiet(self) -> None:
        """Raises when the round is not to be stopped."""
        if not self.quiet:
            raise Stale

    def check_rematch(self) -> None:
        """Raises why there is no new match yet."""
        if not self.over:
            raise NotAllowed(N_("A rematch begins when the match is over."))
        if not self.full:
            raise NotAllowed(N_("Nobody has come to the other seat: start a new game."))
        if self.rematch is not None:
            raise Stale

    def check_no_offer(self) -> None:
        """Raises that something was asked already."""
        if self.offer is not None:
            raise NotAllowed(N_("There is a question on the table already: answer it first."))

    def check_answer(self, seat: int) -> None:
        """Raises that this seat was asked nothing."""
        if self.offer is None or self.offer.seat == seat:
            raise NotAllowed(N_("There is no question to answer."))

    @property
    def undo_to(self) -> int | None:
        """How many moves stay when the last one of a person is taken back; None where it would give something away."""
        if self.over or not self.log or not self.persons:
            return None
        if len(self.persons) == 1:
            mine = [number for number, played in enumerate(self.log) if played.seat in self.persons]
            return mine[-1] if mine else None
        return None if self._revealing(self.log[-1]) else len(self.log) - 1

    def _revealing(self, played: Played) -> bool:
        """Whether a move has shown a card of the deck, a bonus token or the score sheet."""
        bonus = not played.move.take and size(played.move.give) >= SMALLEST_BONUS_SALE
        drawn = not played.move.give
        return drawn or bonus or self.match.round.over or played.round < len(self.match.rounds)

    def check_undo(self, seat: int) -> int:
        """The number of moves that stay, or why this seat cannot take its move back."""
        to = self.undo_to
        if to is None or (len(self.persons) > 1 and self.log[-1].seat != seat and not self.one_screen):
            raise NotAllowed(N_("This move cannot be taken back: it showed something new, or it is not yours."))
        return to

    @property
    def one_screen(self) -> bool:
        """Whether one person holds both seats."""
        return self.kind is GameKind.ONE_SCREEN

    @property
    def alone(self) -> bool:
        """Whether nobody else must agree: bots always do, and two at one screen have agreed already."""
        return len(self.persons) < len(self.seats) or self.one_screen
