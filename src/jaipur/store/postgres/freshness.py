"""Whether games in memory still match the database: one query for all who look at the same time.

The event loop asks on a connection of its own: reading each game in a thread would cost a quarter more processor time
per move. A look that comes during a query waits for the next one, so an answer is never older than the look.
"""

import asyncio
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaipur.store.postgres.postgres_engine import keep_connected
from jaipur.store.schema import SeatRow
from jaipur.store.store import Store
from jaipur.store.writing.write_queue import PATIENCE

if TYPE_CHECKING:  # needs the package of an extra
    from psycopg import AsyncConnection

_BETWEEN = "\x1f"
"""Separates the parts of a seat. It is not printable, so no name contains it."""
_SEAT = """
    (SELECT concat_ws(chr(31), name, coalesce(level, ''), coalesce(holder, ''), avatar)
     FROM seats WHERE seats.game = kept.game AND seats.seat = {})"""
_CHANGED = f"""
    SELECT place FROM ROWS FROM (json_to_recordset(%s) AS (game text, number int, first text, second text))
    WITH ORDINALITY AS kept(game, number, first, second, place)
    WHERE number <> coalesce((SELECT max(events.number) FROM events WHERE events.game = kept.game), 0)
    OR first IS DISTINCT FROM {_SEAT.format(0)} OR second IS DISTINCT FROM {_SEAT.format(1)}
"""
"""The positions, in the list, of the games that have changed; usually none."""


@dataclass(frozen=True)
class _Look:
    """A game as it is kept, and the future of the answer."""

    known: dict[str, str | int | None]
    same: asyncio.Future[bool]

    def settle(self, same: bool) -> None:
        if not self.same.done():  # the caller may have left
            self.same.set_result(same)


class Freshness:
    """Asks on the event loop. When it cannot ask, every game counts as changed: reading it then shows the reason."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.loop: asyncio.AbstractEventLoop | None = None
        """The loop that asks, once there is one. On any other loop every game counts as changed."""
        self._connection: AsyncConnection | None = None
        self._answering: asyncio.Task[None] | None = None
        self._waiting: list[_Look] = []
        self._batch: list[_Look] = []
        """The looks that the present query answers."""
        self._look = asyncio.Event()

    async def holds(self, game: str, number: int, seats: list[SeatRow | None]) -> bool:
        """Whether a game's last event still has this number, and its seats are still these."""
        loop = asyncio.get_running_loop()
        if loop is not self.loop:
            return False
        if self._answering is None:
            self._answering = loop.create_task(keep_connected(self.store.engine, self._answer))
        if self._connection is None:
            return False
        first, second = map(_text, seats)
        look = _Look({"game": game, "number": number, "first": first, "second": second}, loop.create_future())
        self._waiting.append(look)
        self._look.set()
        try:
            async with asyncio.timeout(PATIENCE):
                return await look.same
        except TimeoutError:
            return False

    async def close(self) -> None:
        """Closes the connection."""
        self.loop = None
        if self._answering is not None:
            self._answering.cancel()
            await asyncio.gather(self._answering, return_exceptions=True)

    async def _answer(self, connection: "AsyncConnection") -> None:
        self._connection, cursor = connection, connection.cursor()
        try:
            while await self._look.wait():
                self._look.clear()
                self._batch, self._waiting = self._waiting, []
                await cursor.execute(_CHANGED, [json.dumps([look.known for look in self._batch])], prepare=True)
                changed = {place for (place,) in await cursor.fetchall()}
                for place, look in enumerate(self._batch, 1):
                    look.settle(place not in changed)
                self._batch = []
        finally:
            self._connection = None
            for look in (*self._batch, *self._waiting):
                look.settle(False)
            self._batch, self._waiting = [], []
            self._look.clear()


def _text(seat: SeatRow | None) -> str | None:
    return None if seat is None else _BETWEEN.join((seat.name, seat.level or "", seat.holder or "", seat.avatar))
