"""What an operator does with the rows of a database: list, delete, block, and clear out old ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import ColumnElement, delete, exists, func, insert, select, union_all

from jaipur.store.schema import (
    Operation,
    columns,
    events,
    figures,
    games,
    invites,
    operations,
    people,
    results,
    reviews,
    seats,
)
from jaipur.store.store import LATEST, Store


class OperationKind(StrEnum):
    """What an operator can do."""

    CLOSE = "close"
    DELETE = "delete"
    BLOCK = "block"
    UNBLOCK = "unblock"


@dataclass(frozen=True)
class Overview:
    """A line in the operator's list of games. It has no names: those are private to the players."""

    game: str
    kind: str
    created: int
    changed: int
    events: int
    seals: str | None


_changed = func.coalesce(LATEST, games.c.created)
_count = select(func.count()).where(events.c.game == games.c.id).scalar_subquery()


class Administration:
    """The operator's access to a store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def overview(self, limit: int, game: str | None = None) -> list[Overview]:
        """The games that changed most recently, or just the one named."""
        listed = (
            select(games.c.id, games.c.kind, games.c.created, _changed.label("changed"), _count, results.c.seals)
            .join(results, results.c.game == games.c.id, isouter=True)
            .order_by(_changed.desc(), games.c.id)
            .limit(limit)
        )
        return self.store.fetch(Overview, listed if game is None else listed.where(games.c.id == game))

    def note(self, kind: OperationKind, about: str, at: int) -> None:
        """Records what was done, so that running servers learn of it."""
        with self.store.writing() as connection:
            if self.store.shared:  # or a lower number could be committed after a higher one, and servers would skip it
                connection.exec_driver_sql(f"LOCK TABLE {operations.name} IN EXCLUSIVE MODE")
            connection.execute(insert(operations), {"kind": kind, "about": about, "at": at})

    def operations(self, after: int = 0) -> list[Operation]:
        """The operations after a given number."""
        later = select(*columns(Operation, operations)).where(operations.c.number > after).order_by(operations.c.number)
        return self.store.fetch(Operation, later)

    def blocked(self) -> set[str]:
        """The networks that are blocked now."""
        networks: set[str] = set()
        for operation in self.operations():
            if operation.kind == OperationKind.BLOCK:
                networks.add(operation.about)
            elif operation.kind == OperationKind.UNBLOCK:
                networks.discard(operation.about)
        return networks

    def delete(self, ids: Sequence[str]) -> None:
        """Removes games and everything that belongs to them."""
        with self.store.writing() as connection:
            for table in (reviews, figures, results, events, invites, seats):
                connection.execute(delete(table).where(table.c.game.in_(ids)))
            connection.execute(delete(games).where(games.c.id.in_(ids)))

    def finished_before(self, at: int, limit: int) -> list[str]:
        """Games that ended before a given time."""
        return self._games(results.c.at < at, limit)

    def abandoned_before(self, at: int, limit: int) -> list[str]:
        """Unfinished games in which nothing has happened since a given time."""
        return self._games(results.c.game.is_(None) & (_changed < at), limit)

    def _games(self, old: ColumnElement[bool], limit: int) -> list[str]:
        ended = results.c.game == games.c.id
        return self.store.fetch(str, select(games.c.id).join(results, ended, isouter=True).where(old).limit(limit))

    def away_since(self, at: int, limit: int) -> list[str]:
        """People inactive since a given time: none of their games has changed, or they only ever gave a name."""
        away = (
            select(seats.c.holder)
            .join(games, games.c.id == seats.c.game)
            .where(seats.c.holder.is_not(None))
            .group_by(seats.c.holder)
            .having(func.max(_changed) < at)
        )
        seated = exists().where(seats.c.holder == people.c.holder)
        named_only = select(people.c.holder).where(people.c.created < at, ~seated)
        return self.store.fetch(str, union_all(away, named_only).limit(limit))
