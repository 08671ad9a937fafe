"""The one authority over all games: it checks, commits, then tells the listeners."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Concatenate, ParamSpec

from jaipur.match import Match, read_seed
from jaipur.record import Record
from jaipur.rules.errors import N_, JaipurError
from jaipur.rules.move import Move
from jaipur.store import Event, NewGame, SeatRow, StoreError, Taken
from jaipur.store.writing.write_queue import Away
from jaipur.table import checks
from jaipur.table.cache import OpenTables
from jaipur.table.errors import GameOver, KeyUsed, NoSuchGame, Stale
from jaipur.table.events import EventKind, Question, Speed
from jaipur.table.new_games import Seating, new_game, rematch_of, result_of
from jaipur.table.past.match_figures import figures_of
from jaipur.table.secrets import fresh_id, hashed, id_for
from jaipur.table.table import Table

Listener = Callable[[Table, Event | None], None]
"""Is told of each new game (no event) and of each event, after it was written, with the newest table in memory."""
_TRIES = 10
_LAST_EVENTS = frozenset({EventKind.RESIGN, EventKind.REMATCH, EventKind.STOP, EventKind.TIMEOUT, EventKind.RESUME})
"""Allowed even when the log is full: what ends a game or a stalled round, a rematch, and what a restart writes."""
_BY_THE_CLOCK = frozenset({EventKind.TIMEOUT, EventKind.RESUME})
_P = ParamSpec("_P")


def _now() -> int:
    return time.time_ns() // 1_000_000


class _Outrun(Stale):
    """Something else was written first."""


def _retried(
    act: Callable[Concatenate["Tables", Table, _P], Table],
) -> Callable[Concatenate["Tables", Table, _P], Table]:
    """Tries again when another process wrote first: its event may be harmless, or even be this very request.

    A refusal is decided again too, if the table in memory lacked what another process had written. What is accepted
    needs no such check: the write fails if the table was not the newest.
    """

    @wraps(act)
    def again(self: "Tables", table: Table, /, *arguments: _P.args, **options: _P.kwargs) -> Table:
        for _try in range(_TRIES):
            kept = self.kept(table.game.id)
            try:
                return act(self, table, *arguments, **options)
            except _Outrun:
                continue
            except JaipurError as error:
                if isinstance(error, StoreError) or kept is None or kept.number >= self.open(table.game.id).number:
                    raise
        raise Stale

    return again


@dataclass
class Tables(OpenTables):
    """All tables of one store.

    Writers wait their turn. Every action takes the table its caller holds and returns the table after the action, but
    it decides on the basis of the table as it is when its turn comes.
    """

    clock: Callable[[], int] = _now
    new_id: Callable[[], str] = fresh_id
    new_seed: Callable[[], bytes] = lambda: read_seed(None)
    listeners: list[Listener] = field(default_factory=list)
    clocks_run: Callable[[], bool] = lambda: True
    """False while the database is away: nobody's time runs out, and nothing happens in a game with a clock."""

    def create(self, seating: Seating, host: str = "", key: str = "", history: Match | Record | None = None) -> Table:
        """Sets up a game. The invitation to a free seat is derived from the host's secret.

        A match that was played elsewhere is continued; a record may also say that it ended, and how many hints it had.
        """
        game = id_for(hashed(host), key) if key else self.new_id()
        record = history if isinstance(history, Record) else Record(history or Match(self.new_seed()))
        new = new_game(game, seating, record, self.clock(), host)
        try:
            self.store.create(new)
        except Taken:  # the same request came twice
            self._check_same(new, played=history is not None)
            return self.open(game)
        return self._tell(self.open(game), None)

    def _check_same(self, new: NewGame, played: bool) -> None:
        """Refuses if the existing game is not the one asked for; the seed matters only if a history came with it."""
        row = self.store.game(new.game.id)
        if row is None:
            raise Stale
        asked = replace(new.game, created=row.created, seed=new.game.seed if played else row.seed)
        known = [(event.seat, event.kind, event.text) for event in self.store.events(row.id)]
        history = [(event.seat, event.kind, event.text) for event in new.history]
        if row != asked or not set(new.seats) <= set(self.store.seats(row.id)) or known[: len(history)] != history:
            raise KeyUsed

    def reread(self, game: str) -> None:
        """A game was changed from outside: reads it again, and tells the listeners what has happened."""
        known = self._kept.forget(game)
        if known is not None:
            for event in self.store.events(game, known.number):
                self._tell(self.open(game), event)

    def invitation(self, secret: str) -> tuple[Table, int]:
        """The table and the free seat of an invitation."""
        invite = self.store.invited(hashed(secret))
        if invite is None:
            raise NoSuchGame(N_("This invitation does not exist: ask for a new link."))
        game, seat = invite
        return self.open(game), seat

    def join(self, secret: str, name: str, holder: str, avatar: str = "") -> Table:
        """Seats a person by invitation, once."""
        invited, seat = self.invitation(secret)
        return self._sit(invited, holder, SeatRow(invited.game.id, seat, name, None, holder, avatar))

    @_retried
    def _sit(self, invited: Table, holder: str, row: SeatRow) -> Table:
        with self._locked(invited) as table:
            if row.seat in table.held_by(holder):
                return table
            checks.check_join(table, holder)
            event = self._event(table, row.seat, EventKind.JOIN, "", None)
            after = self._commit(table.after(event, row), lambda: self.store.sit(row, event))
        return self._tell(after, event)

    def move(self, table: Table, seat: int, ply: int, move: Move, key: str | None = None) -> Table:
        """Plays a move at a ply. A stale ply, the wrong seat, a finished game or an illegal move is refused."""
        causes = {EventKind.MOVE: str(move)}
        return self._act(table, seat, key, causes, lambda now, _seat: checks.move(now, seat, ply, move), ply, move)

    def ready(self, table: Table, seat: int, key: str | None = None) -> Table:
        """A seat has seen the score sheet."""
        return self._act(table, seat, key, {EventKind.READY: None}, checks.ready)

    def resign(self, table: Table, seat: int, key: str | None = None) -> Table:
        """A seat gives up the match."""
        return self._act(table, seat, key, {EventKind.RESIGN: None}, checks.resign)

    def time_out(self, table: Table) -> Table:
        """Ends the match because a seat has run out of time."""
        seat = table.out_of_time(self.clock())

        def check(now: Table, _seat: int) -> checks.Cause:
            checks.check_going(now)
            if not self.clocks_run():
                raise Away
            if seat is None or now.out_of_time(self.clock()) != seat:
                raise Stale
            return EventKind.TIMEOUT, ""

        return self._act(table, seat or 0, None, {EventKind.TIMEOUT: None}, check)

    def resume(self, table: Table) -> Table:
        """The clock begins again: the time since the last event counts against nobody."""
        return self._act(table, 0, None, {EventKind.RESUME: None}, checks.resume)

    def stop(self, table: Table) -> Table:
        """Ends a round between bots that is going nowhere (R25)."""
        return self._act(table, 0, None, {EventKind.STOP: None}, checks.stop)

    def share(self, table: Table, seat: int, key: str | None = None) -> Table:
        """Opens a finished game to anybody with its address."""
        return self._act(table, seat, key, {EventKind.SHARE: None}, checks.share)

    def set_speed(self, table: Table, speed: Speed, key: str | None = None) -> Table:
        """Tells two bots to pause, to make one move, or how fast to play."""
        return self._act(table, 0, key, {EventKind.SPEED: speed}, lambda now, _seat: checks.set_speed(now, speed))

    def hint(self, table: Table, seat: int, ply: int, key: str | None = None) -> Table:
        """Notes that a seat got one more step of a hint: anybody who sees the game or its record can tell."""
        return self._act(table, seat, key, {EventKind.HINT: None}, lambda now, who: checks.hint(now, who, ply), ply)

    def undo(self, table: Table, seat: int, key: str | None = None) -> Table:
        """Takes a person's last move back; against another person, this asks first."""
        return self._act(table, seat, key, {EventKind.UNDO: None, EventKind.ASK: Question.UNDO}, checks.undo)

    def redo(self, table: Table, seat: int, key: str | None = None) -> Table:
        """Replays the moves that were taken back."""
        return self._act(table, seat, key, {EventKind.REDO: None}, checks.redo)

    def rematch(self, table: Table, seat: int, key: str | None = None) -> Table:
        """Starts a new match with the same players; against another person, this asks first."""
        causes = {EventKind.REMATCH: None, EventKind.ASK: Question.REMATCH}
        return self._act(table, seat, key, causes, checks.rematch)

    def answer(self, table: Table, seat: int, agreed: bool, key: str | None = None) -> Table:
        """Agrees to what the other seat asked, or declines it."""
        if agreed:
            return self._act(table, seat, key, {EventKind.UNDO: None, EventKind.REMATCH: None}, checks.agree)
        return self._act(table, seat, key, {EventKind.DECLINE: None}, checks.decline)

    @_retried
    def _act(
        self,
        table: Table,
        seat: int,
        key: str | None,
        causes: Mapping[EventKind, str | None],
        check: Callable[[Table, int], checks.Cause],
        ply: int | None = None,
        move: Move | None = None,
    ) -> Table:
        """Writes the event that a request leads to. It can cause these `causes`; a text of None stands for any text."""
        with self._locked(table) as now:
            earlier = self._after_same(now, seat, key, causes, ply)
            if earlier is not None:
                return earlier
            if not causes.keys() & _BY_THE_CLOCK:
                self._check_time(now)
            kind, text = check(now, seat)
            if kind not in _LAST_EVENTS:
                checks.check_room(now)
            new = self._rematch_of(now) if kind is EventKind.REMATCH else None
            event = self._event(now, seat, kind, text if new is None else new.game.id, key)
            after = now.after(event, move=move)
            result = None if now.over else result_of(after, event.at)
            figures = figures_of(after) if result else []
            self._commit(after, lambda: self.store.append(event, result, new, figures))
        self._tell(after, event)
        if new is not None:
            self._tell(self.open(new.game.id), None)
        return after

    def _rematch_of(self, table: Table) -> NewGame:
        """A new game with the same players; it is written together with the event that leads to it."""
        match = Match(self.new_seed())
        return new_game(self.new_id(), rematch_of(table, match), Record(match), self.clock())

    def _check_time(self, table: Table) -> None:
        """Refuses what comes after a seat's time is up, even if the timer has not gone off yet."""
        if table.clock is not None and not self.clocks_run():
            raise Away
        if table.out_of_time(self.clock()) is not None:
            self.time_out(table)
            raise GameOver

    def look_again(self, holder: str) -> None:
        """A person has a new name or a new holder: their tables are read again when needed."""
        for table in self._kept.held_by(holder):
            with self._locked(table):
                self._kept.forget(table.game.id)

    @contextmanager
    def _locked(self, table: Table) -> Iterator[Table]:
        """The table as it is now, reserved for this thread."""
        game = table.game.id
        with self.store.turn(game):
            kept = self._kept.look(game)
            yield self.open(game) if kept is None or kept.number < table.number else kept

    def _event(self, table: Table, seat: int, kind: EventKind, text: str, key: str | None) -> Event:
        return Event(table.game.id, table.number + 1, seat, kind, text, key, self.clock())

    def _commit(self, after: Table, write: Callable[[], None]) -> Table:
        """Writes, then keeps the next table. If the write fails, others may have written, so the next look rereads."""
        try:
            write()
        except BaseException as error:
            self._kept.forget(after.game.id)
            if isinstance(error, Taken):
                raise _Outrun from error
            raise
        self._kept.keep(after, written=True)
        return after

    def _after_same(
        self, table: Table, seat: int, key: str | None, causes: Mapping[EventKind, str | None], ply: int | None
    ) -> Table | None:
        """The table after the event that this request, known by its key, has already caused."""
        if not key or (table.holder(seat), key) not in table.keys:
            return None
        event, at = table.keys[table.holder(seat), key]
        if causes.get(EventKind(event.kind), "another") not in {None, event.text} or ply not in {None, at}:
            raise KeyUsed
        if event.number == table.number:
            return table
        events = [one for one in self.store.events(table.game.id) if one.number <= event.number]
        return Table(table.game, [row for row in table.seats if row is not None], events)

    def _tell(self, after: Table, event: Event | None) -> Table:
        """Tells the listeners. Of two threads that have written, the later one may tell first."""
        kept = self._kept.look(after.game.id)
        newest = kept if kept is not None and kept.number > after.number else after
        for listener in self.listeners:
            listener(newest, event)
        return after
