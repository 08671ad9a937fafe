"""A server that is killed in mid-write loses nothing it has acknowledged; the same request again counts once."""

import os
import signal
import sqlite3
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from endurance.support.servers import OwnServer, serve
from sqlalchemy import Engine, event

from tests.support.program import PATIENCE
from tests.support.served import OPTIONS, Served, games_in, running, wait_for

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal here")

BEFORE, AFTER = "before the commit", "after the commit, before the answer"
TOKEN = "token-of-this-person-xyz"


def serve_until(order: Path, place: str, *arguments: Any) -> None:
    """Serves until there is an order, and dies at this place of the next write."""

    def die_at(here: str) -> None:
        if here == place and order.exists():
            os.kill(os.getpid(), signal.SIGKILL)

    class Mortal(sqlite3.Connection):
        def commit(self) -> None:
            die_at(BEFORE)
            super().commit()
            die_at(AFTER)

    @event.listens_for(Engine, "do_connect")
    def _connect(_dialect: object, _record: object, _arguments: object, options: dict[str, object]) -> None:
        options["factory"] = Mortal

    serve(*arguments)


def ask(server: OwnServer, method: str, path: str, body: object = None, key: str = "") -> Any:
    headers = {"authorization": f"Bearer {TOKEN}"} | ({"idempotency-key": key} if key else {})
    url = f"http://127.0.0.1:{server.port}/api/games{path}"
    return httpx.request(method, url, json=body, headers=headers, timeout=PATIENCE).raise_for_status().json()


def begin(server: OwnServer) -> tuple[str, dict[str, object]]:
    """A game of which three moves were acknowledged, and a fourth to ask for."""
    game = ask(server, "POST", "", {"kind": "one-screen"})["game"]
    for ply in range(4):
        turn = ask(server, "GET", f"/{game}")["turn"]
        move = {"move": ask(server, "GET", f"/{game}?seat={turn}")["legal"][0], "ply": ply}
        if ply < 3:
            ask(server, "POST", f"/{game}/moves", move)
    return str(game), move


@pytest.mark.parametrize("place", [BEFORE, AFTER])
def test_what_was_acknowledged_outlives_a_kill_in_mid_write(place: str, tmp_path: Path) -> None:
    database, order = str(tmp_path / "games.sqlite3"), tmp_path / "order"
    with OwnServer(database, serve=partial(serve_until, order, place)) as server:
        game, move = begin(server)
        log = ask(server, "GET", f"/{game}")["log"]
        order.touch()
        with pytest.raises(httpx.TransportError):
            ask(server, "POST", f"/{game}/moves", move, "one key")
    with OwnServer(database) as server:
        after = ask(server, "GET", f"/{game}")
        assert after["log"][:3] == log
        assert after["number"] == (3 if place == BEFORE else 4)
        assert {ask(server, "POST", f"/{game}/moves", move, "one key")["number"] for _ in range(2)} == {4}
        assert [played["move"] for played in ask(server, "GET", f"/{game}")["log"]][3:] == [move["move"]]


@pytest.mark.parametrize("place", [BEFORE, AFTER])
def test_a_rematch_that_is_asked_for_again_after_a_kill_is_one_new_game(place: str, tmp_path: Path) -> None:
    database, order = tmp_path / "games.sqlite3", tmp_path / "order"
    with OwnServer(str(database), serve=partial(serve_until, order, place)) as server:
        game, _move = begin(server)
        ask(server, "POST", f"/{game}/resign")
        order.touch()
        with pytest.raises(httpx.TransportError):
            ask(server, "POST", f"/{game}/rematch", key="one key")
    assert len(games_in(database)) == (1 if place == BEFORE else 2)
    with OwnServer(str(database)) as server:
        new = {ask(server, "POST", f"/{game}/rematch", key="one key")["view"]["rematch"] for _ in range(2)}
        assert {game, *new} == set(games_in(database))
        assert [ask(server, "GET", f"/{name}")["status"] for name in new] == ["playing"]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are looked up in /proc")
def test_no_bot_worker_outlives_its_server(tmp_path: Path) -> None:
    with Served(tmp_path / "games.sqlite3", *OPTIONS) as served:
        game = served.post("/api/games", TOKEN, {"kind": "bot", "level": "pedlar"}).json()["game"]
        seen = served.get(f"/api/games/{game}", TOKEN)
        if seen["turn"] == 0:
            served.post(f"/api/games/{game}/moves", TOKEN, {"move": seen["legal"][0], "ply": seen["ply"]})
        wait_for(lambda: bool(served.helpers()))
        served.end(signal.SIGKILL)
        assert served.left
        wait_for(lambda: not any(running(pid) for pid in served.left))
