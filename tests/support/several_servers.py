"""Three servers on one PostgreSQL behind nginx, called like one in this process: a request may reach any of them."""

import asyncio
import itertools
import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial, partialmethod
from pathlib import Path
from typing import Any

import pytest
from endurance.support.servers import nginx_program, serve, several
from starlette.types import Receive, Scope, Send

from jaipur import Match, Round
from jaipur.match import read_seed
from jaipur.notation import parse_round
from jaipur.server.live.messages import Written, pack
from jaipur.store import Event, Store, open_database
from jaipur.store.schema import metadata
from jaipur.table import Table, Tables
from jaipur.table.tables import _now
from tests.support.other_secrets import Deals
from tests.support.postgres import Databases, require_postgres
from tests.support.program import PATIENCE
from tests.support.server import ME, Answer, Caller, seeds

SERVERS = 3
_EACH_TIME_ANOTHER = (b"date", b"x-request-id")
_KEY = re.compile(rb'(?<=name="key" value=")[^"]+')


def require_nginx() -> None:
    """Without nginx the test is skipped, or fails where nginx is required."""
    if not nginx_program():
        reason = "no nginx was found: install it to run the tests of several servers"
        if os.environ.get("JAIPUR_NGINX") == "required":
            pytest.fail(reason)
        pytest.skip(reason)


class AnyServer(Caller):
    """A client over the network, with a new connection for each request."""

    def __init__(self, port: int, token: str = "") -> None:
        super().__init__(_not_here, token)
        self.port = port
        self.masked = False
        """Whether to strip what is random in each response."""
        self._begun = asyncio.Event()

    def another(self, token: str = "") -> "AnyServer":
        """Another client of the same servers."""
        return AnyServer(self.port, token)

    def listen(self, path: str, then: Callable[[], object], until: int = 1, **options: Any) -> Answer:
        """The stream of a game's events, up to `until` of them; `then` is called once the stream has begun."""

        async def listening() -> Answer:
            self._begun = asyncio.Event()
            stream = asyncio.create_task(self.answer("GET", path, until=until, **options))
            await asyncio.wait([stream, asyncio.create_task(self._begun.wait())], return_when=asyncio.FIRST_COMPLETED)
            await asyncio.to_thread(then)
            return await stream

        return self.runner.run(listening())

    async def _call(self, scope: Scope, body: list[bytes], until: int) -> Answer:
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            try:
                writer.write(_request(scope, b"".join(body)))
                first, *lines = (await reader.readuntil(b"\r\n\r\n")).strip().split(b"\r\n")
                self._begun.set()
                pairs = [tuple(line.split(b": ", 1)) for line in lines]
                headers = tuple((name.lower(), value) for name, value in pairs)
                answer = Answer(int(first.split()[1]), headers, await _body(reader, until))
                return _masked(answer) if self.masked else answer
            finally:
                writer.close()


def _masked(answer: Answer) -> Answer:
    """A response without its date, its request id wherever it occurs, and the keys of forms."""
    number = answer.header("x-request-id").encode()
    body = _KEY.sub(b"", answer.body.replace(number, b"") if number else answer.body)
    return Answer(answer.status, tuple(pair for pair in answer.headers if pair[0] not in _EACH_TIME_ANOTHER), body)


async def _not_here(_scope: Scope, _receive: Receive, _send: Send) -> None:
    raise AssertionError("there is no server in this process")


def _request(scope: Scope, body: bytes) -> bytes:
    """A request in HTTP/1.0, where the end of the connection is the end of the response."""
    query = scope["query_string"]
    path = scope["raw_path"] + (b"?" + query if query else b"")
    lines = [b"%s %s HTTP/1.0" % (scope["method"].encode(), path)]
    lines += [b"%s: %s" % pair for pair in scope["headers"]]
    lines += [b"content-length: %d" % len(body)] * bool(body or scope["method"] == "POST")
    return b"\r\n".join([*lines, b"", b""]) + body


async def _body(reader: asyncio.StreamReader, until: int) -> bytes:
    """The whole body, or this many events. Presence and pings are left out, since they may come at any moment."""
    body, events = b"", list[bytes]()
    while not until or len(events) < until:
        if not (part := await reader.read(65536)):
            return body
        body += part
        events = [event for event in body.split(b"\n\n")[:-1] if not event.startswith((b"event: presence", b":"))]
    return b"".join(event + b"\n\n" for event in events[:until])


