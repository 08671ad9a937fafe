"""Reads and adds rows. When a write returns, its rows are on the disk."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Row, bindparam, func, literal, select
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as NoConnection

from jaipur.store.database import autocommitting, file_of, on_file, open_database, shown, transactions
from jaipur.store.faults import explained
from jaipur.store.rows import Event, Figures, GameRow, Listed, NewGame, Result, SeatRow
from jaipur.store.schema import events, figures, games, invites, results, seats
from jaipur.store.sqlite.engine import LEFT, check_usable, quick_check
from jaipur.store.sqlite.file_lock import FileLock, check_whole
from jaipur.store.writing.group_commit import GroupCommit
from jaipur.store.writing.inserts import Rows, insert_rows
from jaipur.store.writing.write_queue import Away, WriteQueue, seconds_left

_STRIPES = 1024


class Taken(Exception):
    """Somebody else was first: an event number, a seat or an id is taken."""


@dataclass(frozen=True)
class _Invite:
    secret: str
    game: str
    seat: int


_LATER = events.c.number > bindparam("after")
_EVENTS = select(events).where(events.c.game == bindparam("wanted"), _LATER).order_by(events.c.number)
_FRESH = (
    select(seats, events)
    .join(events, (events.c.game == seats.c.game) & _LATER, isouter=True)
    .where(seats.c.game == bindparam("wanted"))
    .order_by(seats.c.seat, events.c.number)
)
"""The queries of every move are built once: building one costs more than running it."""
LATEST = (
    select(events.c.at)
    .where(events.c.game == games.c.id)
    .order_by(events.c.number.desc())
    .limit(1)
    .correlate(games)
    .scalar_subquery()
)
"""When something last happened in a game: one lookup at the end of its log, however long the log is."""


class Store:
    """The database of one server."""

    def __init__(self, engine: Engine, file_lock: FileLock | None = None) -> None:
        self.engine = engine
        self._file_lock = file_lock
        self.reader = autocommitting(engine)
        self._transactions = transactions(engine)
        self._turns = [WriteQueue() for _ in range(_STRIPES)]
        # SQLite allows one writer at a time, whatever is written; PostgreSQL lets others write beside a group of games.
        self._writer = None if self.shared else WriteQueue()
        self._group = GroupCommit(self._writer or WriteQueue(), self._insert)

    @classmethod
    def alone(cls, where: str) -> "Store":
        """Opens a database for one server; no other may use a database file until this one closes it."""
        if not on_file(where):
            return cls(open_database(where))
        file = file_of(where)
        check_usable(file)
        file_lock = FileLock(file)
        try:
            return cls(_open_alone(where, file_lock.path), file_lock)
        except BaseException:
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
    def _transaction(self, statements: int) -> Iterator[Connection]:
        if self._writer is None:
            # A single statement is atomic anyway, so BEGIN and COMMIT are saved: two fewer messages to the server.
            with (self.reader if statements == 1 else self._transactions).begin() as connection:
                yield connection
        else:
            with self._writer.turn():
                writer = self._transactions.execution_options(**{LEFT: seconds_left()})
                with writer.begin() as connection:
                    yield connection

    @contextmanager
    def writing(self, statements: int = 0) -> Iterator[Connection]:
        """A transaction: everything done in it is written, or nothing. `statements` says how many, if known."""
        try:
            with self._transaction(statements) as connection:
                yield connection
        except IntegrityError as error:
            raise Taken from error
        except NoConnection as error:  # all connections are in use
            raise Away from error
        except DBAPIError as error:
            raise explained(error, self.where, opened=True) from error

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that never waits for writers."""
        try:
            with self.reader.connect() as connection:
                yield connection
        except NoConnection as error:
            raise Away from error
        except DBAPIError as error:
            raise explained(error, self.where, opened=True) from error

    def _add(self, rows: Rows) -> None:
        """Adds rows, all or none, together with those of other waiting writers."""
        self._group.commit(rows)

    def _insert(self, wanted: Sequence[Rows]) -> None:
        insert_rows(self.writing, self.shared, wanted)

    def create(self, new: NewGame) -> None:
        """Sets up a game; raises `Taken` when its id is taken."""
        self._add(_rows_of(new))

    def game(self, game: str) -> GameRow | None:
        """A game by its id."""
        if not game.isprintable():  # PostgreSQL refuses to search for text that contains a NUL
            return None
        with self.reading() as connection:
            row = connection.execute(select(games).where(games.c.id == game)).one_or_none()
        return None if row is None else GameRow(*row)

    def seats(self, game: str) -> list[SeatRow]:
        """The taken seats of a game."""
        with self.reading() as connection:
            rows = connection.execute(select(seats).where(seats.c.game == game).order_by(seats.c.seat))
            return [SeatRow(*row) for row in rows]

    def events(self, game: str, after: int = 0) -> list[Event]:
        """The events of a game after a given number."""
        with self.reading() as connection:
            return [Event(*row) for row in connection.execute(_EVENTS, {"wanted": game, "after": after})]

    def fresh(self, game: str, after: int) -> tuple[list[SeatRow], list[Event]]:
        """The taken seats of a game, and its events after a given number, in one query."""
        width = len(seats.c)
        taken: dict[int, SeatRow] = {}
        found: dict[int, Event] = {}
        with self.reading() as connection:
            for row in connection.execute(_FRESH, {"wanted": game, "after": after}):
                taken[row[1]] = SeatRow(*row[:width])
                if row[width] is not None:
                    found[row[width + 1]] = Event(*row[width:])
        return list(taken.values()), list(found.values())

    def changed_since(self, at: int) -> dict[str, int]:
        """The games that changed after a given time, with the number of their last event; 0 for a new game."""
        happened = select(events.c.game, func.max(events.c.number)).where(events.c.at > at).group_by(events.c.game)
        made = select(games.c.id, literal(0)).where(games.c.created > at)
        with self.reading() as connection:
            found = {game: number for game, number in connection.execute(made)}  # noqa: C416 - rows are no pairs to mypy
            found |= {game: number for game, number in connection.execute(happened)}  # noqa: C416
        return found

    def append(
        self, event: Event, result: Result | None = None, new: NewGame | None = None, done: Sequence[Figures] = ()
    ) -> None:
        """Adds an event, the result and figures if it ended the game, and any game that it set up: all or nothing.

        Raises `Taken` when the number of the event is taken.
        """
        rows = {} if new is None else _rows_of(new)
        rows[events] = [event, *rows.get(events, ())]
        rows[results] = [*([] if result is None else [result]), *rows.get(results, ())]
        rows[figures] = done
        self._add(rows)

    def invited(self, secret: str) -> tuple[str, int] | None:
        """The game and the seat of an invitation, given the hash of its secret."""
        with self.reading() as connection:
            found = connection.execute(select(invites.c.game, invites.c.seat).where(invites.c.secret == secret))
            row = found.one_or_none()
        return None if row is None else (row.game, row.seat)

    def sit(self, seat: SeatRow, event: Event) -> None:
        """Seats somebody; raises `Taken` when the seat is taken."""
        self._add({seats: [seat], events: [event]})

    def game_ids(self) -> list[str]:
        """The ids of all games, oldest first."""
        with self.reading() as connection:
            return list(connection.execute(select(games.c.id).order_by(games.c.created)).scalars())

    def unfinished_with_bots(self) -> list[str]:
        """Games without a result in which a bot sits."""
        with self.reading() as connection:
            wanted = select(seats.c.game).where(seats.c.level.is_not(None), seats.c.game.not_in(select(results.c.game)))
            return list(connection.execute(wanted.distinct()).scalars())

    def unfinished_with_clocks(self) -> list[str]:
        """Games without a result that have a pace."""
        wanted = select(games.c.id).where(games.c.pace != "", games.c.id.not_in(select(results.c.game)))
        with self.reading() as connection:
            return list(connection.execute(wanted).scalars())

    def games_of(self, holder: str, limit: int) -> list[Listed]:
        """A person's games, the newest first."""
        mine, other = seats.alias("mine"), seats.alias("other")
        # An offer or a rematch after the end is not part of the game, so the game keeps the time of its end.
        at = func.coalesce(results.c.at, LATEST, games.c.created).label("at")
        wanted = (
            select(
                games.c.id, games.c.kind, mine.c.seat, mine.c.name, other.c.name.label("other_name"),
                mine.c.level, other.c.level.label("other_level"), results.c.winner, results.c.seals, at,
                mine.c.avatar, other.c.avatar.label("other_avatar"),
            )
            .join(mine, (mine.c.game == games.c.id) & (mine.c.holder == holder))
            .join(other, (other.c.game == games.c.id) & (other.c.seat != mine.c.seat), isouter=True)
            .join(results, results.c.game == games.c.id, isouter=True)
            .order_by(at.desc(), games.c.id, mine.c.seat)
            .limit(limit)
        )  # fmt: skip
        with self.reading() as connection:
            return _once([_listed(row) for row in connection.execute(wanted)])


def _open_alone(where: str, file: Path) -> Engine:
    new = not file.exists()
    check_whole(file)
    quick_check(file)
    try:
        return open_database(where)
    except BaseException:
        if new:
            file.unlink(missing_ok=True)
        raise


def _rows_of(new: NewGame) -> Rows:
    free = next((seat for seat in (0, 1) if all(seat != row.seat for row in new.seats)), 0)
    return {
        games: [new.game],
        seats: new.seats,
        invites: [] if new.invite is None else [_Invite(new.invite, new.game.id, free)],
        events: new.history,
        results: [] if new.result is None else [new.result],
    }


def _listed(row: Row[*tuple[Any, ...]]) -> Listed:
    order = 1 if row.seat == 0 else -1
    names, levels = (row.name, row.other_name)[::order], (row.level, row.other_level)[::order]
    avatars = (row.avatar, row.other_avatar or "") if row.seat == 0 else (row.other_avatar or "", row.avatar)
    return Listed(row.id, row.kind, names, levels, row.seat, row.winner, row.seals or "", row.at, avatars)


def _once(listed: list[Listed]) -> list[Listed]:
    """Lists a game only once if the same person has both seats."""
    return list({line.game: line for line in reversed(listed)}.values())[::-1]
