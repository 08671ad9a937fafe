"""A whole server in this process, called without a network: real tables on a real database file."""

import asyncio
import itertools
import json
import sqlite3
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar
from urllib.parse import unquote, urlencode

import pytest
from sqlalchemy import event
from starlette.types import ASGIApp, Message, Scope

from jaipur import Match, Move, Rng
from jaipur.server.app import make_app, make_services
from jaipur.server.config import Config
from jaipur.server.render import Renderer
from jaipur.server.services import Services
from jaipur.store import Store, StoreError, open_database
from jaipur.table import GameKind, Seating, Table, Tables, hashed, invite_secret
from jaipur.table.seen.seen import see
from tests.support.digest import pick
from tests.support.postgres import Databases
from tests.support.served import put_away

if TYPE_CHECKING:  # which needs this module
    from tests.support.several_servers import Sites

T = TypeVar("T")
ME, FRIEND, STRANGER = "me-me-0123456789-me-me-me", "friend-0123456789-friend", "stranger-0123456789-stra"
"""The secrets of three people."""
GAME_PAGES = (
    *("", "/table", "/words", "/invite.svg", "/record", "/replay", "/replay/0", "/verify", "/review", "/review/1"),
    "/exercise/1",
)
"""Every page under the address of a game. Add new pages here."""
PAIR = (hashed(ME), hashed(FRIEND))
BOT = Seating(GameKind.BOT, ("Ann", "Trader"), (None, "trader"), (PAIR[0], None))
PEOPLE = Seating(GameKind.FRIEND, ("Ann", "Bob"), holders=PAIR)
ONE_SCREEN = Seating(GameKind.ONE_SCREEN, ("Ann", "Bob"), holders=(PAIR[0], PAIR[0]))
BOTS = Seating(GameKind.WATCH, ("Trader", "Pedlar"), ("trader", "pedlar"), watchable=True)


_postgres: list[Databases] = []
"""The PostgreSQL server that a test runs on, if it does."""
_elsewhere: list["Sites"] = []
"""The servers that a test talks to, if they are not in this process."""


@contextmanager
def asking_elsewhere(servers: "Sites") -> Iterator[None]:
    """All requests of this test go to other processes."""
    _elsewhere.append(servers)
    try:
        yield
    finally:
        _elsewhere.pop()


def elsewhere() -> "Sites | None":
    """The servers in other processes that this test talks to, if any."""
    return _elsewhere[-1] if _elsewhere else None


@contextmanager
def on_postgres(databases: Databases) -> Iterator[None]:
    """All databases of this test are on PostgreSQL."""
    _postgres.append(databases)
    try:
        yield
    finally:
        _postgres.pop()


def fewer(number: int) -> int:
    """How often a test repeats something: less often on PostgreSQL, as everything has been tried on SQLite already."""
    return number // (10 if _elsewhere else 5 if _postgres else 1)


@contextmanager
def new_database(folder: Path) -> Iterator[str]:
    """Where a test keeps its games."""
    if _postgres:
        with _postgres[-1].database() as address:
            yield address
    else:
        yield str(folder / "games.sqlite3")


@contextmanager
def new_tables(
    folder: Path | None = None,
    clock: Callable[[], int] | None = None,
    new_id: Callable[[], str] | None = None,
    new_seed: Callable[[], bytes] | None = None,
) -> Iterator[Tables]:
    """Tables on a database of their own; ids, times and seeds count up unless told otherwise."""
    if _elsewhere:
        with _elsewhere[-1].new_tables(clock, new_id, new_seed) as tables:
            yield tables
        return
    with tempfile.TemporaryDirectory() as own, new_database(folder or Path(own)) as where:
        store = Store(open_database(where))
        if not store.shared:
            event.listen(store.engine, "connect", _write_quickly)
            store.engine.dispose()
        try:
            yield Tables(
                store, clock or counting(int, 1000), new_id or counting(lambda n: f"game{n}"), new_seed or seeds()
            )
        finally:
            put_away(store)


def _write_quickly(connection: sqlite3.Connection, _entry: object) -> None:
    """Safe here: these tests kill no process in the middle of a write. Those with a real server do."""
    connection.execute("PRAGMA synchronous=OFF")


def counting(make: Callable[[int], T], start: int = 0) -> Callable[[], T]:
    numbers = itertools.count(start)
    return lambda: make(next(numbers))


