"""What all requests share, and who is asking."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends
from starlette.requests import Request

from jaipur.core.errors import N_, JaipurError
from jaipur.record import person_name
from jaipur.server.config import Config
from jaipur.server.hub import Hub
from jaipur.server.render import Pages
from jaipur.server.thinkers import Thinkers
from jaipur.table import NotSeated, Tables, hashed

_NAME_LENGTH = 30
_KEY_LENGTH = 64


@dataclass
class House:
    """The tables and everything around them."""

    config: Config
    tables: Tables
    hub: Hub
    thinkers: Thinkers
    pages: Pages


async def _house(request: Request) -> House:
    house: House = request.app.state.house
    return house


TheHouse = Annotated[House, Depends(_house)]


@dataclass(frozen=True)
class Guest:
    """Who asks: a browser with its cookie or a program with its token. Only the hash is ever stored."""

    token: str

    @property
    def holder(self) -> str | None:
        """What is stored of them."""
        return hashed(self.token) if self.token else None

    def sit(self) -> str:
        """The holder, or the reason why nobody can be seated."""
        if self.holder is None:
            raise NotSeated(N_("Bring the token of your seat in the header “Authorization: Bearer TOKEN”."))
        return self.holder


async def _guest(request: Request) -> Guest:
    return Guest(request.state.token)


TheGuest = Annotated[Guest, Depends(_guest)]


def clean_name(name: str, otherwise: str) -> str:
    """What a person wants to be called."""
    return person_name(fitting_name(name, otherwise))


def fitting_name(name: str, otherwise: str) -> str:
    """A name that fits on one line of the table."""
    line = " ".join(name.split()) or otherwise
    if len(line) > _NAME_LENGTH or not line.isprintable():
        raise JaipurError(N_("A name has at most 30 printable characters."))
    return line


def clean_key(key: str) -> str | None:
    """An idempotency key, or none."""
    if len(key) > _KEY_LENGTH or not key.isprintable():
        raise JaipurError(N_("An idempotency key has at most 64 printable characters."))
    return key or None
