"""Which process thinks about which game, when several share a PostgreSQL database.

The locks belong to one connection, so they are released when the process ends, however it ends. They only avoid
thinking twice: of two moves for the same ply only one is played.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from jaipur.store.postgres.postgres_engine import connect
from jaipur.store.store import Store
from jaipur.store.writing.write_queue import Away

if TYPE_CHECKING:  # needs the package of an extra
    from psycopg import AsyncConnection

_TAKE = "SELECT pg_try_advisory_lock(hashtextextended(%s, 0))"
_RELEASE = "SELECT pg_advisory_unlock(hashtextextended(%s, 0))"


class GameLocks:
    """What this process has taken: games, and other work with a name. Where no other can write, all is free."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._turn = asyncio.Lock()
        self._connection: AsyncConnection | None = None

    async def take(self, name: str) -> bool:
        """Takes a name, unless another process has it."""
        return not self.store.shared or await self._ask(_TAKE, name)

    async def release(self, name: str) -> None:
        """Releases a name for the next process. Those taken on a lost connection were released with it."""
        if self._connection is not None:
            await self._ask(_RELEASE, name)

    @asynccontextmanager
    async def held(self, name: str) -> AsyncIterator[bool]:
        """Tries to take a name, and yields whether it worked; if so, it is held until the block ends."""
        mine = await self.take(name)
        try:
            yield mine
        finally:
            if mine:
                await self.release(name)

    async def close(self) -> None:
        """Releases everything."""
        if self._connection is not None:
            await self._connection.close()
            self._connection = None

    async def _ask(self, question: str, name: str) -> bool:
        from psycopg import Error  # noqa: PLC0415 - of an extra

        try:
            async with self._turn:
                if self._connection is None or self._connection.closed:
                    self._connection = await connect(self.store.engine)
                answer = await self._connection.execute(question.encode(), [name])
                return bool(await answer.fetchone() == (True,))
        except Error as error:
            raise Away from error
