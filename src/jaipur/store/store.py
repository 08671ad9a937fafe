"""Reads and adds rows. Whatever it returns from a write is on the disk."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, Engine, Row, func, insert, select
from sqlalchemy.exc import DBAPIError, IntegrityError

from jaipur.store.database import explained
from jaipur.store.schema import events, games, invites, results, seats


class Taken(Exception):
    """Somebody else was first: the number of an event, a seat, or an id is taken."""


@dataclass(frozen=True)
class Game:
    """A game as it was set up. The seed is secret until the match is over."""

    id: str
    kind: str
    seed: str
    watchable: bool
    created: int


@dataclass(frozen=True)
class Seat:
    """A seat that is taken: by a bot of a level, or by the person whose token has this hash."""

    game: str
    seat: int
    name: str
    level: str | None
    holder: str | None


@dataclass(frozen=True)
class Event:
    """One thing that happened in a game."""

    game: str
    number: int
    seat: int
    kind: str
    text: str
    key: str | None
    at: int


@dataclass(frozen=True)
class Result:
    """How a game ended."""

    game: str
    winner: int
    seals: str
    at: int


@dataclass(frozen=True)
class Listed:
    """A line of a list of games."""

    game: str
    kind: str
    names: tuple[str, str]
    seat: int
    winner: int | None
    seals: str
    at: int


class Store:
    """The database of one server."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.reader = engine.execution_options(isolation_level="AUTOCOMMIT")
        # SQLite has one writer at a time. Waiting here is in turn and wakes at once; its own waiting polls.
        self._writing = threading.Lock()

    @property
    def where(self) -> str:
        """The database, for messages; without a password."""
        url = self.engine.url
        return str(url.database) if url.get_backend_name() == "sqlite" else url.render_as_string()

    @contextmanager
    def _write(self) -> Iterator[Connection]:
        try:
            with self._writing, self.engine.begin() as connection:
                yield connection
        except IntegrityError as error:
            raise Taken from error
        except DBAPIError as error:
            raise explained(error, self.where) from error

    @contextmanager
    def _read(self) -> Iterator[Connection]:
        try:
            with self.reader.connect() as connection:
                yield connection
        except DBAPIError as error:
            raise explained(error, self.where) from error

    def create(
        self, game: Game, taken: Sequence[Seat], invite: str | None, history: Sequence[Event], result: Result | None
    ) -> None:
        """Sets up a game with the seats that are taken, an invitation to the one that is free, and what was played."""
        with self._write() as connection:
            connection.execute(insert(games), asdict(game))
            connection.execute(insert(seats), [asdict(seat) for seat in taken])
            if invite is not None:
                free = next(seat for seat in (0, 1) if all(seat != row.seat for row in taken))
                connection.execute(insert(invites), {"token": invite, "game": game.id, "seat": free})
            if history:
                connection.execute(insert(events), [asdict(event) for event in history])
            if result is not None:
                connection.execute(insert(results), asdict(result))

    def game(self, game: str) -> Game | None:
        """A game by its id."""
        with self._read() as connection:
            row = connection.execute(select(games).where(games.c.id == game)).one_or_none()
        return None if row is None else Game(*row)

    def seats(self, game: str) -> list[Seat]:
        """The seats of a game that are taken."""
        with self._read() as connection:
            rows = connection.execute(select(seats).where(seats.c.game == game).order_by(seats.c.seat))
            return [Seat(*row) for row in rows]

    def events(self, game: str, after: int = 0) -> list[Event]:
        """The events of a game after a number."""
        with self._read() as connection:
            wanted = (events.c.game == game) & (events.c.number > after)
            return [Event(*row) for row in connection.execute(select(events).where(wanted).order_by(events.c.number))]

    def append(self, event: Event, result: Result | None = None) -> None:
        """Adds an event, and the result if it ended the game; raises `Taken` when the number is taken."""
        with self._write() as connection:
            connection.execute(insert(events), asdict(event))
            if result is not None:
                connection.execute(insert(results), asdict(result))

    def invited(self, token: str) -> tuple[str, int] | None:
        """The game and the seat of an invitation, by the hash of its token."""
        with self._read() as connection:
            found = connection.execute(select(invites.c.game, invites.c.seat).where(invites.c.token == token))
            row = found.one_or_none()
        return None if row is None else (row.game, row.seat)

    def sit(self, seat: Seat, event: Event) -> None:
        """Seats somebody; raises `Taken` when the seat is taken."""
        with self._write() as connection:
            connection.execute(insert(seats), asdict(seat))
            connection.execute(insert(events), asdict(event))

    def unfinished_with_bots(self) -> list[str]:
        """Games without a result in which a bot sits."""
        with self._read() as connection:
            wanted = select(seats.c.game).where(seats.c.level.is_not(None), seats.c.game.not_in(select(results.c.game)))
            return list(connection.execute(wanted.distinct()).scalars())

    def games_of(self, holder: str, limit: int) -> list[Listed]:
        """The games of a person, the newest first."""
        mine, other = seats.alias("mine"), seats.alias("other")
        latest = select(func.max(events.c.at)).where(events.c.game == games.c.id).scalar_subquery()
        at = func.coalesce(latest, games.c.created).label("at")
        wanted = (
            select(
                games.c.id, games.c.kind, mine.c.seat, mine.c.name, other.c.name.label("other_name"),
                results.c.winner, results.c.seals, at,
            )
            .join(mine, (mine.c.game == games.c.id) & (mine.c.holder == holder))
            .join(other, (other.c.game == games.c.id) & (other.c.seat != mine.c.seat), isouter=True)
            .join(results, results.c.game == games.c.id, isouter=True)
            .order_by(at.desc(), games.c.id, mine.c.seat)
            .limit(limit)
        )  # fmt: skip
        with self._read() as connection:
            return _once([_listed(row) for row in connection.execute(wanted)])


def _listed(row: Row[*tuple[Any, ...]]) -> Listed:
    names = (row.name, row.other_name or "")
    return Listed(
        row.id, row.kind, names if row.seat == 0 else names[::-1], row.seat, row.winner, row.seals or "", row.at
    )


def _once(listed: list[Listed]) -> list[Listed]:
    """Who holds both seats is listed once."""
    return list({line.game: line for line in reversed(listed)}.values())[::-1]
