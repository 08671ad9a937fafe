"""Tables of several processes on one PostgreSQL, and servers that tell each other what happens."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from jaipur.server.bots.scheduler import BotWorkers
from jaipur.server.live.hub import Hub
from jaipur.server.live.presence import Presence
from jaipur.server.many.relay import Relay
from jaipur.store import Event, Store, open_database
from jaipur.table import Tables
from tests.support.served import put_away


@contextmanager
def process(address: str) -> Iterator[Tables]:
    """Tables as another process has them, with their own memory and connections."""
    store = Store(open_database(address))
    try:
        yield Tables(store)
    finally:
        put_away(store)


@asynccontextmanager
async def relayed(*twins: Tables) -> AsyncIterator[list[Relay]]:
    """Servers that tell each other what happens."""
    hubs = [Hub(tables) for tables in twins]
    relays = [
        Relay(tables, BotWorkers(tables, hub, None, 0), Presence(hub, away_seconds=0.3))
        for tables, hub in zip(twins, hubs, strict=True)
    ]
    for relay in relays:
        relay.hub.loop = asyncio.get_running_loop()
        await relay.start()
    try:
        yield relays
    finally:
        for relay in relays:
            await relay.stop()
            await relay.workers.stop()


async def next_event(hub: Hub, game: str) -> Event:
    """The next event of a game."""
    async for event in hub.listen(game, 10_000):
        return event
    raise AssertionError
