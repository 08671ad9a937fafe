"""A server that notifies people by web push, for its tests."""

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from cryptography.hazmat.primitives.asymmetric import ec

from jaipur.server.app import call_by_push, make_app
from jaipur.server.people.push.delivery import Delivery
from jaipur.server.people.push.keys import Keys
from jaipur.server.people.push.sender import PushSender
from jaipur.store.subscriptions import Subscriptions
from jaipur.table import Tables
from tests.support.push_service import Browser, Got, PushService
from tests.support.server import ME, PAIR, PEOPLE, Answer, Caller, play_some

CONTACT = "mailto:operator@example.org"
BROWSER = Browser()


@contextmanager
def pushing(http: Caller, service: PushService) -> Iterator[PushSender]:
    """Gives a server push; messages are sent without delay, and may go to this machine."""
    assert http.services is not None
    services = http.services
    services.presence.away_seconds = 0.0
    keys = Keys(ec.generate_private_key(ec.SECP256R1()), CONTACT)
    delivery = Delivery(frozenset({service.host}), service.tls)
    call_by_push(services, PushSender(services.tables, services.presence, keys, delivery))
    assert services.push is not None
    http.app = make_app(services)
    http.runner.run(services.push.start())
    yield services.push
    http.runner.run(services.push.stop())


def subscribe(http: Caller, endpoint: str, token: str = ME, lang: str = "en") -> Answer:
    after(http, lambda: None)  # what was played before calls nobody
    return http.post(
        "/push", {"endpoint": endpoint, **BROWSER.keys}, token=token, cookie=True, headers={"accept-language": lang}
    )


def after(http: Caller, do: Callable[[], object]) -> None:
    """Does something, and waits until everybody who should be notified has been."""
    assert http.services is not None
    assert http.services.push is not None
    sender = http.services.push

    async def settled() -> None:
        await asyncio.to_thread(do)
        await asyncio.sleep(0)
        await calls_made(sender)

    http.runner.run(settled())


async def calls_made(sender: PushSender) -> None:
    """Waits until nobody is to be called any more."""
    while len(sender.calls):
        await asyncio.sleep(0.005)


def told(got: Got) -> dict[str, str]:
    """What a browser shows."""
    words: dict[str, str] = json.loads(BROWSER.read(got.body).rstrip(b"\x00"))
    return words


def rows(tables: Tables, holder: str = PAIR[0]) -> list[str]:
    return [found.endpoint for found in Subscriptions(tables.store).of(holder)]


def to_move(tables: Tables, seat: int) -> str:
    """A game between two people in which it is this seat's turn."""
    game = tables.create(PEOPLE).game.id
    while tables.open(game).turn != seat:
        play_some(tables, game, 1)
    return game
