"""The attacks in small, on a real server: each is cut off or answered, and other clients are served all the same."""

import asyncio
from collections.abc import Iterator

import httpx
import pytest
from endurance.attack import COOKIE, FLOODS, send_at_once, send_without_end, uploads
from endurance.support.servers import OwnServer

from tests.support.program import PATIENCE


@pytest.fixture(name="port", scope="module")
def _port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with OwnServer(str(tmp_path_factory.mktemp("attacked") / "games.sqlite3")) as server:
        yield server.port
        rules, host = f"http://127.0.0.1:{server.port}/rules", {"host": "localhost"}
        assert httpx.get(rules, headers=host, timeout=PATIENCE).status_code == 200


@pytest.mark.parametrize("name", FLOODS)
def test_a_flood_is_cut_off(name: str, port: int) -> None:
    piece, megabytes, head = FLOODS[name]
    assert asyncio.run(send_without_end(port, piece, megabytes, head)) < megabytes * 1_000_000


def test_what_is_sent_at_once_is_answered(port: int) -> None:
    """An attack that nobody answers measures nothing. A slow machine may not get to all uploads in time."""
    assert set(asyncio.run(send_at_once(port, [COOKIE] * 3))) == {200}
    assert {303, 422} <= set(asyncio.run(send_at_once(port, uploads(2)))) <= {303, 422, 503}
