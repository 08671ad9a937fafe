"""What all requests share, and the client of one."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Annotated, TypeVar

from fastapi import Depends
from starlette.requests import Request

from jaipur.record import person_name
from jaipur.rules.errors import N_, JaipurError
from jaipur.server.bot_services import BotServices, Part
from jaipur.server.edge.client_address import asking
from jaipur.server.edge.rates import OneEach
from jaipur.server.live.presence import Presence
from jaipur.server.operate.housekeeping import Housekeeping
from jaipur.server.operate.metrics import Metrics
from jaipur.server.play.timekeeper import Timekeeper
from jaipur.server.render import Renderer
from jaipur.server.site.uploads import Uploads
from jaipur.store import People
from jaipur.table import NotSeated, Table, hashed
from jaipur.threads import in_thread

if TYPE_CHECKING:  # needs the packages of an extra
    from jaipur.server.people.push.sender import PushSender

_NAME_LENGTH = 30
_KEY_LENGTH = 64
_LONG_THREADS = 8
_T = TypeVar("_T")


@dataclass
class Services(BotServices):
    """The tables and everything around them."""

    renderer: Renderer
    housekeeping: Housekeeping
    people: People
    presence: Presence
    timekeeper: Timekeeper
    uploads: Uploads = field(default_factory=Uploads)
    push: "PushSender | None" = None
    """Notifies people whose pages are closed, if the operator has set that up."""
    metrics: Metrics = field(default_factory=Metrics)
    new_request_id: Callable[[], str] = lambda: f"{random.getrandbits(48):012x}"
    connections: Callable[[], int] = lambda: 0
    listening: Counter[str] = field(default_factory=Counter)
    """How many streams each address has open."""
    _long: OneEach = field(default_factory=lambda: OneEach(_LONG_THREADS))

    def parts(self) -> list[Part]:
        """What has to be started, in this order, and stopped in reverse."""
        push = [] if self.push is None else [self.push]
        return [*super().parts(), self.housekeeping, self.timekeeper, *push]

    async def open(self, game: str) -> Table:
        """The table of a game as it is now. A thread is used only to read the database.

        Reading a long game takes as long as ten pages, so games not in memory are read one at a time per address.
        """
        table = await self.tables.at_hand(game)
        if table is not None:
            return table
        if self.tables.kept(game) or not self.config.requests_per_second:  # for a game in memory, only news is read
            return await in_thread(self.tables.open, game)
        return await self._long.run(asking.get(), partial(self.tables.open, game))

    async def write_long(self, task: Callable[[], _T]) -> _T:
        """Runs a long write, one at a time per address; a second one is refused at once."""
        return await self._long.run(f"{asking.get()} writes", task, waits=False)


async def services_of(request: Request) -> Services:
    """The services of the server that handles the request."""
    services: Services = request.state.services
    return services


ServicesDep = Annotated[Services, Depends(services_of)]


@dataclass(frozen=True)
class Guest:
    """The client: a browser with its cookie or a program with its bearer token. Only the hash is ever stored."""

    secret: str

    @cached_property
    def holder(self) -> str | None:
        """What is stored in place of the secret: its hash."""
        return hashed(self.secret) if self.secret else None

    def required_holder(self) -> str:
        """The holder; raises `NotSeated` if there is none."""
        if self.holder is None:
            raise NotSeated(N_("Send your seat's token in the header “Authorization: Bearer TOKEN”."))
        return self.holder


async def guest_of(request: Request) -> Guest:
    """The client that sent the request."""
    return Guest(request.state.secret)


GuestDep = Annotated[Guest, Depends(guest_of)]


def clean_name(name: str) -> str:
    """What a person wants to be called; empty if they do not say."""
    return person_name(fitting_name(name))


def fitting_name(name: str) -> str:
    """A name that fits on one line of the table."""
    line = " ".join(name.split())
    if len(line) > _NAME_LENGTH or not line.isprintable():
        raise JaipurError(N_("A name has at most 30 printable characters."))
    return line


def clean_key(key: str) -> str | None:
    """An idempotency key, or none."""
    if len(key) > _KEY_LENGTH or not key.isprintable():
        raise JaipurError(N_("An idempotency key has at most 64 printable characters."))
    return key or None
