"""`jaipur serve` is killed over and over while people play bots and watch them; the next one carries on."""

import contextlib
import random
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from tests.support.program import PATIENCE
from tests.support.served import OPTIONS, Served, wait_for

from jaipur.store import Store, open_database
from jaipur.store.database import on_file
from jaipur.table import Table

KILLS = 20
"""The part `kills` makes a thousand, of a server without bots."""
KILLS_ON_POSTGRES = 5
"""Fewer, as everything has been tried on SQLite; only how a server and its database part company may differ."""

ORPHAN = "EOFError: Ran out of input"
"""What Python prints for a process whose parent was killed while it was starting it."""


@dataclass
class Place:
    """A server's database, and the folder for its log."""

    database: str
    folder: Path

    def serve(self) -> Served:
        return Served(self.folder / "games.sqlite3", *OPTIONS, "--database", self.database)


@pytest.fixture(name="place", params=["sqlite", "postgres"])
def _place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    if request.param == "sqlite":
        yield Place(str(tmp_path / "games.sqlite3"), tmp_path)
    else:
        with request.getfixturevalue("postgres").database() as address:
            yield Place(address, tmp_path)


@dataclass
class Person:
    """Plays one game after another against a bot, and notes what the servers have acknowledged."""

    level: str
    token: str
    chance: random.Random
    game: str = ""
    games: list[str] = field(default_factory=list)
    sent: tuple[str, dict[str, object], str] | None = None
    told: list[tuple[str, int, str]] = field(default_factory=list)
    asked: int = 0

    def play(self, served: Served) -> None:
        """Plays until the server is gone."""
        with contextlib.suppress(httpx.TransportError):
            while True:
                self.act(served)

    def act(self, served: Served) -> None:
        if self.sent is None:
            self.sent = self.think(served)
        if self.sent is not None:
            path, wanted, key = self.sent
            answer = served.post(path, self.token, wanted, key)
            assert answer.status_code in {200, 201}, answer.text
            self.note(path, wanted, answer)
            self.sent = None

    def think(self, served: Served) -> tuple[str, dict[str, object], str] | None:
        """What to ask for next, with a key: if no answer comes, the next server is asked the same."""
        self.asked += 1
        key = f"{self.token} {self.asked}"
        if not self.game:
            return "/api/games", {"kind": "bot", "level": self.level}, key
        path = f"/api/games/{self.game}"
        seen = served.get(path, self.token)
        if seen["status"] == "over":
            self.game = ""
        if seen["status"] == "sheet":
            return f"{path}/ready", {}, key
        if seen["turn"] == 0:
            return f"{path}/moves", {"move": self.chance.choice(seen["legal"]), "ply": seen["ply"]}, key
        return None

    def note(self, path: str, wanted: dict[str, object], answer: httpx.Response) -> None:
        got = answer.json()
        if path == "/api/games":
            self.game = got["game"]
            self.games.append(self.game)
        else:
            self.told.append((self.game, got["number"], str(wanted.get("move", ""))))


def written(database: str) -> dict[tuple[str, int], tuple[str, str | None]]:
    """All events of all games: their text and key."""
    connect: Callable[[str], Any] = sqlite3.connect if on_file(database) else psycopg.connect
    with contextlib.closing(connect(database)) as connection:
        rows = connection.execute("SELECT game, number, text, key FROM events").fetchall()
    return {(game, number): (text, key) for game, number, text, key in rows}


def check(database: str, people: list[Person]) -> None:
    """Everything acknowledged is written, nothing twice, and without gaps."""
    events = written(database)
    for person in people:
        for game, number, move in person.told:
            assert events[game, number][0] == move
    keys = [key for _text, key in events.values() if key is not None]
    assert len(keys) == len(set(keys))
    last: dict[str, int] = {}
    for game, number in sorted(events):
        assert number == last.get(game, 0) + 1
        last[game] = number


def bots_turns(database: str, games: list[str]) -> list[str]:
    """The games in which it is a bot's turn, rebuilt from the store; this also shows that every game can be rebuilt."""
    engine = open_database(database)
    store = Store(engine)
    tables = [Table(row, store.seats(game), store.events(game)) for game in games if (row := store.game(game))]
    engine.dispose()
    assert len(tables) == len(games)
    return [table.game.id for table in tables if table.bot_to_move is not None]


def watch(served: Served, token: str, watched: list[str]) -> None:
    """Makes sure that there is always a game between two bots in progress."""
    with contextlib.suppress(httpx.TransportError):
        if not watched or served.get(f"/api/games/{watched[-1]}", token)["status"] == "over":
            wish = {"kind": "watch", "level": "pedlar", "level2": "random"}
            watched.append(served.post("/api/games", token, wish).json()["game"])


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal here")
def test_what_was_acknowledged_outlives_many_kills(place: Place) -> None:
    chance, database = random.Random(1), place.database
    kills = KILLS if on_file(database) else KILLS_ON_POSTGRES
    people = [
        Person(level, f"{level}-token-of-this-person", random.Random(level)) for level in ("pedlar", "trader", "random")
    ]
    watched: list[str] = []
    waiting = 0
    for _ in range(kills):
        served = place.serve()
        enough = sum(len(person.told) for person in people) + chance.choice([0, 0, 5, 20, 40])
        with ThreadPoolExecutor(len(people)) as pool:
            playing = [pool.submit(person.play, served) for person in people]
            try:
                watch(served, people[0].token, watched)
                wait_for(lambda: sum(len(person.told) for person in people) >= enough or playing[0].done())  # noqa: B023
                time.sleep(chance.uniform(0, 0.05))
            finally:
                assert served.end(signal.SIGKILL) == -signal.SIGKILL
        served.close()
        for done in playing:
            done.result()
        check(database, people)
        waiting += len(bots_turns(database, [game for person in people for game in person.games] + watched))
    assert waiting > kills / 5
    assert sum(len(person.told) for person in people) > 4 * kills
    goes_on(place, people, watched)


def goes_on(place: Place, people: list[Person], watched: list[str]) -> None:
    """Every game can be continued; bots whose turn it is move by themselves, where somebody plays or watches."""
    database = place.database
    games = {game: person for person in people for game in person.games} | dict.fromkeys(watched, people[0])
    last = {game: max([number for name, number in written(database) if name == game], default=0) for game in games}
    waiting = bots_turns(database, list(games))
    with place.serve() as served:

        def moved() -> bool:
            for game in watched:
                served.get(f"/api/games/{game}", people[0].token)
            return all((game, last[game] + 1) in written(database) for game in waiting)

        wait_for(moved)
        for game, person in games.items():
            assert served.get(f"/api/games/{game}", person.token)["number"] >= last[game]
        for person in people:
            told, end = len(person.told), time.monotonic() + PATIENCE
            while len(person.told) < told + 5:
                person.act(served)
                assert time.monotonic() < end
        log = served.errors.read_text()
        assert log.count("Traceback") == log.count(ORPHAN)
        assert not [person for person in people if person.token in log]
