"""Puts the web app together."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
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


class _Static(StaticFiles):
    """Static files under addresses that change with their content."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        if scope["query_string"].startswith(b"v="):
            response.headers["cache-control"] = "public, max-age=31536000, immutable"
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
    return Guard(app, house.config)
