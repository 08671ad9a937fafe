"""A database locked by another program: those who only look do not wait, and writers do not wait long."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from jaipur.store.writing import write_queue
from tests.support.program import PATIENCE
from tests.support.served import OPTIONS, TOKEN, Served, games_in, locked, start, until
from tests.support.server import PEOPLE, new_tables, server


@pytest.mark.slow
def test_whoever_only_looks_does_not_wait_for_a_locked_database(tmp_path: Path) -> None:
    """57 requests want to write, to one game and to new ones; each is answered in time, and pages still load."""
    path = tmp_path / "games.sqlite3"
    with Served(path, *OPTIONS) as served, ThreadPoolExecutor(57) as pool:
        game, limits = start(served), httpx.Limits(max_connections=None)
        base = served.client.base_url
        with httpx.Client(base_url=base, timeout=PATIENCE, limits=limits) as client, locked(path):
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


def test_waiting_for_a_turn_leaves_less_time_to_wait_for_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when the writer before gives up after half a second."""
    times = iter([0.0, 0.5, 0.5])
    monkeypatch.setattr(write_queue, "time", SimpleNamespace(monotonic=lambda: next(times)))
    queue = write_queue.WriteQueue()
    with queue.turn():
        assert queue.seconds_left == write_queue.PATIENCE - 0.5


def test_writers_at_a_locked_database_give_up_and_write_later(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(write_queue, "PATIENCE", 0.4)
    with new_tables(tmp_path) as tables, ThreadPoolExecutor(8) as pool:
        game = tables.create(PEOPLE).game.id
        with locked(tmp_path / "games.sqlite3"):
            told = [pool.submit(tables.resign, tables.open(game), 0) for _ in range(8)]
            failed = [type(future.exception()) for future in told]
        assert failed == [write_queue.Busy] * 8
        assert tables.resign(tables.open(game), 0).over


def test_new_names_at_a_locked_database_hold_up_nobody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """They do not tie up the few threads in which streams are read and bots look at tables."""
    monkeypatch.setattr(write_queue, "PATIENCE", PATIENCE)
    with new_tables(tmp_path) as tables, server(tables) as http:

        async def scene() -> list[int]:
            asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
            wanted = {"name": "Bo", "back": "/"}
            with locked(tmp_path / "games.sqlite3"):
                asked = [asyncio.create_task(http.answer("POST", "/settings", wanted, cookie=True)) for _ in range(20)]
                await until(lambda: any(task.done() for task in asked))  # the queue behind a stuck writer is short
                await asyncio.to_thread(int)
                assert not all(task.done() for task in asked)
            return [answer.status for answer in await asyncio.gather(*asked)]

        answered = http.runner.run(scene())
    assert set(answered) == {303, 503}
