"""When a server was last awake to run the clocks, and which games have one."""

from contextlib import suppress

from sqlalchemy import delete, insert, select

from jaipur.store.schema import games, heartbeat, results
from jaipur.store.store import Store, Taken


class Heartbeats:
    """The heartbeats in one store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def last(self) -> int | None:
        """The time of the last heartbeat."""
        with self.store.reading() as connection:
            return connection.execute(select(heartbeat.c.at)).scalar_one_or_none()

    def beat(self, now: int) -> None:
        """Records a heartbeat."""
        with suppress(Taken), self.store.writing() as connection:  # another process has just recorded one
            connection.execute(delete(heartbeat))
            connection.execute(insert(heartbeat), {"id": 1, "at": now})

    def games(self) -> list[str]:
        """The unfinished games that have a clock."""
        wanted = select(games.c.id).where(games.c.pace != "", games.c.id.not_in(select(results.c.game)))
        with self.store.reading() as connection:
            return list(connection.execute(wanted).scalars())
