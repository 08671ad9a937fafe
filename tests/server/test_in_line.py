"""The app without what runs it: no server, process, thread or socket."""

import asyncio
import multiprocessing
import socket
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from jaipur.server.app import _site, make_app, make_services
from jaipur.server.bot_services import open_services
from jaipur.server.coach import jobs, review_service
from jaipur.server.config import Config
from jaipur.server.services import Services
from jaipur.store import Store, open_database
from jaipur.table import Tables
from jaipur.threads import in_line
from tests.support.server import ME, Answer, Caller, seeds

Ask = Callable[..., Awaitable[Answer]]


def test_importing_the_app_brings_nothing_that_runs_it() -> None:
    runners = {"uvicorn", "httptools", "uvloop", "psycopg", "multiprocessing"}
    code = f"import sys, jaipur.server.app; print({runners} & sys.modules.keys())"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "set()"


def test_every_handler_runs_through_the_one_seam() -> None:
    """FastAPI would run a plain function in threads of its own: a router has the route class that prevents it."""
    routers = [vars(included).get("original_router") for included in _site(push=True).routes]
    routes = [route for router in routers if router is not None for route in router.routes]
    assert len(routes) > 50
    assert [route.path for route in routes if not asyncio.iscoroutinefunction(route.endpoint)] == []


def test_a_whole_game_is_played_in_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Against a bot, with a hint and a review, by requests to the app alone."""
    monkeypatch.setattr(jobs, "HINT_WORLDS", 20)
    monkeypatch.setattr(review_service, "WORLDS", 4)

    async def play() -> None:
        in_line.set(True)
        tables = Tables(Store(open_database(str(tmp_path / "games.sqlite3"))), new_seed=seeds())
        config = Config("", requests_per_second=0, games_per_minute=0, pause=0)
        async with open_services(make_services(config, tables)) as services:
            await _play(services, Caller(make_app(services), ME).answer)

    with asyncio.Runner() as runner:
        runner.get_loop()  # makes a pair of sockets to wake itself up
        for owner, name in ((threading.Thread, "start"), (socket, "socket"), (multiprocessing.Process, "start")):
            monkeypatch.setattr(owner, name, forbidden)
        runner.run(asyncio.wait_for(play(), 120))


def forbidden(*_arguments: object, **_options: object) -> None:
    raise AssertionError("There are no threads, processes or sockets here.")


async def _play(services: Services, ask: Ask) -> None:
    made = await ask("POST", "/api/games", {"kind": "bot", "level": "trader", "name": "Ann"})
    assert made.status == 201, made.text
    game = made.json["game"]
    while (seen := (await ask("GET", f"/api/games/{game}")).json)["status"] != "over":
        assert (await ask("GET", f"/game/{game}", cookie=True)).status == 200
        if seen["status"] == "sheet":
            await ask("POST", f"/api/games/{game}/ready", {})
        elif seen["turn"] == 0:
            if seen["ply"] < 2:
                await _hint(ask, game, seen["ply"])
            wish = {"move": seen["legal"][-1], "ply": seen["ply"]}
            assert (await ask("POST", f"/api/games/{game}/moves", wish)).status == 200
        await asyncio.sleep(0)
    review = await ask("GET", f"/game/{game}/review", cookie=True)
    while services.reviews.making:
        await asyncio.sleep(0)
    review = await ask("GET", f"/game/{game}/review", cookie=True)
    assert review.status == 200
    assert 'id="progress"' not in review.text


async def _hint(ask: Ask, game: str, ply: int) -> None:
    answer = await ask("POST", f"/game/{game}/hint", {"ply": ply, "key": f"hint {ply}"}, cookie=True)
    assert answer.status in {200, 303}, answer.text
    assert "Hint: show the cards" in (await ask("GET", f"/game/{game}", cookie=True)).text
