"""PostgreSQL: how its connections are opened and kept."""

import asyncio
import logging
import select
import sys
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection

from jaipur.extras import missing

if TYPE_CHECKING:  # needs the package of an extra
    from psycopg import AsyncConnection

_log = logging.getLogger(__name__)
NAMES = ("postgresql", "postgres", "postgresql+psycopg")
"""What an address may begin with."""
_DRIVER = "postgresql+psycopg"
_CONNECTIONS = 10
"""Kept open per process. A query takes a millisecond, so forty threads can share them without waiting."""
_RETRY_SECONDS = 0.3
_SCHEMA_LOCK = 0x6A616970
"""An arbitrary number that nobody else uses: "jaip" in ASCII."""
_OPTIONS = (
    "-c lock_timeout=2000 -c idle_in_transaction_session_timeout=10000"
    " -c tcp_keepalives_idle=5 -c tcp_keepalives_interval=1 -c tcp_keepalives_count=3"
)
"""A process that hangs in the middle of a write, or whose machine has vanished, holds others up for seconds at most."""


def postgres_engine(url: URL) -> Engine:
    """An engine whose connections notice when the other side has gone."""
    try:
        engine = create_engine(
            url.set(drivername=_DRIVER),
            connect_args=_settings(url),
            pool_size=_CONNECTIONS,
            max_overflow=0,
            pool_timeout=2,
            hide_parameters=True,  # seeds are among them, and errors are logged
            isolation_level="AUTOCOMMIT",  # right for nearly everything; switching each time costs as much as a query
        )
    except ModuleNotFoundError as error:
        raise missing("postgres") from error
    event.listen(engine, "checkout", _refuse_dead)
    return engine


def _settings(url: URL) -> dict[str, Any]:
    settings = {
        "connect_timeout": 3,
        "keepalives_idle": 5,
        "keepalives_interval": 1,
        "keepalives_count": 3,
        "tcp_user_timeout": 4000,
        "options": _OPTIONS,
    }
    return {name: value for name, value in settings.items() if name not in url.query}


async def connect(engine: Engine) -> "AsyncConnection":
    """A connection of the event loop's own."""
    from psycopg import AsyncConnection  # noqa: PLC0415 - of an extra

    _none, options = engine.dialect.create_connect_args(engine.url)
    return await AsyncConnection.connect(**options, **_settings(engine.url), autocommit=True)


async def keep_connected(engine: Engine, work: Callable[["AsyncConnection"], Awaitable[None]]) -> None:
    """Works on a connection, and on a new one whenever that is lost, until cancelled."""
    lost = False
    while True:
        try:
            connection = await connect(engine)
            lost = False
            try:
                await work(connection)
            finally:
                await connection.close()
        except Exception as error:  # whatever the cause, try again; a long outage is logged once
            if not lost:
                _log.warning("A connection to the database was lost: %s", str(error).partition("\n")[0])
            lost = True
            await asyncio.sleep(_RETRY_SECONDS)


def _refuse_dead(connection: Any, _entry: ConnectionPoolEntry, _proxy: PoolProxiedConnection) -> None:
    """Data waiting on an idle connection means that the server has hung up: the pool then takes another connection.

    The check costs no round trip, and thanks to it most requests after a database restart notice nothing.
    """
    if _readable(connection.fileno()):
        raise DisconnectionError


def _readable(file: int) -> bool:
    if sys.platform == "win32":
        return bool(select.select([file], [], [], 0)[0])
    waiting = select.poll()  # unlike select, it takes any number of open files
    waiting.register(file, select.POLLIN)
    return bool(waiting.poll(0))


def lock_schema(connection: Connection) -> None:
    """Until the transaction ends, no other process can upgrade the schema; those that are starting wait."""
    connection.exec_driver_sql("SET LOCAL lock_timeout = '60s'")
    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_SCHEMA_LOCK})")
