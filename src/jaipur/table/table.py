"""One table: a game on the server, in its state after the events so far."""

from collections.abc import Iterable
from copy import copy
from typing import NamedTuple

from jaipur.match import MOST_PLIES, Match
from jaipur.record import Ended, Loss
from jaipur.rules.bag import size
from jaipur.rules.box import QUIET_LIMIT, bonus_pile
from jaipur.rules.move import Move
from jaipur.rules.view import View
from jaipur.store import Event, GameRow, SeatRow
from jaipur.table.clock import Clock, read_pace
from jaipur.table.errors import NotSeated
from jaipur.table.events import EventKind, GameKind, Logged, Offer, Question, Speed, Status
from jaipur.table.market_slots import MarketSlots, first_slots, slots_of

_REPOSITIONS = frozenset({EventKind.MOVE, EventKind.UNDO, EventKind.REDO, EventKind.STOP})
"""The events that change the position."""


class SavedPosition(NamedTuple):
    """A match, and what a table knows of it besides."""

    match: Match
    log: list[Logged]
    slots: MarketSlots


class Table:
    """A game in progress. It never changes: `after` makes the next table from the next event.

    `persons` are the seats that belong to people, or are still free. `number` counts events; `ply` counts changes of
    the position and never repeats. `undone` is the position that a redo brings back. `ended` says who lost before the
    end of the match. `actor` is the seat that caused the last event, `acted` is when each seat last did something.
    `hints` counts the positions in which each seat asked for a hint, and `hint_step` is how much of a hint was given in
    this one. An idempotency key belongs to the person who sent it, whichever of their seats acted; with it goes the
    event that the request caused, and the ply at which it came. `winner` and `persons` are asked for so often that they
    are worked out once.
    """

    def __init__(self, game: GameRow, seats: Iterable[SeatRow], events: Iterable[Event] = ()) -> None:
        self.game = game
        self.kind = GameKind(game.kind)
        self.seats: list[SeatRow | None] = [None, None]
        for seat in seats:
            self.seats[seat.seat] = seat
        self.persons = [seat for seat in (0, 1) if self.level(seat) is None]
        self.number = 0
        self.ply = 0
        self.match = Match(game.seed)
        self.log: list[Logged] = []
        self.slots = first_slots(self.match.round.market)
        self.undone: SavedPosition | None = None
        self.offer: Offer | None = None
        self.ready: frozenset[int] = frozenset()
        self.ended: Ended | None = None
        self.winner: int | None = None
        self.rematch: str | None = None
        self.speed = Speed.NORMAL
        self.shared = game.watchable
        self.hints = (0, 0)
        self.hint_step = 0
        self.keys: dict[tuple[str | None, str], tuple[Event, int]] = {}
        self.actor = 0
        self.changed = game.created
        self.acted = [0, 0]
        events = list(events)
        self.pace = read_pace(game.pace)
        self.clock = None if self.pace is None else Clock((self.pace.each, self.pace.each), self.must_act, game.created)
        # All undos of a stored game are known in advance: saving those positions avoids a replay for each undo.
        self._saved: dict[int, SavedPosition | None] = {
            int(event.text): None for event in events if event.kind == EventKind.UNDO
        }
        for event in events:
            self._apply(event)
        self._saved = {}

    # Who sits here, and who may look.

    @property
    def full(self) -> bool:
        """Whether both seats are taken."""
        return self.seats[0] is not None and self.seats[1] is not None

    def level(self, seat: int) -> str | None:
        """The level of the bot in a seat."""
        row = self.seats[seat]
        return None if row is None else row.level

    @property
    def coached(self) -> bool:
        """Whether the coach may speak: only when one person plays a bot, never between people."""
        return len(self.persons) == 1

    @property
    def one_screen(self) -> bool:
        """Whether one person holds both seats."""
        return self.kind is GameKind.ONE_SCREEN

    @property
    def needs_no_consent(self) -> bool:
        """Whether nobody else must agree: bots always agree, and two people at one screen already have."""
        return len(self.persons) < len(self.seats) or self.one_screen

    def holder(self, seat: int) -> str | None:
        """The person in a seat."""
        row = self.seats[seat]
        return None if row is None else row.holder

    def held_by(self, holder: str | None) -> list[int]:
        """The seats of a person."""
        if holder is None:
            return []
        return [row.seat for row in self.seats if row is not None and row.holder == holder]

    def open_to(self, holder: str | None) -> bool:
        """Whether a person sits here or may look. A private game stays private after its end, unless it is shared."""
        return bool(self.held_by(holder)) or self.shared

    @property
    def watch_link(self) -> bool:
        """Whether people play here, and let others watch."""
        return self.game.watchable and not self.over and bool(self.persons)

    def looking_seat(self, holder: str | None, wanted: int | None = None) -> int | None:
        """The seat a person looks from; at one screen, the seat asked for if it is its turn or the match is over."""
        held = self.held_by(holder)
        if len(held) == 1:
            return held[0]
        return wanted if wanted in held and (wanted == self.turn or self.over) else None

    def acting_seat(self, holder: str | None, wanted: int | None = None) -> int:
        """The seat a person acts for: the one they ask for if it is theirs, else the one whose turn it is."""
        held = self.held_by(holder)
        if not held:
            raise NotSeated
        if wanted in held:
            return wanted
        return self.turn if self.turn in held else held[0]

    # Where the game stands.

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.winner is not None

    @property
    def status(self) -> Status:
        """Where the game stands."""
        if self.over:
            return Status.OVER
        if not self.full:
            return Status.WAITING
        return Status.SHEET if self.match.round.over else Status.PLAYING

    @property
    def turn(self) -> int | None:
        """The seat that moves next; None between rounds, before both are seated, and after the end."""
        return self.match.round.turn if self.status is Status.PLAYING else None

    @property
    def must_act(self) -> tuple[int, ...]:
        """The seats that the table is waiting for: the one to move, or those still looking at the score sheet."""
        if self.status is Status.SHEET:
            return tuple(seat for seat in self.persons if seat not in self.ready)
        return () if self.turn is None else (self.turn,)

    def out_of_time(self, now: int) -> int | None:
        """The seat whose time ran out first. If both ran out at the same moment, the one that lost the round."""
        if self.clock is None:
            return None
        left = self.clock.left_at(now)
        up = [seat for seat in self.clock.running if left[seat] <= 0]
        return min(up, key=lambda seat: (left[seat], seat == self.match.round.score().winner), default=None)

    @property
    def bot_to_move(self) -> int | None:
        """The seat of the bot whose turn it is; None in a match that has become too long."""
        if self.turn is None or self.level(self.turn) is None or len(self.log) >= MOST_PLIES:
            return None
        return self.turn

    @property
    def stalled(self) -> bool:
        """Whether this is a round between bots that is going nowhere and should be stopped (R25); never with people."""
        return not self.persons and self.turn is not None and self.match.round.quiet >= QUIET_LIMIT

    def view(self, seat: int) -> View:
        """What a seat may know of the current round, which is all that anybody needs to decide on a move."""
        return self.match.round.view(seat)

    @property
    def undo_to(self) -> int | None:
        """How many moves remain when a person's last one is taken back; between people, one that revealed nothing."""
        if self.over or not self.log or not self.persons:
            return None
        if len(self.persons) == 1:
            return next((ply for ply in reversed(range(len(self.log))) if self.log[ply].seat in self.persons), None)
        return None if self._revealed() else len(self.log) - 1

    def may_undo(self, seat: int) -> bool:
        """Whether a seat may take a move back, or ask for it."""
        return self.undo_to is not None and (self.needs_no_consent or self.log[-1].seat == seat)

    def may_redo(self, seat: int) -> bool:
        """Whether a seat may play again what was taken back."""
        return self.undone is not None and seat in self.persons and self.needs_no_consent and not self.over

    def _revealed(self) -> bool:
        """Whether the last move has revealed a card from the deck, a bonus token or the score sheet."""
        if self.match.round.over or not self.match.round.moves:
            return True
        last = self.match.round.moves[-1]
        return not last.give or (not last.take and bonus_pile(size(last.give)) >= 0)

    # What happens.

    def after(self, event: Event, joined: SeatRow | None = None, move: Move | None = None) -> "Table":
        """The table after one more event, such as a person who `joined`, or a `move` that need not be parsed again."""
        after = copy(self)
        after.match = self.match.copy()
        after.log, after.keys, after.acted = self.log.copy(), self.keys.copy(), self.acted.copy()
        if joined is not None:
            after.seats = [joined if seat == joined.seat else row for seat, row in enumerate(self.seats)]
        after._apply(event, move)
        return after

    def replayed(self, ply: int) -> "Table":
        """The table as it was after this many moves of the log."""
        past = copy(self)
        past.match = self.match.until(ply)
        past.log, past.slots = self.log[:ply], slots_of(past.match)
        past.offer, past.ready, past.ended, past.rematch, past.clock = None, frozenset(), None, None, None
        past.winner = past.match.winner
        return past

    def before(self, ply: int) -> "Table":
        """The table just before a move of the log, with the cards of its round dealt."""
        past = self.replayed(ply - 1)
        if past.match.round.over:
            past._deal()
        return past

    def _apply(self, event: Event, move: Move | None = None) -> None:
        """Takes in an event, and sets the clock by it."""
        place = self.ply, len(self.match.rounds)
        if self.clock is not None:
            until = int(event.text) if event.kind == EventKind.RESUME else event.at
            if event.kind == EventKind.JOIN:  # until now the seat was free
                until = self.changed
            self.clock = self.clock.charged(until, event.at)
        if event.key is not None:
            self.keys[self.holder(event.seat), event.key] = event, self.ply
        if event.kind in _REPOSITIONS:
            self._reposition(event, move)
        else:
            self._settle(event)
        if self.speed is Speed.STEP and event.kind != EventKind.SPEED:
            self.speed = Speed.PAUSE
        self.number, self.changed, self.actor = event.number, event.at, event.seat
        if event.kind not in {EventKind.TIMEOUT, EventKind.RESUME}:
            self.acted[event.seat] = event.at
        self.winner = self.match.winner if self.ended is None else 1 - self.ended.seat
        if self.clock is not None and self.pace is not None:
            mover = event.seat if event.kind == EventKind.MOVE else None
            moved_on = place != (self.ply, len(self.match.rounds))
            self.clock = self.clock.started(self.pace, self.must_act, moved_on, mover)

    def _reposition(self, event: Event, move: Move | None) -> None:
        """Applies an event that changes the position."""
        self.ply += 1
        self.hint_step = 0
        self.offer, self.ready = None, frozenset()
        match event.kind:
            case EventKind.MOVE:
                self.undone = None
                self._play(Move.parse(event.text) if move is None else move)
            case EventKind.UNDO:
                self._rewind(int(event.text))
            case EventKind.REDO if self.undone is not None:
                (self.match, self.log, self.slots), self.undone = self.undone, None
            case EventKind.STOP:
                self.match.round.stop()

    def _settle(self, event: Event) -> None:
        """Applies any other event, such as an offer or a resignation."""
        match event.kind:
            case EventKind.READY:
                self._get_ready(event.seat)
            case EventKind.ASK:
                self.offer = Offer(event.seat, Question(event.text))
            case EventKind.DECLINE:
                self.offer = None
            case EventKind.RESIGN | EventKind.TIMEOUT:
                how = Loss.RESIGNED if event.kind == EventKind.RESIGN else Loss.TIME
                self.ended, self.offer = Ended(event.seat, how), None
            case EventKind.REMATCH:
                self.rematch, self.offer = event.text, None
            case EventKind.SHARE:
                self.shared = True
            case EventKind.SPEED:
                self.speed = Speed(event.text)
            case EventKind.HINT:
                self.hint_step = int(event.text)
                first, second = (
                    number + (self.hint_step == 1 and seat == event.seat) for seat, number in enumerate(self.hints)
                )
                self.hints = first, second
            case EventKind.HINTED:
                first, second = map(int, event.text.split("-"))
                self.hints = first, second
            case unknown:
                EventKind(unknown)  # known kinds, such as a join, change nothing here; an unknown one raises

    def _play(self, move: Move) -> None:
        if len(self.log) in self._saved:
            self._saved[len(self.log)] = SavedPosition(self.match.copy(), self.log, self.slots)
        now = self.match.round
        seat = now.turn
        now.play(move)
        self.log.append(Logged(len(self.match.rounds), seat, str(move)))
        self.slots = self.slots.after(move, now.market)

    def _get_ready(self, seat: int) -> None:
        """Deals when every person has seen the score sheet; at one screen they see it together."""
        self.ready |= {seat}
        if self.one_screen or self.ready.issuperset(self.persons):
            self._deal()

    def _deal(self) -> None:
        self.match.next_round()
        self.slots = first_slots(self.match.round.market)
        self.ready = frozenset()

    def _rewind(self, to: int) -> None:
        """Goes back to just before a move of the log, in the round in which it was played."""
        if self.undone is None:
            self.undone = SavedPosition(self.match, self.log, self.slots)
        before = self._saved.get(to) or self.before(to + 1)
        self.match, self.log, self.slots = before.match.copy(), self.log[:to], before.slots
