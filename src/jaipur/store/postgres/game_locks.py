"""Which process thinks about which game, when several share a PostgreSQL database.

The locks belong to one connection, so they are released as soon as the process ends, however it ends, and another
process takes over. They only avoid thinking twice; correctness does not depend on them, because of two moves for the
same ply only one is played.
"""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy import Connection, TextClause, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnection

from jaipur.store.database import explained
from jaipur.store.store import Store
from jaipur.store.writing.write_queue import Away

_TAKE = text("SELECT pg_try_advisory_lock(hashtextextended(:game, 0))")
_RELEASE = text("SELECT pg_advisory_unlock(hashtextextended(:game, 0))")


class GameLocks:
    """The games that this process has taken."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._lock = threading.Lock()
        self._connection: Connection | None = None

    def take(self, game: str) -> bool:
        """Takes a game, unless another process has it."""
        with self._lock:
            return bool(self._ask(_TAKE, game))

    def release(self, game: str) -> None:
        """Releases a game for the next process."""
        with self._lock:
            if self._connection is not None:
                self._ask(_RELEASE, game)

    @asynccontextmanager
    async def held(self, game: str) -> AsyncIterator[bool]:
        """Tries to take a game, and yields whether it worked; if so, the game is held until the block ends."""
        mine = await asyncio.to_thread(self.take, game)
        try:
            yield mine
        finally:
            if mine:
                await asyncio.to_thread(self.release, game)

    def close(self) -> None:
        """Releases all games."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _ask(self, question: TextClause, game: str) -> object:
        """Runs a query. A connection that fails has lost its locks, and is not used again."""
        try:
            if self._connection is None:
                self._connection = self.store.reader.connect()
                self._connection.detach()
            return self._connection.execute(question, {"game": game}).scalar_one()
        except NoConnection as error:  # all connections are in use
            raise Away from error
        except DBAPIError as error:
            if self._connection is not None:
                self._connection.close()
                self._connection = None
            raise explained(error, self.store.where, opened=True) from error
