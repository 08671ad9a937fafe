"""The one authority over all games: checks, commits, then tells."""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock

from jaipur.core.errors import N_
from jaipur.core.move import Move
from jaipur.match import Match, read_seed
from jaipur.record import Record
from jaipur.store import Event, Game, Seat, Store, Taken
from jaipur.store.store import Result
from jaipur.table.errors import KeyUsed, NoSuchGame, NotAllowed, NotSeated, Stale
from jaipur.table.history import Deal, deals_of, events_of, record_of
from jaipur.table.seen import Seen, see
from jaipur.table.table import REMATCH, UNDO, EventKind, GameKind, Table
from jaipur.table.tokens import fresh_id, hashed, id_for, invite_token

Listener = Callable[[str, Event | None], None]
"""Is told of a game that was set up (no event) or to which something happened, after it was written."""
_KEPT_TABLES = 2000


def _now() -> int:
    return time.time_ns() // 1_000_000


@dataclass(frozen=True)
class Company:
    """Who plays: two names, a bot's level or nothing for each seat, and a holder for each person's seat."""

    kind: GameKind
    names: tuple[str, str]
    levels: tuple[str | None, str | None] = (None, None)
    holders: tuple[str | None, str | None] = (None, None)
    watchable: bool = False


@dataclass
class Tables:
    """All tables of one store. A table that was looked at lately is kept in memory.

    What is kept is written, and never changes: an event that was written puts the next table in its place. So anybody
    may look at a table without waiting; who acts waits for the one before.
    """

    store: Store
    clock: Callable[[], int] = _now
    new_id: Callable[[], str] = fresh_id
    new_seed: Callable[[], bytes] = lambda: read_seed(None)
    listeners: list[Listener] = field(default_factory=list)
    _kept: OrderedDict[str, Table] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def open(self, game: str) -> Table:
        """The table of a game as it is now."""
        with self._lock:
            if game in self._kept:
                self._kept.move_to_end(game)
                return self._kept[game]
        row = self.store.game(game)
        if row is None:
            raise NoSuchGame
        table = Table(row, self.store.seats(game), self.store.events(game))
        with self._lock:
            table = self._kept.setdefault(game, table)
            while len(self._kept) > _KEPT_TABLES:
                self._kept.popitem(last=False)
        return table

    @contextmanager
    def _at(self, game: str) -> Iterator[Table]:
        """The table as it is now, for this thread alone to act at. What has changed while we waited is opened anew."""
        while True:
            table = self.open(game)
            with table.writing:
                if self._kept.get(game) is table:
                    yield table
                    return

    def look(self, game: str, seat: int | None, number: int | None = None) -> Seen:
        """What a seat or a spectator sees: now, or after the event of a number."""
        table = self.open(game)
        if number is None or number >= table.number:
            return see(table, seat)
        events = [event for event in self.store.events(game) if event.number <= number]
        return see(Table(table.game, [row for row in table.seats if row is not None], events), seat)

    def create(self, company: Company, host: str = "", key: str = "", history: Match | None = None) -> str:
        """Sets up a game and returns its id. The invitation to a free seat follows from the host's token."""
        game_id = id_for(hashed(host), key) if key else self.new_id()
        match = history or Match(self.new_seed())
        game = Game(game_id, company.kind, match.seed.hex(), company.watchable, self.clock())
        taken = [
            Seat(game_id, seat, company.names[seat], company.levels[seat], company.holders[seat])
            for seat in (0, 1)
            if company.levels[seat] or company.holders[seat]
        ]
        invite = hashed(invite_token(host, game_id)) if len(taken) == 1 else None
        events = events_of(game, match, company.levels.index(None) if None in company.levels else 0)
        result = _result(Table(game, taken, events), game.created)
        try:
            self.store.create(game, taken, invite, events, result)
        except Taken:
            return game_id  # the same request came twice
        self._tell(game_id, None)
        return game_id

    def invitation(self, token: str) -> tuple[str, int]:
        """The game and the free seat of an invitation."""
        found = self.store.invited(hashed(token))
        if found is None:
            raise NoSuchGame(N_("This invitation does not exist: ask for a new link."))
        return found

    def join(self, token: str, name: str, holder: str) -> str:
        """Seats a person by an invitation, once; returns the game."""
        game, seat = self.invitation(token)
        with self._at(game) as table:
            if seat in table.held_by(holder):
                return game
            if table.full or table.over:
                raise NotAllowed(N_("This invitation was used already, or the host has left: ask for a new game."))
            if table.held_by(holder):
                raise NotAllowed(N_("This is your own invitation: send the link to a friend."))
            row = Seat(game, seat, name, None, holder)
            event = self._event(table, seat, EventKind.JOIN, "", None)
            self._commit(table.after(event, row), lambda: self.store.sit(row, event))
        self._tell(game, event)
        return game

    def submit(self, game: str, seat: int, ply: int, move: Move, key: str | None = None) -> Event:
        """Plays a move for a ply. A stale ply, a wrong seat and a finished game are refused."""
        return self._act(game, seat, EventKind.MOVE, str(move), key, lambda table: table.check_move(seat, ply, move))

    def ready(self, game: str, seat: int, key: str | None = None) -> Event:
        """A seat has seen the score sheet."""
        return self._act(game, seat, EventKind.READY, "", key, lambda table: table.check_ready(seat))

    def resign(self, game: str, seat: int, key: str | None = None) -> Event:
        """A seat gives up the match."""
        return self._act(game, seat, EventKind.RESIGN, "", key, Table.check_going)

    def stop(self, game: str) -> Event:
        """Ends a round of bots that goes nowhere (R25)."""
        return self._act(game, 0, EventKind.STOP, "", None, Table.check_quiet)

    def undo(self, game: str, seat: int, key: str | None = None) -> Event:
        """Takes the last move of a person back; where another person plays, this asks first."""
        with self._at(game) as table:
            if (done := _done(table, seat, key, {(EventKind.UNDO, None), (EventKind.ASK, UNDO)})) is not None:
                return done
            to = table.check_undo(seat)
            if table.alone:
                return self._act(game, seat, EventKind.UNDO, str(to), key, lambda _table: None)
            return self._act(game, seat, EventKind.ASK, UNDO, key, Table.check_no_offer)

    def rematch(self, game: str, seat: int, key: str | None = None) -> Event:
        """Plays again with the same company; where another person plays, this asks first."""
        with self._at(game) as table:
            if (done := _done(table, seat, key, {(EventKind.REMATCH, None), (EventKind.ASK, REMATCH)})) is not None:
                return done
            table.check_rematch()
            if table.alone:
                return self._play_again(table, seat, key)
            return self._act(game, seat, EventKind.ASK, REMATCH, key, Table.check_no_offer)

    def answer(self, game: str, seat: int, agreed: bool, key: str | None = None) -> Event:
        """Agrees to what the other seat asked, or declines it."""
        with self._at(game) as table:
            kinds = {EventKind.UNDO, EventKind.REMATCH} if agreed else {EventKind.DECLINE}
            if (done := _done(table, seat, key, {(kind, None) for kind in kinds})) is not None:
                return done
            table.check_answer(seat)
            if not agreed:
                return self._act(game, seat, EventKind.DECLINE, "", key, lambda _table: None)
            if table.offer is not None and table.offer.what == REMATCH:
                return self._play_again(table, seat, key)
            return self._act(game, seat, EventKind.UNDO, str(table.undo_to), key, lambda _table: None)

    def _play_again(self, table: Table, seat: int, key: str | None) -> Event:
        """A new game with the loser in the seat that starts."""
        match = Match(self.new_seed())
        swapped = table.winner == match.round.starter
        order = (1, 0) if swapped else (0, 1)
        rows = [table.seats[old] for old in order]
        names, levels, holders = zip(*((row.name, row.level, row.holder) for row in rows if row), strict=True)
        company = Company(table.kind, names, levels, holders, table.game.watchable)
        new = self.create(company, history=match)
        return self._act(table.game.id, seat, EventKind.REMATCH, new, key, Table.check_rematch)

    def _act(
        self, game: str, seat: int, kind: EventKind, text: str, key: str | None, check: Callable[[Table], None]
    ) -> Event:
        with self._at(game) as table:
            if (done := _done(table, seat, key, {(kind, text)})) is not None:
                return done
            check(table)
            event = self._event(table, seat, kind, text, key)
            after = table.after(event)
            result = None if table.over else _result(after, event.at)
            self._commit(after, lambda: self.store.append(event, result))
        self._tell(game, event)
        return event

    def _event(self, table: Table, seat: int, kind: EventKind, text: str, key: str | None) -> Event:
        return Event(table.game.id, table.number + 1, seat, kind, text, key, self.clock())

    def _commit(self, after: Table, write: Callable[[], None]) -> None:
        """Writes, and then keeps the next table. When that fails, others may have written: it is opened anew."""
        try:
            write()
        except BaseException as error:
            with self._lock:
                self._kept.pop(after.game.id, None)
            if isinstance(error, Taken):
                raise Stale from error
            raise
        with self._lock:
            self._kept[after.game.id] = after

    def _tell(self, game: str, event: Event | None) -> None:
        for listener in self.listeners:
            listener(game, event)

    def seat_of(self, game: str, holder: str | None, wanted: int | None = None) -> int | None:
        """The seat from which a person looks; two at one screen look from the seat they ask for, if it is its turn."""
        table = self.open(game)
        held = table.held_by(holder)
        if len(held) == 1:
            return held[0]
        return wanted if wanted in held and (wanted == table.turn or table.over) else None

    def may_look(self, game: str, holder: str | None) -> bool:
        """Whether a person sits here or may watch."""
        table = self.open(game)
        return bool(table.held_by(holder)) or table.game.watchable or table.over

    def acting_seat(self, game: str, holder: str | None) -> int:
        """The seat for which a person acts."""
        table = self.open(game)
        held = table.held_by(holder)
        if not held:
            raise NotSeated
        return held[0] if len(held) == 1 or table.turn not in held else table.turn

    def replay(self, game: str, seat: int | None, ply: int) -> tuple[Seen, int]:
        """The table after so many moves, uncovered if the match is over, and how many moves there are."""
        table = self.open(game)
        last = len(table.log)
        if not 0 <= ply <= last:
            raise NoSuchGame(N_("This game has no such move: go back to its replay."))
        return see(table.replayed(ply), seat, table.over), last

    def deals(self, game: str) -> list[Deal]:
        """How the seed of a finished game dealt each round."""
        table = self.open(game)
        if not table.over:
            raise NotAllowed(N_("The seed is secret until the match is over."))
        return deals_of(table.match)

    def record(self, game: str) -> Record:
        """The record of a finished game: it holds the seed."""
        table = self.open(game)
        if not table.over:
            raise NotAllowed(N_("The record holds the seed, so it is given out when the match is over."))
        return record_of(table)


def _done(table: Table, seat: int, key: str | None, wanted: set[tuple[EventKind, str | None]]) -> Event | None:
    """The event that the same request with this key has caused already; no text stands for any."""
    done = table.keys.get(key) if key else None
    if done is not None and (
        done.seat != seat or not {(EventKind(done.kind), done.text), (EventKind(done.kind), None)} & wanted
    ):
        raise KeyUsed
    return done


def _result(table: Table, at: int) -> Result | None:
    first, second = table.match.seals
    return None if table.winner is None else Result(table.game.id, table.winner, f"{first}-{second}", at)
