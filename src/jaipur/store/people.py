"""Rows about people: their names and pictures, what they did in finished games, links to their other devices."""

from dataclasses import asdict, dataclass

from sqlalchemy import Connection, and_, delete, insert, select, tuple_, update

from jaipur.store.schema import (
    DeviceLink,
    MatchFigures,
    columns,
    device_links,
    figures,
    games,
    people,
    results,
    seats,
    subscriptions,
)
from jaipur.store.store import Store, pair

_NAMED = seats.c.game.in_(select(games.c.id).where(games.c.kind != "one-screen"))
"""Seats that take a new name; at one screen the names were entered for that game alone."""


@dataclass(frozen=True)
class Person:
    """A person's chosen name and picture."""

    name: str = ""
    avatar: str = ""


@dataclass(frozen=True)
class FinishedGame:
    """A person's finished game: what the person did in it, who the opponent was, and who won."""

    figures: MatchFigures
    kind: str
    level: str | None
    rival: str | None
    rival_name: str
    rival_avatar: str
    won: bool
    at: int


class People:
    """The people of one store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def person(self, holder: str | None) -> Person:
        """What is known about a holder."""
        with self.store.reading() as connection:
            return _person(connection, holder)

    def keep(self, holder: str, person: Person, now: int) -> None:
        """Stores a name and a picture. Seats with the previous name take the new one; other seats keep theirs."""
        with self.store.writing() as connection:
            before = _person(connection, holder)
            connection.execute(delete(people).where(people.c.holder == holder))
            connection.execute(insert(people), {"holder": holder, **asdict(person), "created": now})
            own = and_(seats.c.holder == holder, seats.c.name == before.name, _NAMED)
            connection.execute(update(seats).where(own).values(name=person.name, avatar=person.avatar))

    def played(self, holder: str, limit: int) -> list[FinishedGame]:
        """The finished games that somebody played here, the newest first."""
        mine, other = seats.alias("mine"), seats.alias("other")
        others = (
            games.c.kind, other.c.level, other.c.holder, other.c.name, other.c.avatar,
            results.c.winner == mine.c.seat, results.c.at,
        )  # fmt: skip
        finished = (
            select(*others, *columns(MatchFigures, figures))
            .select_from(mine)
            .join(figures, and_(figures.c.game == mine.c.game, figures.c.seat == mine.c.seat))
            .join(results, results.c.game == mine.c.game)
            .join(games, games.c.id == mine.c.game)
            .join(other, and_(other.c.game == mine.c.game, other.c.seat != mine.c.seat))
            .where(mine.c.holder == holder)
            .order_by(results.c.at.desc(), mine.c.game)
            .limit(limit)
        )
        width = len(others)
        return self.store.fetch(lambda *row: FinishedGame(MatchFigures(*row[width:]), *row[:width]), finished)

    def unfinished(self, holder: str) -> list[tuple[str, int]]:
        """Somebody's games that are still going, and their seat in each."""
        going = seats.c.game.not_in(select(results.c.game))
        return self.store.fetch(pair, select(seats.c.game, seats.c.seat).where(seats.c.holder == holder, going))

    def against_each_other(self, one: str, other: str) -> list[str]:
        """The unfinished games in which these two sit opposite each other."""
        first, second = seats.alias("first"), seats.alias("second")
        both = (
            select(first.c.game)
            .join(second, second.c.game == first.c.game)
            .where(first.c.holder == one, second.c.holder == other, first.c.game.not_in(select(results.c.game)))
        )
        return self.store.fetch(str, both)

    def link(self, new: DeviceLink, now: int) -> None:
        """Stores a link to another device. It replaces the person's previous one, and expired links are removed."""
        gone = (device_links.c.holder == new.holder) | (device_links.c.until < now)
        with self.store.writing() as connection:
            connection.execute(delete(device_links).where(gone))
            connection.execute(insert(device_links), asdict(new))

    def linked(self, token: str, now: int) -> DeviceLink | None:
        """Finds a link by its hash, unless it has expired."""
        link = select(*columns(DeviceLink, device_links))
        return self.store.find(DeviceLink, link.where(device_links.c.token == token, device_links.c.until >= now))

    def carry(self, link: DeviceLink, guest: str | None) -> bool:
        """Uses up a link and merges whoever was known on the other device into its holder; False if the link is gone.

        Games in which the two sat opposite each other stay as they were: one holder cannot sit on both sides.
        """
        with self.store.writing() as connection:
            used = connection.execute(delete(device_links).where(device_links.c.token == link.token))
            if not used.rowcount:
                return False
            if guest is not None and guest != link.holder:
                _merge(connection, guest, link.holder)
            return True

    def forget(self, holder: str) -> None:
        """Removes somebody's name, picture, figures and holder everywhere; the games stay for their opponents."""
        with self.store.writing() as connection:
            mine = select(seats.c.game, seats.c.seat).where(seats.c.holder == holder)
            connection.execute(delete(figures).where(tuple_(figures.c.game, figures.c.seat).in_(mine)))
            own = update(seats).where(seats.c.holder == holder)
            connection.execute(own.values(name="", avatar="", holder=None))
            connection.execute(delete(people).where(people.c.holder == holder))
            connection.execute(delete(device_links).where(device_links.c.holder == holder))
            connection.execute(delete(subscriptions).where(subscriptions.c.holder == holder))


def _person(connection: Connection, holder: str | None) -> Person:
    row = connection.execute(select(people.c.name, people.c.avatar).where(people.c.holder == holder)).one_or_none()
    return Person() if row is None else Person(*row)


def _merge(connection: Connection, guest: str, holder: str) -> None:
    known, brought = _person(connection, holder), _person(connection, guest)
    here = select(seats.c.game).where(seats.c.holder == holder)
    coming = and_(seats.c.holder == guest, seats.c.game.not_in(here))
    if known != Person():
        renamed = and_(coming, seats.c.name == brought.name, _NAMED)
        connection.execute(update(seats).where(renamed).values(name=known.name, avatar=known.avatar))
    else:
        connection.execute(delete(people).where(people.c.holder == holder))
        connection.execute(update(people).where(people.c.holder == guest).values(holder=holder))
    connection.execute(update(seats).where(coming).values(holder=holder))
    connection.execute(delete(people).where(people.c.holder == guest))
    connection.execute(delete(device_links).where(device_links.c.holder == guest))
    connection.execute(update(subscriptions).where(subscriptions.c.holder == guest).values(holder=holder))
