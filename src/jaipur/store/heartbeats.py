"""When a server that keeps clocks was last awake, and which games it keeps them for."""

from contextlib import suppress

from sqlalchemy import delete, insert, select

from jaipur.store.schema import games, heartbeat, results
from jaipur.store.store import Store, Taken


class Heartbeats:
    """The heartbeat of one store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def last(self) -> int | None:
        """The last sign of life."""
        with self.store.reading() as connection:
            return connection.execute(select(heartbeat.c.at)).scalar_one_or_none()

    def beat(self, now: int) -> None:
        """A sign of life."""
        with suppress(Taken), self.store.writing() as connection:  # another process has just given one
            connection.execute(delete(heartbeat))
            connection.execute(insert(heartbeat), {"id": 1, "at": now})

    def games(self) -> list[str]:
        """The games with a clock that are not over."""
        wanted = select(games.c.id).where(games.c.pace != "", games.c.id.not_in(select(results.c.game)))
        with self.store.reading() as connection:
            return list(connection.execute(wanted).scalars())
