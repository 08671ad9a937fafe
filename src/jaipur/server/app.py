"""Puts the web app together."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache, partial
from typing import TYPE_CHECKING

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.routing import Router
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import jaipur
from jaipur.extras import load
from jaipur.rules.errors import N_, JaipurError
from jaipur.server import errors
from jaipur.server.bot_services import EngineOf, bot_services, open_services
from jaipur.server.bots.engine import Engine
from jaipur.server.coach import analyse_pages, exercise_pages, review_pages
from jaipur.server.config import Config
from jaipur.server.edge.guard import Guard
from jaipur.server.edge.request_log import RequestLog
from jaipur.server.live.hub import Hub
from jaipur.server.live.presence import Presence
from jaipur.server.operate import health as monitoring
from jaipur.server.operate.housekeeping import Housekeeping
from jaipur.server.people import people_pages
from jaipur.server.play import api, forms, replay_pages, table_pages
from jaipur.server.play.timekeeper import Timekeeper
from jaipur.server.render import ART, STATIC, Renderer
from jaipur.server.services import Services
from jaipur.server.site import install_pages, pages
from jaipur.store import People, Store, default_database
from jaipur.store.database import on_file
from jaipur.table import Tables

if TYPE_CHECKING:
    from jaipur.server.people.push.keys import Keys
    from jaipur.server.people.push.sender import PushSender

_SMALL = 1000


class _Static(StaticFiles):
    """Static files under addresses that change with their content."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        if scope["query_string"].startswith(b"v="):
            response.headers["cache-control"] = "public, max-age=31536000, immutable"
        else:  # a module that another one imports by its plain name: revalidated each time, and answered with 304
            response.headers["cache-control"] = "no-cache"
        return response


class _Compression(GZipMiddleware):
    """Compresses for clients that accept it. For all others Starlette would prepare each answer, only to send it on."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if any(name == b"accept-encoding" and b"gzip" in value for name, value in scope["headers"]):
            await super().__call__(scope, receive, send)
        else:
            await self.app(scope, receive, send)


_MOUNTS = {"/static/art": ART, "/static": STATIC}
"""The more specific first: the first one that matches is used."""


def _addresses() -> frozenset[str]:
    """The addresses of all static files."""
    return frozenset(
        f"{mount}/{path.relative_to(folder).as_posix()}"
        for mount, folder in _MOUNTS.items()
        for path in folder.rglob("*")
    )


def _without_body(app: ASGIApp) -> ASGIApp:
    """Answers HEAD like GET, without the body; then the client counts as gone, so that a stream ends too."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("method") != "HEAD":
            await app(scope, receive, send)
            return
        get, answered = {**scope, "method": "GET"}, asyncio.Event()

        async def send_head(message: Message) -> None:
            if message["type"] == "http.response.start":
                scope["route"] = get.get("route")  # for the log
                await send(message)
                await send({"type": "http.response.body"})
                answered.set()

        async def gone() -> Message:
            await answered.wait()
            return {"type": "http.disconnect"}

        await app(get, gone, send_head)

    return answer


def is_shared(config: Config) -> bool:
    """Whether several processes may use the database."""
    return not on_file(config.database or default_database())


def make_services(
    config: Config, tables: Tables | None = None, renderer: Renderer | None = None, engine_of: EngineOf = Engine
) -> Services:
    """Opens the database and puts everything around it together; `open_services` starts it."""
    if not config.bot_workers and tables is None and not is_shared(config):
        raise JaipurError(N_("With SQLite bots think in the server: --bot-workers must be at least 1."))
    keys: Keys | None = None
    if config.push_keys:
        keys = load("jaipur.server.people.push.keys", "push").Keys.read(config.push_keys, config.push_contact)
    tables = tables or Tables(Store.alone(config.database or default_database()))
    presence = Presence(Hub(tables))
    services = Services(
        **vars(bot_services(config, tables, engine_of, presence)),
        renderer=renderer or Renderer(),
        housekeeping=Housekeeping(tables, config),
        people=People(tables.store),
        presence=presence,
        timekeeper=Timekeeper(tables),
    )
    if keys is not None:
        sender = load("jaipur.server.people.push.sender", "push").PushSender
        call_by_push(services, sender(tables, presence, keys))
    services.metrics.add(services.bot_workers.waits)
    tables.store.observe = services.metrics.database.observe
    tables.listeners.append(services.metrics.on_event)
    return services


def call_by_push(services: Services, sender: "PushSender") -> None:
    """Has people notified whose pages are closed, and tells browsers that this is possible."""
    services.push = sender
    services.renderer.push_key = sender.keys.public


def make_app(services: Services) -> ASGIApp:
    """The whole app, guarded."""

    @asynccontextmanager
    async def alive(_app: object) -> AsyncIterator[None]:
        async with open_services(services):
            yield

    lifespan, site = Router(lifespan=alive), _site(services.push is not None)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await lifespan(scope, receive, send)
        else:
            services.housekeeping.check(scope)
            scope["state"]["services"] = services
            await site(scope, receive, send)

    refusal = partial(errors.refusal, services.renderer)
    guarded = Guard(_without_body(app), services.config, refusal, _addresses())
    return RequestLog(guarded, services.metrics, services.new_request_id)


@cache
def _site(push: bool) -> FastAPI:
    """All routes. FastAPI takes long to prepare them, so all apps of a process share them."""
    site = FastAPI(
        title="Jaipur",
        version=jaipur.__version__,
        description="Play Jaipur from your own program. An unofficial implementation.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        routes=[*api.direct],
        telemetry={"tracing": False, "metrics": False, "logs": False},  # it would name the addresses that are requested
    )
    errors.install(site)
    site.include_router(api.router)
    site.include_router(install_pages.router)
    site.include_router(pages.router)
    site.include_router(table_pages.router)
    site.include_router(forms.router)
    site.include_router(replay_pages.router)
    site.include_router(review_pages.router)
    site.include_router(exercise_pages.router)
    site.include_router(analyse_pages.router)
    site.include_router(people_pages.router)
    site.include_router(monitoring.router)
    if push:
        site.include_router(load("jaipur.server.people.push.push_pages", "push").router)
    for mount, folder in _MOUNTS.items():
        site.mount(mount, _Static(directory=folder))
    site.add_middleware(_Compression, minimum_size=_SMALL, compresslevel=5)
    return site
