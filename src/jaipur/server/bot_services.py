"""What thinks for the bots and the coach, put together and opened: for a server, for bots alone, and for tests."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Protocol, TypeVar

from jaipur.server.bots.engine import Engine
from jaipur.server.bots.scheduler import BotWorkers
from jaipur.server.coach.advisor import Advisor
from jaipur.server.coach.review_service import Reviews
from jaipur.server.config import Config
from jaipur.server.live.hub import Hub
from jaipur.server.live.presence import Presence
from jaipur.server.many.relay import Relay
from jaipur.table import Tables
from jaipur.threads import in_thread

EngineOf = Callable[[int], Engine]
"""Makes an engine, given how much it may work on at once."""


class Part(Protocol):
    """What runs beside the requests."""

    async def start(self) -> None:
        """Begins."""

    async def stop(self) -> None:
        """Ends, even if it has not begun."""


@dataclass
class BotServices:
    """The tables, and what thinks at them for the bots and the coach."""

    config: Config
    tables: Tables
    hub: Hub
    bot_workers: BotWorkers
    relay: Relay
    advisor: Advisor
    reviews: Reviews

    def parts(self) -> list[Part]:
        """What has to be started, in this order, and stopped in reverse."""
        return [self.hub, self.relay, self.bot_workers, self.advisor, self.reviews]


_S = TypeVar("_S", bound=BotServices)


def bot_services(config: Config, tables: Tables, engine_of: EngineOf, presence: Presence) -> BotServices:
    """Services that begin with `open_services`."""
    hub = presence.hub
    workers = BotWorkers(tables, hub, engine_of(config.bot_workers) if config.bot_workers else None, config.pause)
    relay = Relay(tables, workers, presence)
    return BotServices(config, tables, hub, workers, relay, Advisor(workers, relay), Reviews(workers, hub, relay))


@asynccontextmanager
async def open_services(services: _S) -> AsyncIterator[_S]:
    """Starts all parts in order, and ends those that were started in reverse."""
    async with AsyncExitStack() as stack:
        stack.push_async_callback(in_thread, services.tables.store.close)
        for part in services.parts():
            stack.push_async_callback(part.stop)
            await part.start()
        yield services