@dataclass
class Site:
    """A database, the port of the proxy in front of its servers, and a file that can override what they do."""

    address: str
    port: int
    orders: Path
    store: Store

    def order(self, deals: Deals, now: int | None, seed: bytes = b"") -> None:
        """Makes the servers use these deals instead of the seed's, stop their clocks, and give new games this seed."""
        dealt = {number: str(dealt) for number, dealt in deals.items()}
        new = self.orders.with_suffix(".new")
        new.write_text(json.dumps({"deals": dealt, "now": now, "seed": seed.hex()}))
        new.replace(self.orders)


class Sites:
    """A pool of sites: started when needed, and reused."""

    def __init__(self, databases: Databases, stack: ExitStack) -> None:
        self.databases = databases
        self._stack = stack
        self._folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        self._free: list[Site] = []
        self._used: list[Site] = []
        self._numbers = itertools.count()

    @contextmanager
    def site(self) -> Iterator[Site]:
        """A site without games."""
        site = self._free.pop() if self._free else self._start()
        self._used.append(site)
        try:
            yield site
        finally:
            self._used.remove(site)
            self._free.append(site)
            site.order({}, None)

    def _start(self) -> Site:
        address = self._stack.enter_context(self.databases.database())
        orders = self._folder / f"orders{len(self._used)}"
        orders.write_text('{"deals": {}, "now": null, "seed": ""}')
        port = self._stack.enter_context(several(address, SERVERS, partial(serve_by_orders, orders)))
        store = Store(open_database(address))
        self._stack.callback(store.close)
        return Site(address, port, orders, store)

    @contextmanager
    def new_tables(
        self,
        clock: Callable[[], int] | None,
        new_id: Callable[[], str] | None,
        new_seed: Callable[[], bytes] | None,
    ) -> Iterator[Tables]:
        """Tables in this process, beside those of the servers. Ids are never reused: servers keep tables in memory."""
        with self.site() as site:
            new_id = new_id or (lambda: f"game{next(self._numbers)}")
            tables = Tables(site.store, new_id=new_id, new_seed=new_seed or seeds())
            tables.clock = clock or tables.clock
            tables.listeners.append(partial(_tell, site.store))
            if new_seed is not None:
                site.order({}, None, new_seed())
            empty(tables)
            yield tables

    @contextmanager
    def caller(self, tables: Tables) -> Iterator[Caller]:
        """A client of the servers on these tables."""
        with AnyServer(self._site_of(tables).port, ME) as caller:
            yield caller

    def order(self, tables: Tables, deals: Deals, now: int) -> None:
        """Sets what the servers on these tables deal, and what time it is for them."""
        self._site_of(tables).order(deals, now)

    def _site_of(self, tables: Tables) -> Site:
        return next(site for site in self._used if site.address == tables.store.where)


def _tell(store: Store, table: Table, event: Event | None) -> None:
    told = pack(Written(table.game.id, 0 if event is None else event.number))
    with store.reading() as connection:
        connection.exec_driver_sql("SELECT pg_notify('jaipur', %s)", (f"tests {told}",))


def empty(tables: Tables) -> None:
    """Removes all games; nobody asks the servers again for those they still have in memory."""
    with tables.store.engine.begin() as connection:
        for table in reversed(metadata.sorted_tables):
            connection.execute(table.delete())


def dealing(deals: Callable[[], Deals]) -> Callable[[Match, int, int], Round]:
    """Deals rounds as the seed says, except for those given."""
    fair = Match.deal

    def deal(match: Match, number: int, starter: int) -> Round:
        named = deals()
        if number not in named:
            return fair(match, number, starter)
        other = named[number].copy()
        other.starter = other.turn = starter
        return other

    return deal


def serve_by_orders(orders: Path, *arguments: Any) -> None:
    """A server that takes its deals, time and seed from a file, if they are given there. Otherwise it is unchanged."""

    def named() -> Deals:
        deals = json.loads(orders.read_text())["deals"]
        return {int(number): parse_round(text) for number, text in deals.items()}

    def now() -> int:
        return int(json.loads(orders.read_text())["now"] or _now())

    def seed() -> bytes:
        return read_seed(json.loads(orders.read_text())["seed"] or None)

    Match.deal = dealing(named)  # type: ignore[method-assign,assignment]
    Tables.__init__ = partialmethod(Tables.__init__, clock=now, new_seed=seed)  # type: ignore[method-assign,assignment]
    serve(*arguments)


@contextmanager
def sites(databases: Databases) -> Iterator[Sites]:
    require_postgres()
    require_nginx()
    with ExitStack() as stack:
        yield Sites(databases, stack)