def seeds(start: int = 0) -> Callable[[], bytes]:
    return counting(lambda n: n.to_bytes(32, "big"), start)


def folded(tables: Tables, game: str) -> Table:
    """The table as rebuilt from nothing but the store."""
    row = tables.store.game(game)
    assert row is not None
    return Table(row, tables.store.seats(game), tables.store.events(game))


def everything(table: Table) -> tuple[object, ...]:
    """Everything that a table holds, for comparison."""
    seen = [see(table, seat) for seat in (0, 1, None)]
    rounds = [(str(played), list(played.moves)) for played in table.match.rounds]
    settled = (table.offer, table.ready, table.ended, table.rematch, dict(table.keys), table.changed)
    return (
        seen,
        rounds,
        list(table.log),
        table.undone,
        table.slots,
        table.undo_to,
        settled,
    )


def played_here(tables: Tables, seating: Seating, match: Match) -> Table:
    """A finished match whose last move was played at this table, so that its figures are stored."""
    game = tables.create(seating, history=match.until(match.ply - 1)).game.id
    play(tables, game, match.round.moves[-1])
    return tables.open(game)


def play(tables: Tables, game: str, move: Move | str) -> None:
    """Plays a move for whoever's turn it is."""
    table = tables.open(game)
    assert table.turn is not None
    tables.move(tables.open(game), table.turn, table.ply, Move.parse(move) if isinstance(move, str) else move)


def play_some(tables: Tables, game: str, turns: int = 10_000, rng: Rng | None = None) -> Table:
    """Plays this many random turns, or until the round is over."""
    rng = rng or Rng(1)
    for _ in range(turns):
        table = tables.open(game)
        if table.turn is None:
            break
        play(tables, game, pick(table.match.round.legal_moves(), rng.below(1 << 20)))
    return tables.open(game)


def my_turn(tables: Tables, seating: Seating = BOT) -> str:
    """A game in which it is seat 0's turn."""
    game = tables.create(seating).game.id
    while tables.open(game).turn != 0:
        play_some(tables, game, 1)
    return game


