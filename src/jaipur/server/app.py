"""Puts the web app together."""

import asyncio
import gc
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Scope

import jaipur
from jaipur.server import api, errors, pages, tablepages
from jaipur.server.config import Config
from jaipur.server.guard import Guard
from jaipur.server.house import House
from jaipur.server.hub import Hub
from jaipur.server.render import STATIC, Pages
from jaipur.server.thinkers import Thinkers
from jaipur.store import Store, open_database
from jaipur.table import Tables

_GOODBYE_SECONDS = 2
_SMALL = 1000
_COLLECT_AFTER = (50_000, 20, 100)


class _Static(StaticFiles):
    """Static files under addresses that change with their content."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        if scope["query_string"].startswith(b"v="):
            response.headers["cache-control"] = "public, max-age=31536000, immutable"
        else:  # a module that another one imports by its plain name: asked again, and answered with 304
            response.headers["cache-control"] = "no-cache"
        return response


def make_house(config: Config, tables: Tables | None = None, house_pages: Pages | None = None) -> House:
    """Opens the database and the tables on it."""
    tables = tables or Tables(Store(open_database(config.database)))
    return House(config, tables, Hub(tables), Thinkers(tables, config.thinkers, config.pause), house_pages or Pages())


def make_app(house: House) -> ASGIApp:
    """The whole app, guarded."""

    @asynccontextmanager
    async def alive(_app: FastAPI) -> AsyncIterator[None]:
        house.hub.loop = asyncio.get_running_loop()
        await house.thinkers.start()
        yield
        await house.thinkers.stop()

    app = FastAPI(
        title="Jaipur",
        version=jaipur.__version__,
        description="Play Jaipur from your own program. An unofficial implementation.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=alive,
    )
    app.state.house = house
    errors.install(app)
    app.include_router(api.router)
    app.include_router(pages.router)
    app.include_router(tablepages.router)
    app.mount("/static", _Static(directory=STATIC))
    app.add_middleware(GZipMiddleware, minimum_size=_SMALL, compresslevel=5)
    return Guard(app, house.config)


def _collect_seldom() -> None:
    """A thousand listeners are a million objects that live long; going through them often costs a third of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECT_AFTER)


class _Server(uvicorn.Server):
    """When it ends, it ends the event streams first: whoever listens would keep it waiting."""

    def __init__(self, config: uvicorn.Config, house: House) -> None:
        super().__init__(config)
        self.house = house

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        _collect_seldom()
        await super().startup(sockets)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.house.hub.close()
        await super().shutdown(sockets)


def make_server(house: House) -> uvicorn.Server:
    """A server for the app. It logs what goes wrong, and never an address that was asked for."""
    config = uvicorn.Config(
        make_app(house),
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_GOODBYE_SECONDS,
    )
    return _Server(config, house)
