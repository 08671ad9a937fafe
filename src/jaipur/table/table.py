"""One table: a game on the server, in its state after the events so far."""

from collections.abc import Iterable
from copy import copy
from dataclasses import replace

from jaipur.match import MOST_PLIES, Match
from jaipur.rules.bag import size
from jaipur.rules.box import QUIET_LIMIT, bonus_pile
from jaipur.rules.move import Move
from jaipur.rules.view import View
from jaipur.store import Event, GameRow, SeatRow
from jaipur.table.checkpoints import Place
from jaipur.table.clock import Clock, read_pace
from jaipur.table.entries import Keyed, Offer, Played
from jaipur.table.enums import EventKind, GameKind, Question, Speed, Status
from jaipur.table.errors import NotSeated
from jaipur.table.seen.market_slots import NOTHING_LEFT, first_slots, slots_after, slots_of


class Table:
    """A game in progress. It never changes: `after` makes the next table from the next event.

    `persons` are the seats that belong to people, or are still free. `number` counts events; `ply` counts changes of
    the position and never repeats. `left_slots` are the cards that the last move took from the market. `undone` are the
    moves that were taken back and that a redo would play again, in a match that had reached round `undone_rounds`.
    `actor` is the seat that caused the last event, `acted` is when each seat last did something. `hints` counts the
    positions in which each seat asked for a hint, and `hint_step` is how much of a hint was given in this one. An
    idempotency key belongs to the person who sent it, whichever of their seats acted. `winner` and `persons` are asked
    for so often that they are worked out once.
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
        self.log: list[Played] = []
        self.market_slots = first_slots(self.match.round.market)
        self.left_slots = NOTHING_LEFT
        self.undone: list[Played] = []
        self.undone_rounds = 0
        self.offer: Offer | None = None
        self.ready: set[int] = set()
        self.resigned: int | None = None
        self.winner: int | None = None
        self.rematch: str | None = None
        self.speed = Speed.NORMAL
        self.shared = game.watchable
        self.hints = (0, 0)
        self.hint_step = 0
        self.keys: dict[tuple[str | None, str], Keyed] = {}
        self.actor = 0
        self.changed = game.created
        self.acted: list[int | None] = [None, None]
        events = list(events)
        self.timed_out: int | None = None
        self.pace = read_pace(game.pace)
        self.clock = None if self.pace is None else Clock((self.pace.each, self.pace.each), (), game.created)
        # If a friend joined later, the clock starts when they joined.
        if self.clock is not None and not any(event.kind == EventKind.JOIN for event in events):
            self.clock = replace(self.clock, running=self.must_act)
        # All undos of a stored game are known in advance: saving those positions avoids a replay for each undo.
        self._places: dict[int, Place | None] = {
            int(event.text): None for event in events if event.kind == EventKind.UNDO
        }
        for event in events:
            self._apply(event)
        self._places = {}

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
        up = [] if self.clock is None else self.clock.up(now)
        if self.clock is not None and len(up) > 1 and len(set(self.clock.left)) == 1:
            return 1 if self.match.round.score().winner == 0 else 0
        return up[0] if up else None

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
        """How many moves remain when a person's last one is taken back.

        None if it cannot be: between people, a move that revealed something stays.
        """
        if self.over or not self.log or not self.persons:
            return None
        if len(self.persons) == 1:
            mine = [number for number, played in enumerate(self.log) if played.seat in self.persons]
            return mine[-1] if mine else None
        return None if self._revealing(self.log[-1]) else len(self.log) - 1

    def _revealing(self, played: Played) -> bool:
        """Whether a move has revealed a card from the deck, a bonus token or the score sheet."""
        bonus = not played.move.take and bonus_pile(size(played.move.give)) >= 0
        drawn = not played.move.give
        return drawn or bonus or self.match.round.over or played.round < len(self.match.rounds)

    def _won_by(self) -> int | None:
        """Who has won: by two seals, or because the other resigned or ran out of time."""
        lost = self.timed_out if self.resigned is None else self.resigned
        return self.match.winner if lost is None else 1 - lost

    # What happens.

    def after(self, event: Event, joined: SeatRow | None = None, move: Move | None = None) -> "Table":
        """The table after one more event: somebody who `joined`, or a `move` that need not be parsed again.

        This table stays as it is, so nobody ever sees half a change.
        """
        after = copy(self)
        after.match = self.match.copy()
        after.log, after.ready, after.keys = self.log.copy(), self.ready.copy(), self.keys.copy()
        after.undone, after.acted = self.undone.copy(), self.acted.copy()
        if joined is not None:
            after.seats = [joined if seat == joined.seat else row for seat, row in enumerate(self.seats)]
        after._apply(event, move)
        return after

    def replayed(self, ply: int) -> "Table":
        """The table as it was after this many moves of the log."""
        past = copy(self)
        past.match = self.match.until(ply)
        past.log = self.log[:ply]
        past.market_slots, past.left_slots = slots_of(past.match)
        past.offer, past.ready, past.resigned, past.rematch = None, set(), None, None
        past.timed_out, past.clock = None, None
        past.winner = past._won_by()
        return past

    def before(self, ply: int) -> "Table":
        """The table just before a move of the log, with the cards of its round dealt."""
        past = self.replayed(ply - 1)
        if past.match.round.over:
            past._deal()
        return past

    def _apply(self, event: Event, move: Move | None = None) -> None:
        place = self.ply, len(self.match.rounds)
        if self.clock is not None:
            until = int(event.text) if event.kind == EventKind.RESUME else event.at
            self.clock = self.clock.charged(until, event.at)
        self._happen(event, move)
        self.winner = self._won_by()
        if self.clock is not None and self.pace is not None:
            if event.kind == EventKind.MOVE:
                self.clock = self.clock.with_increment(self.pace, event.seat)
            self.clock = self.clock.started(self.pace, self.must_act, place != (self.ply, len(self.match.rounds)))

    def _happen(self, event: Event, move: Move | None) -> None:
        if event.key is not None:
            self.keys[self.holder(event.seat), event.key] = Keyed(event, self.ply)
        if event.kind in {EventKind.MOVE, EventKind.UNDO, EventKind.REDO, EventKind.STOP}:
            self._change(event, move)
            self.ply += 1
        else:
            self._settle(event)
        if self.speed is Speed.STEP and event.kind != EventKind.SPEED:
            self.speed = Speed.PAUSE
        self.number = event.number
        self.changed = event.at
        self.actor = event.seat
        if event.kind not in {EventKind.TIMEOUT, EventKind.RESUME}:
            self.acted[event.seat] = event.at

    def _change(self, event: Event, move: Move | None) -> None:
        """Applies an event that changes the position."""
        self.hint_step = 0
        match event.kind:
            case EventKind.MOVE:
                self.undone = []
                self._play(Move.parse(event.text) if move is None else move)
            case EventKind.UNDO:
                self._rewind(int(event.text))
            case EventKind.REDO:
                self._replay()
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
            case EventKind.RESIGN:
                self.resigned, self.offer = event.seat, None
            case EventKind.TIMEOUT:
                self.timed_out, self.offer = event.seat, None
            case EventKind.REMATCH:
                self.rematch, self.offer = event.text, None
            case EventKind.SHARE:
                self.shared = True
            case EventKind.SPEED:
                self.speed = Speed(event.text)
            case EventKind.HINT | EventKind.HINTED:
                self._hint(event)
            case unknown:
                EventKind(unknown)  # known kinds, such as a join, change nothing here; an unknown one raises

    def _hint(self, event: Event) -> None:
        if event.kind == EventKind.HINTED:
            first, second = map(int, event.text.split("-"))
        else:
            self.hint_step = int(event.text)
            asked = [self.hint_step == 1 and seat == event.seat for seat in (0, 1)]
            first, second = (before + more for before, more in zip(self.hints, asked, strict=True))
        self.hints = first, second

    def _play(self, move: Move) -> None:
        if len(self.log) in self._places:
            self._places[len(self.log)] = Place.of(self.match, self.market_slots, self.left_slots)
        now = self.match.round
        before, seat = now.market, now.turn
        now.play(move)
        self.log.append(Played(len(self.match.rounds), seat, move))
        self.market_slots, self.left_slots = slots_after(self.market_slots, before, move, now.market)
        self.offer, self.ready = None, set()

    def _get_ready(self, seat: int) -> None:
        """Deals when every person has seen the score sheet; at one screen they see it together."""
        self.ready.add(seat)
        if self.one_screen or set(self.persons) <= self.ready:
            self._deal()

    def _deal(self) -> None:
        self.match.next_round()
        self.market_slots, self.left_slots = first_slots(self.match.round.market), NOTHING_LEFT
        self.ready = set()

    def _rewind(self, to: int) -> None:
        """Goes back to just before a move of the log, in the round in which it was played."""
        if not self.undone:
            self.undone_rounds = len(self.match.rounds)
        self.undone = [*self.log[to:], *self.undone]
        self.log = self.log[:to]
        place = self._places.get(to)
        if place is None:
            self._play_to(to)
        else:
            self.match = place.match_after(played.move for played in self.log if played.round == place.round)
            self.market_slots, self.left_slots = place.market_slots, place.left_slots
        self.offer, self.ready = None, set()

    def _play_to(self, ply: int) -> None:
        self.match = self.match.until(ply)
        if self.undone[0].round > len(self.match.rounds):
            self.match.next_round()
        self.market_slots, self.left_slots = slots_of(self.match)

    def _replay(self) -> None:
        """Replays the moves that were taken back."""
        moves, self.undone = self.undone, []
        for played in moves:
            if self.match.round.over:
                self._deal()
            self._play(played.move)
        if len(self.match.rounds) < self.undone_rounds:
            self._deal()
