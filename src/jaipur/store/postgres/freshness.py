"""Whether games in memory still match the database: one query for everybody who looks at the same time.

The event loop runs the query itself, calling libpq directly on a dedicated connection: switching threads and going
through the layer above the driver would cost several times as much as the answer. Whoever looks while a query is under
way waits for the next one, so an answer is never older than the look.
"""

import asyncio
import math
import os
import sys
from dataclasses import dataclass
from typing import Any

from jaipur.store.store import SeatRow, Store
from jaipur.store.writing.write_queue import PATIENCE

_AT_ONCE = 100
"""This many fit into the connection's buffers, so the loop never blocks while sending."""
_RETRY_SECONDS = 0.3
_NAME = b"changed"
_BETWEEN = "\x1f"
"""Separates the parts of a seat. It is not printable, so no name contains it."""
_SEAT = """
    (SELECT concat_ws(chr(31), name, coalesce(level, ''), coalesce(holder, ''), avatar)
     FROM seats WHERE seats.game = kept.game AND seats.seat = {})"""
_CHANGED = f"""
    SELECT place FROM unnest($1::text[], $2::int[], $3::text[], $4::text[])
    WITH ORDINALITY AS kept(game, number, first, second, place)
    WHERE number <> coalesce((SELECT max(events.number) FROM events WHERE events.game = kept.game), 0)
    OR first IS DISTINCT FROM {_SEAT.format(0)} OR second IS DISTINCT FROM {_SEAT.format(1)}
""".encode()
"""The positions, in the arrays, of the games that have changed; usually none."""


@dataclass(frozen=True)
class _Look:
    """A game as it is kept, in the form the query takes, and the future that waits for the answer."""

    known: tuple[str, str, str, str]
    same: asyncio.Future[bool]


class Freshness:
    """Asks on the event loop. When it cannot ask, every game counts as changed: reading it then shows the reason."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.loop: asyncio.AbstractEventLoop | None = None
        """The loop that asks, once there is one. On any other loop every game counts as changed."""
        self._driver: Any = None
        self._libpq: Any = None
        self._file: int | None = None
        self._connecting: asyncio.Task[None] | None = None
        self._retry = math.inf if sys.platform == "win32" else 0.0  # the default loop on Windows cannot watch files
        self._waiting: list[_Look] = []
        self._asked: list[_Look] = []
        self._due = False
        self._changed: set[int] = set()
        self._patience: asyncio.TimerHandle | None = None

    async def holds(self, game: str, number: int, seats: list[SeatRow | None]) -> bool:
        """Whether a game's last event still has this number, and its seats are still these."""
        loop = asyncio.get_running_loop()
        if loop is not self.loop:
            return False
        if self._libpq is None:
            if self._connecting is None and loop.time() >= self._retry:
                self._connecting = asyncio.create_task(self._connect())
            return False
        look = _Look((game, str(number), *map(_said, seats)), loop.create_future())  # type: ignore[arg-type]
        self._waiting.append(look)
        if not self._asked and not self._due:  # others may look in the same turn of the loop
            self._due = True
            loop.call_soon(self._ask)
        return await look.same

    async def close(self) -> None:
        """Closes the connection."""
        self.loop = None
        if self._connecting is not None:
            await self._connecting
        self._lose()

    async def _connect(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            self._driver = await asyncio.to_thread(self._open)
            self._libpq = self._driver.pgconn
            self._file = os.dup(self._libpq.socket)  # libpq closes its own when the connection is lost
            loop.add_reader(self._file, self._hear)
        except Exception:  # whatever went wrong, games are read from the database instead, and that reports the error
            self._lose()
            self._retry = loop.time() + _RETRY_SECONDS
        finally:
            self._connecting = None

    def _open(self) -> Any:
        lent = self.store.engine.raw_connection()
        driver: Any = lent.dbapi_connection
        lent.detach()
        try:
            driver.pgconn.nonblocking = 0
            driver.pgconn.prepare(_NAME, _CHANGED)
        except BaseException:
            driver.close()
            raise
        return driver

    def _ask(self) -> None:
        self._due = False
        if not self._waiting:  # the connection was lost
            return
        self._asked, self._waiting = self._waiting[:_AT_ONCE], self._waiting[_AT_ONCE:]
        columns = zip(*(look.known for look in self._asked), strict=True)
        try:
            self._libpq.send_query_prepared(_NAME, [f"{{{','.join(column)}}}".encode() for column in columns])
            self._patience = asyncio.get_running_loop().call_later(PATIENCE, self._lose)
        except Exception:  # the connection is gone; not every way of losing it has its own exception
            self._lose()

    def _hear(self) -> None:
        """Something has arrived: an answer, a part of one, or the end of the connection."""
        try:
            self._libpq.consume_input()
            while not self._libpq.is_busy():
                answer = self._libpq.get_result()
                if answer is None:
                    self._settle()
                    return
                if answer.error_message:
                    self._lose()
                    return
                self._changed.update(int(answer.get_value(row, 0)) for row in range(answer.ntuples))
        except Exception:
            self._lose()

    def _settle(self) -> None:
        self._stop_waiting()
        asked, changed, self._asked, self._changed = self._asked, self._changed, [], set()
        for place, look in enumerate(asked, 1):
            _answer(look, place not in changed)
        if self._waiting and not self._due:
            self._ask()

    def _stop_waiting(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _lose(self) -> None:
        """Gives up the connection: everybody waiting is told "changed", and the next look opens a new connection."""
        self._stop_waiting()
        if self._file is not None:
            asyncio.get_running_loop().remove_reader(self._file)
            os.close(self._file)
        if self._driver is not None:
            self._driver.close()
        self._driver = self._libpq = self._file = None
        for look in (*self._asked, *self._waiting):
            _answer(look, False)
        self._asked, self._waiting, self._changed = [], [], set()


def _answer(look: _Look, same: bool) -> None:
    if not look.same.done():  # whoever asked may have left
        look.same.set_result(same)


def _said(seat: SeatRow | None) -> str:
    """A seat as an element of a PostgreSQL array literal."""
    if seat is None:
        return "NULL"
    told = _BETWEEN.join((seat.name, seat.level or "", seat.holder or "", seat.avatar))
    return '"' + told.replace("\\", "\\\\").replace('"', '\\"') + '"'
