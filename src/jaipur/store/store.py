"""Reads and adds rows. When a write returns, its rows are on the disk."""

import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, Executable, bindparam, case, func, literal, select, union_all
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as NoConnection

from jaipur.store.database import file_of, on_file, open_database, shown, transaction
from jaipur.store.faults import explained
from jaipur.store.schema import (
    Event,
    GameRow,
    Invite,
    MatchFigures,
    Result,
    Row,
    SeatRow,
    columns,
    events,
    games,
    invites,
    results,
    seats,
)
from jaipur.store.sqlite.file_lock import FileLock, check_whole
from jaipur.store.sqlite.sqlite_engine import check_usable, quick_check, to_begin
from jaipur.store.writing.group_commit import GroupCommit
from jaipur.store.writing.inserts import for_postgres, for_sqlite
from jaipur.store.writing.write_queue import Away, WriteQueue

_STRIPES = 1024
_T = TypeVar("_T")


class Taken(Exception):
    """Somebody else was first: an event number, a seat or an id is taken."""


@dataclass(frozen=True)
class NewGame:
    """A game to set up: the seats taken, the hash of an invitation to the free one, and what was already played."""

    game: GameRow
    seats: Sequence[SeatRow]
    invite: str | None = None
    history: Sequence[Event] = ()
    result: Result | None = None

    @property
    def rows(self) -> list[Row]:
        """All rows of the game."""
        rows: list[Row] = [self.game, *self.seats, *self.history]
        if self.invite is not None:
            rows.append(Invite(self.invite, self.game.id, 1 - self.seats[0].seat))
        return rows if self.result is None else [*rows, self.result]


@dataclass(frozen=True)
class Listed:
    """A line in a list of games. A free seat has no name (None), not even an empty one."""

    game: str
    kind: str
    names: tuple[str | None, str | None]
    levels: tuple[str | None, str | None]
    seat: int
    winner: int | None
    seals: str
    at: int
    avatars: tuple[str, str] = ("", "")


LATEST = (
    select(events.c.at)
    .where(events.c.game == games.c.id)
    .order_by(events.c.number.desc())
    .limit(1)
    .correlate(games)
    .scalar_subquery()
)
"""When something last happened in a game: one lookup at the end of its log, however long the log is."""
_LATER = events.c.number > bindparam("after")
_GAME = select(*columns(GameRow, games)).where(games.c.id == bindparam("game"))
_SEATS = select(*columns(SeatRow, seats)).where(seats.c.game == bindparam("game")).order_by(seats.c.seat)
_EVENTS = select(*columns(Event, events)).where(events.c.game == bindparam("game"), _LATER).order_by(events.c.number)
_FRESH = (
    select(*columns(SeatRow, seats), *columns(Event, events))
    .join_from(seats, events, (events.c.game == seats.c.game) & _LATER, isouter=True)
    .where(seats.c.game == bindparam("game"))
    .order_by(seats.c.seat, events.c.number)
)
_first, _second = seats.alias("first"), seats.alias("second")
# An offer or a rematch after the end is not part of the game, so the game keeps the time of its end.
_at = func.coalesce(results.c.at, LATEST, games.c.created).label("at")
_LISTED = (
    select(
        games.c.id, games.c.kind, case((_first.c.holder == bindparam("holder"), 0), else_=1),
        results.c.winner, func.coalesce(results.c.seals, ""), _at,
        _first.c.name, _second.c.name, _first.c.level, _second.c.level,
        func.coalesce(_first.c.avatar, ""), func.coalesce(_second.c.avatar, ""),
    )
    .join(_first, (_first.c.game == games.c.id) & (_first.c.seat == 0), isouter=True)
    .join(_second, (_second.c.game == games.c.id) & (_second.c.seat == 1), isouter=True)
    .join(results, results.c.game == games.c.id, isouter=True)
    .where(games.c.id.in_(select(seats.c.game).where(seats.c.holder == bindparam("holder"))))
    .order_by(_at.desc(), games.c.id)
    .limit(bindparam("most"))
)  # fmt: skip
"""The queries of every move and page are built once: building one costs more than running it."""


