"""A database locked by another program: those who only look do not wait, and writers do not wait long."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from jaipur.store import write_queue
from tests.server.harness import PEOPLE, room, server
from tests.server.processes import OPTIONS, TOKEN, Served, games_in, locked, start


@pytest.mark.slow
def test_whoever_only_looks_does_not_wait_for_a_locked_database(tmp_path: Path) -> None:
    """57 requests want to write, to one game and to new ones; each is answered in time, and pages still load."""
    path = tmp_path / "games.sqlite3"
    with Served(path, *OPTIONS) as served, ThreadPoolExecutor(57) as pool:
        game, limits = start(served), httpx.Limits(max_connections=None)
        base = served.client.base_url
        with httpx.Client(base_url=base, timeout=60, limits=limits) as client, locked(path):
            header = {"authorization": f"Bearer {TOKEN}"}

            def write(number: int) -> httpx.Response:
                where = f"/api/games/{game}/resign" if number % 2 else "/api/games"
                return client.post(where, headers=header, json=None if number % 2 else {"kind": "one-screen"})

            waiting = [pool.submit(write, number) for number in range(57)]
            looked = [client.get("/rules").status_code for _ in range(5)]
            still_waiting = [future for future in waiting if not future.done()]
            answers = [future.result() for future in waiting]
    assert looked == [200] * 5
    assert still_waiting, "the pages were answered before the writers gave up"
    assert {answer.status_code for answer in answers} == {503}
    assert {answer.headers["retry-after"] for answer in answers} == {"1"}
    assert games_in(path) == [game]


def test_a_writer_waits_no_longer_than_it_should_in_all(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Counting both its turn and the database, however many others wait for the same game."""
    monkeypatch.setattr(write_queue, "PATIENCE", 0.4)
    with room(tmp_path) as tables, ThreadPoolExecutor(8) as pool:
        game = tables.create(PEOPLE).game.id
        with locked(tmp_path / "games.sqlite3"):
            told = [pool.submit(tables.resign, tables.open(game), 0) for _ in range(8)]
            failed = [type(future.exception(30)) for future in told]
        assert failed == [write_queue.Busy] * 8
        assert tables.resign(tables.open(game), 0).over


def test_a_new_name_does_not_wait_for_others_at_a_locked_database(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nor does it tie up the few threads in which streams are read and bots look at tables."""
    monkeypatch.setattr(write_queue, "PATIENCE", 1.0)
    with room(tmp_path) as tables, server(tables) as http:

        async def scene() -> tuple[list[int], float]:
            asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
            wanted = {"name": "Bo", "back": "/"}
            asked = [asyncio.create_task(http.answer("POST", "/settings", wanted, cookie=True)) for _ in range(20)]
            await asyncio.sleep(0.1)
            began = time.monotonic()
            await asyncio.to_thread(int)
            waited = time.monotonic() - began
            return [answer.status for answer in await asyncio.gather(*asked)], waited

        with locked(tmp_path / "games.sqlite3"):
            began = time.monotonic()
            answered, waited = http.runner.run(scene())
            in_all = time.monotonic() - began
    assert answered == [503] * 20
    assert waited < 1.0
    assert in_all < 10.0