def with_full_disk(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> tuple[threading.Event, threading.Event]:
    """Makes every write fail. The first event is set when somebody writes, who then waits briefly for the second."""
    writing, looked = threading.Event(), threading.Event()

    def write(*_what: object) -> None:
        writing.set()
        looked.wait(0.5)
        raise StoreError("The disk is full.")

    monkeypatch.setattr(tables.store, "append", write)
    return writing, looked


def hosted(tables: Tables, watchable: bool = False) -> tuple[str, str]:
    """A game that waits for a friend, and the token of its invitation."""
    seating = Seating(GameKind.FRIEND, ("Ann", ""), holders=(PAIR[0], None), watchable=watchable)
    game = tables.create(seating, ME).game.id
    return game, invite_secret(ME, game)


def play_match(tables: Tables, game: str, rng: Rng | None = None) -> Table:
    """Plays to the end of the match, with everybody ready between rounds."""
    rng = rng or Rng(1)
    while not (table := play_some(tables, game, rng=rng)).over:
        for seat in [0] if table.one_screen else table.persons or [0]:
            tables.ready(tables.open(game), seat)
    return table


@dataclass(frozen=True)
class Answer:
    """A response, byte for byte."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def lasting(self) -> tuple[object, ...]:
        """What stays the same when the request is repeated: everything but the request's id and the date."""
        return self.status, [pair for pair in self.headers if pair[0] not in {b"x-request-id", b"date"}], self.body

    def header(self, name: str) -> str:
        return "; ".join(value.decode("latin-1") for key, value in self.headers if key == name.encode())


class Caller:
    """Calls an ASGI app, on an event loop of its own."""

    services: Services
    """Of a server in this process."""

    def __init__(self, app: ASGIApp, token: str = "", host: str = "localhost") -> None:
        self.app = app
        self.token = token
        self.host = host
        self.runner = asyncio.Runner()
        self.raised: Exception | None = None
        """The exception that the app raised, if any."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.runner.close()

    def another(self, token: str = "") -> "Caller":
        """Another client of the same server."""
        return Caller(self.app, token)

    def get(self, path: str, **options: Any) -> Answer:
        return self.ask("GET", path, **options)

    def post(self, path: str, wanted: object = None, **options: Any) -> Answer:
        return self.ask("POST", path, wanted, **options)

    def ask(self, method: str, path: str, wanted: object = None, **options: Any) -> Answer:
        """Sends one request. `wanted` is sent as JSON to the API, and as a form to the pages."""
        return self.runner.run(self.answer(method, path, wanted, **options))

    def listen(self, path: str, then: Callable[[], object], until: int = 1, **options: Any) -> Answer:
        """The stream of a game's events, up to `until` of them; `then` is called once somebody is listening."""

        async def listening() -> Answer:
            stream = asyncio.create_task(self.answer("GET", path, until=until, **options))
            while not self.services.hub._queues:
                await asyncio.sleep(0)
            await asyncio.to_thread(then)
            return await stream

        return self.runner.run(listening())

    async def answer(
        self,
        method: str,
        path: str,
        wanted: object = None,
        *,
        token: str | None = None,
        headers: Mapping[str, str] | None = None,
        cookie: bool = False,
        body: list[bytes] | None = None,
        until: int = 0,
        https: bool = False,
    ) -> Answer:
        """`cookie` asks as a browser on our own page would; `until` leaves a stream after this many events."""
        token = self.token if token is None else token
        api = path.startswith("/api")
        sent = {"host": self.host}
        if cookie:
            sent |= {"sec-fetch-site": "same-origin"} | ({"cookie": f"jaipur_seat={token}"} if token else {})
        elif token:
            sent |= {"authorization": f"Bearer {token}"}
        if wanted is not None:
            body = [json.dumps(wanted).encode() if api else urlencode(wanted, doseq=True).encode()]  # type: ignore[arg-type]
            sent["content-type"] = "application/json" if api else "application/x-www-form-urlencoded"
        sent |= headers or {}
        return await self._call(_scope(method, path, sent, https), body or [b""], until)

    async def _call(self, scope: Scope, body: list[bytes], until: int) -> Answer:
        parts: list[Message] = [
            {"type": "http.request", "body": part, "more_body": n < len(body)} for n, part in enumerate(body, 1)
        ]
        gone = asyncio.Event()
        got: list[Message] = []
        found = b""

        async def receive() -> Message:
            if parts:
                return parts.pop(0)
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            nonlocal found
            got.append(message)
            found += message.get("body", b"")
            if until and found.count(b"\n\n") >= until:
                gone.set()

        self.raised = None
        try:
            await self.app(scope, receive, send)
        except Exception as error:
            self.raised = error
        start = next((message for message in got if message["type"] == "http.response.start"), None)
        if start is None:
            return Answer(0, (), repr(self.raised).encode())
        return Answer(start["status"], tuple(start["headers"]), found)


def multipart(text: str | bytes, key: str = "") -> dict[str, Any]:
    """Options of a request that uploads a record."""
    head = '--x\r\ncontent-disposition: form-data; name="{}"{}\r\n\r\n'.format
    body = text.encode() if isinstance(text, str) else text
    parts = [
        head("key", "").encode() + key.encode(),
        head("record", '; filename="a.jaipur"').encode() + body,
        b"--x--\r\n",
    ]
    return {"body": [b"\r\n".join(parts)], "headers": {"content-type": "multipart/form-data; boundary=x"}}


def _scope(method: str, path: str, headers: Mapping[str, str], https: bool) -> Scope:
    raw, _mark, query = path.partition("?")
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "path": unquote(raw),
        "raw_path": raw.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()],
        "client": ("127.0.0.1", 50000),
        "server": ("localhost", 8000),
        "scheme": "https" if https else "http",
    }


@contextmanager
def server(tables: Tables, fresh_key: Callable[[], str] | None = None, **config: Any) -> Iterator[Caller]:
    """The app on these tables, with one person as its client; bots do not move by themselves."""
    if _elsewhere:
        assert not config
        with _elsewhere[-1].caller(tables) as caller:
            yield caller
        return
    settings = {"requests_per_second": 0.0, "games_per_minute": 0.0, "pause": 0.0} | config
    services = make_services(
        Config(tables.store.where, **settings), tables, Renderer(fresh_key or counting(lambda n: f"key{n}"))
    )
    services.new_request_id = counting(lambda n: f"request{n}")
    with Caller(make_app(services), ME) as caller:
        caller.services = services
        services.hub.loop = tables.freshness.loop = caller.runner.get_loop()
        try:
            yield caller
        finally:
            caller.runner.run(tables.freshness.close())
