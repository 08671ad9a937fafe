"""For operators: whether the server is alive and ready, and its figures. From this machine, or with the token."""

import hmac
from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from prometheus_client import CONTENT_TYPE_LATEST, Metric, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, PlainTextResponse

from jaipur.server.config import LOCAL_HOSTS
from jaipur.server.edge.client_address import Client
from jaipur.server.edge.routes import Route
from jaipur.server.services import Services, ServicesDep
from jaipur.store import StoreError


async def _operator(request: Request, services: ServicesDep) -> Services:
    """Lets only operators in; strangers get the same answer as for an address that does not exist."""
    token = services.config.operator_token
    sent = request.headers.get("authorization", "").removeprefix("Bearer ")
    if token and hmac.compare_digest(sent.encode(), token.encode()):
        return services
    client: Client = request.state.client
    if client.local and request.url.hostname in LOCAL_HOSTS:
        return services
    raise HTTPException(404)


Operator = Annotated[Services, Depends(_operator)]
router = APIRouter(route_class=Route, include_in_schema=False)


@router.get("/health/live")
async def live(_services: Operator) -> JSONResponse:
    """Whether the server answers at all; if not, restart it."""
    return JSONResponse({"live": True})


@router.get("/health")
def health(services: Operator) -> JSONResponse:
    """Whether games can be played now: the database answers, and bots are served, here or by other processes."""
    try:
        services.tables.store.game("")
        database = True
    except StoreError:
        database = False
    bots = not services.bot_workers.processes or services.bot_workers.loop is not None
    ready = database and bots
    return JSONResponse({"live": True, "ready": ready, "database": database, "bots": bots}, 200 if ready else 503)


@router.get("/metrics")
async def metrics(services: Operator) -> PlainTextResponse:
    """Figures for Prometheus."""
    text = generate_latest(services.metrics.registry) + generate_latest(_Now(services))
    return PlainTextResponse(text, media_type=CONTENT_TYPE_LATEST)


class _Now:
    """What is read at the moment of asking, in this process."""

    def __init__(self, services: Services) -> None:
        self.services = services

    def collect(self) -> Iterator[Metric]:
        workers = self.services.bot_workers
        yield GaugeMetricFamily("jaipur_streams", "Open streams.", self.services.hub.streams)
        yield GaugeMetricFamily("jaipur_connections", "Open connections.", self.services.connections())
        yield CounterMetricFamily("jaipur_bot_failures", "Moves to be tried again.", workers.failures)
        queue = GaugeMetricFamily("jaipur_bot_queue", "Thoughts that wait for a process.", labels=["rank"])
        for rank, count in workers.waiting.items():
            queue.add_metric([rank.name.lower()], count)
        yield queue
