"""Bot workers without a server: they hear through the database what waits for a bot or the coach, and do it."""

import asyncio
import contextlib
import signal

from jaipur.rules.errors import N_
from jaipur.server.bot_services import bot_services, open_services
from jaipur.server.config import Config
from jaipur.server.edge.request_log import set_up_logging
from jaipur.server.live.hub import Hub
from jaipur.server.live.presence import Presence
from jaipur.server.run.pool import ThinkingPool
from jaipur.store import Store, StoreError, default_database, open_database
from jaipur.store.database import on_file
from jaipur.table import Tables


def open_shared(where: str) -> Store:
    """A database that several processes may use at once."""
    where = where or default_database()
    if on_file(where):
        raise StoreError(N_("Bots think apart from the server only with PostgreSQL: {where} is a file."), where=where)
    return Store(open_database(where))


def run_thinking(config: Config, store: Store) -> None:
    """Thinks until it is told to stop."""
    set_up_logging(config.log)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_think(config, Tables(store)))


async def _think(config: Config, tables: Tables) -> None:
    ending = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ending.set)
    async with open_services(bot_services(config, tables, ThinkingPool, Presence(Hub(tables)))):
        await ending.wait()
