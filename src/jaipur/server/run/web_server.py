"""Runs the app with uvicorn, behind limits on its connections."""

import asyncio
import gc
import socket
from functools import partial

import uvicorn

from jaipur.server.app import make_app, make_services
from jaipur.server.config import Config
from jaipur.server.edge.client_address import Proxies
from jaipur.server.edge.request_log import set_up_logging
from jaipur.server.run.connections import ConnectionLimits, LimitedProtocol
from jaipur.server.run.pool import ThinkingPool
from jaipur.server.services import Services

_GOODBYE_SECONDS = 2
_COLLECT_AFTER = (50_000, 20, 100)


def _collect_seldom() -> None:
    """A thousand listeners make a million long-lived objects: collecting often would cost a third of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECT_AFTER)


class Server(uvicorn.Server):
    """A server for the app, behind limits on its connections."""

    def __init__(self, services: Services) -> None:
        config = services.config
        self.services = services
        self.limits = ConnectionLimits(Proxies(config.proxies), services.metrics, services.new_request_id)
        self.limits.in_all = config.streams + config.streams // 3
        if not config.requests_per_second:
            self.limits.per_address = self.limits.in_all
        services.connections = lambda: len(self.limits.open)
        set_up_logging(config.log)
        settings = uvicorn.Config(
            make_app(services),
            http=partial(LimitedProtocol, self.limits),  # type: ignore[arg-type]  # it is only called
            ws="none",
            log_config=None,
            access_log=False,  # requested addresses appear in no log
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=_GOODBYE_SECONDS,
        )
        super().__init__(settings)

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        """Hears from the first moment that it is to end: otherwise it would end between two steps of its start."""
        with self.capture_signals():
            super().run(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begins to check the connections, too."""
        _collect_seldom()
        await super().startup(sockets)
        self.sweeping = asyncio.create_task(self.limits.sweep())

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Ends the event streams first: listeners would keep it waiting."""
        self.services.hub.close()
        self.sweeping.cancel()
        await super().shutdown(sockets)


def server_of(config: Config) -> Server:
    """A server whose bots think in processes."""
    return Server(make_services(config, engine_of=ThinkingPool))