class Store:
    """The database of one server."""

    def __init__(self, engine: Engine, file_lock: FileLock | None = None) -> None:
        self.engine = engine
        self.observe: Callable[[float], object] = lambda _seconds: None
        """Is told how long each look and each write took, waits included."""
        self._file_lock = file_lock
        self._turns = [WriteQueue() for _ in range(_STRIPES)]
        # SQLite allows one writer at a time, whatever is written; PostgreSQL lets others write beside a group of games.
        self._writer = WriteQueue()
        self._group = GroupCommit(self._writer, self._insert)

    @classmethod
    def alone(cls, where: str) -> "Store":
        """Opens a database for one server; no other may use a database file until this one closes it."""
        if not on_file(where):
            return cls(open_database(where))
        file = file_of(where)
        check_usable(file)
        file_lock = FileLock(file)
        new = not file_lock.path.exists()
        try:
            check_whole(file)
            quick_check(file)
            return cls(open_database(where), file_lock)
        except BaseException:
            if new:
                file_lock.path.unlink(missing_ok=True)
            file_lock.withdraw()
            raise

    def close(self) -> None:
        """Merges everything into the one file, so that it can be copied."""
        self.engine.dispose()
        if self._file_lock is not None:
            self._file_lock.release()
            self._file_lock = None

    @property
    def shared(self) -> bool:
        """Whether other processes may write to the database too."""
        return self.engine.dialect.name == "postgresql"

    @property
    def where(self) -> str:
        """The database as messages name it, without a password."""
        return shown(self.engine.url)

    def turn(self, game: str) -> AbstractContextManager[None]:
        """Within this block, no other thread of this process writes to the game."""
        return self._turns[hash(game) % _STRIPES].turn()

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction: everything done in it is written, or nothing."""
        with self._operation():
            if self.shared:
                with transaction(self.engine) as connection:
                    yield connection
            else:
                with self._writer.turn(), transaction(self.engine, self._writer.seconds_left) as connection:
                    yield connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that never waits for writers."""
        with self._operation(), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def _operation(self) -> Iterator[None]:
        """One look or write: it is timed, and what goes wrong gets a sentence."""
        began = time.perf_counter()
        try:
            yield
        except IntegrityError as error:
            raise Taken from error
        except NoConnection as error:  # all connections are in use
            raise Away from error
        except DBAPIError as error:
            raise explained(error, self.where, opened=True) from error
        finally:
            self.observe(time.perf_counter() - began)

    def fetch(self, kind: Callable[..., _T], query: Executable, **values: object) -> list[_T]:
        """What a query finds: for each row, an object made of its columns."""
        with self.reading() as connection:
            return [kind(*row) for row in connection.execute(query, values)]

    def find(self, kind: Callable[..., _T], query: Executable, **values: object) -> _T | None:
        """The one row that a query finds, if any."""
        return next(iter(self.fetch(kind, query, **values)), None)

    def _insert(self, units: Sequence[Sequence[Row]]) -> None:
        if self.shared:  # a single statement is atomic anyway: two fewer messages to the server
            with self._operation(), self.engine.begin() as connection:
                connection.exec_driver_sql(*for_postgres(units))
        else:
            self._insert_into_file(units)

    def _insert_into_file(self, units: Sequence[Sequence[Row]]) -> None:
        """By the driver itself: every move waits for this, and SQLAlchemy's way takes three times as long."""
        with self._operation(), self._writer.turn(), closing(self.engine.raw_connection()) as pooled:
            connection: Any = pooled.driver_connection
            try:
                for statement in to_begin(self._writer.seconds_left):
                    connection.execute(statement)
                for statement, rows in for_sqlite(units):
                    connection.executemany(statement, rows)
                connection.commit()
            except sqlite3.Error as error:
                connection.rollback()
                raise DBAPIError.instance(None, None, error, sqlite3.Error) from error

    def create(self, new: NewGame) -> None:
        """Sets up a game; raises `Taken` when its id is taken."""
        self._group.commit(new.rows)

    def append(
        self,
        event: Event,
        result: Result | None = None,
        new: NewGame | None = None,
        figures: Sequence[MatchFigures] = (),
    ) -> None:
        """Adds an event, the result and figures if it ended the game, and any game that it set up: all or nothing.

        Raises `Taken` when the number of the event is taken.
        """
        ending = [] if result is None else [result]
        self._group.commit([event, *ending, *figures, *([] if new is None else new.rows)])

    def sit(self, seat: SeatRow, event: Event) -> None:
        """Seats somebody; raises `Taken` when the seat is taken."""
        self._group.commit([seat, event])

    def game(self, game: str) -> GameRow | None:
        """A game by its id."""
        # PostgreSQL refuses to search for text that contains a NUL.
        return self.find(GameRow, _GAME, game=game) if game.isprintable() else None

    def seats(self, game: str) -> list[SeatRow]:
        """The taken seats of a game."""
        return self.fetch(SeatRow, _SEATS, game=game)

    def events(self, game: str, after: int = 0) -> list[Event]:
        """The events of a game after a given number."""
        return self.fetch(Event, _EVENTS, game=game, after=after)

    def fresh(self, game: str, after: int) -> tuple[list[SeatRow], list[Event]]:
        """The taken seats of a game, and its events after a given number, in one query."""
        with self.reading() as connection:
            rows = connection.execute(_FRESH, {"game": game, "after": after}).all()
        width = len(fields(SeatRow))
        taken = {row[1]: SeatRow(*row[:width]) for row in rows}
        new = {row[width + 1]: Event(*row[width:]) for row in rows if row[width] is not None}
        return list(taken.values()), list(new.values())

    def changed_since(self, at: int) -> dict[str, int]:
        """The games that changed after a given time, with the number of their last event; 0 for a new game."""
        made = select(games.c.id, literal(0).label("number")).where(games.c.created > at)
        changed = union_all(made, select(events.c.game, events.c.number).where(events.c.at > at)).subquery()
        newest = select(changed.c.id, func.max(changed.c.number)).group_by(changed.c.id)
        return dict(self.fetch(pair, newest))

    def invited(self, secret: str) -> tuple[str, int] | None:
        """The game and the seat of an invitation, given the hash of its secret."""
        return self.find(pair, select(invites.c.game, invites.c.seat).where(invites.c.token == secret))

    def game_ids(self) -> list[str]:
        """The ids of all games, oldest first."""
        return self.fetch(str, select(games.c.id).order_by(games.c.created))

    def unfinished_with_bots(self) -> list[str]:
        """Games without a result in which a bot sits."""
        unfinished = seats.c.game.not_in(select(results.c.game))
        return self.fetch(str, select(seats.c.game).where(seats.c.level.is_not(None), unfinished).distinct())

    def unfinished_with_clocks(self) -> list[str]:
        """Games without a result that have a pace."""
        return self.fetch(str, select(games.c.id).where(games.c.pace != "", games.c.id.not_in(select(results.c.game))))

    def games_of(self, holder: str, limit: int) -> list[Listed]:
        """A person's games, the newest first."""
        return self.fetch(_listed, _LISTED, holder=holder, most=limit)


def pair(one: Any, other: Any) -> tuple[Any, Any]:
    """A row of two columns."""
    return one, other


def _listed(game: str, kind: str, seat: int, winner: int | None, seals: str, at: int, *of_seats: Any) -> Listed:
    return Listed(game, kind, of_seats[:2], of_seats[2:4], seat, winner, seals, at, of_seats[4:])
