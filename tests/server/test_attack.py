"""Small versions of the attacks measured by `jaipur bench server --attack`, on a real server."""

import asyncio
from pathlib import Path

import pytest

from jaipur.bench.attack import COOKIE, attack, matches_for_nobody, send_at_once, uploads
from tests.server.processes import Served
from tests.terminal import jaipur as command

pytestmark = pytest.mark.slow


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_a_flood_costs_no_memory_and_nobody_else_is_kept_waiting(tmp_path: Path) -> None:
    with Served(tmp_path / "games.sqlite3", "--pause", "0") as served:
        assert served.client.base_url.port is not None
        names = ["long_lines", "many_lines", "one_line", "trailer", "requests_ahead", "cookies", "uploads"]
        figures = asyncio.run(attack(served.client.base_url.port, served.process.pid, names))
        assert {name: figures[f"{name}_mb"] for name in names if float(str(figures[f"{name}_mb"])) > 20} == {}
        assert served.client.get("/rules").status_code == 200
    assert "Traceback" not in served.errors.read_text()


def test_a_person_does_not_wait_for_matches_of_bots(tmp_path: Path) -> None:
    """Counted in moves, not seconds: of ten matches, one move may be in progress, and another one just finished."""
    with Served(tmp_path / "games.sqlite3", "--pause", "0", "--bot-workers", "1") as served:
        assert served.client.base_url.port is not None
        waits = asyncio.run(matches_for_nobody(served.client.base_url.port, 10, 6))
    assert len(waits) == 5
    assert sorted(waited.moves for waited in waits)[2] < 5


def test_what_is_sent_at_once_is_answered(tmp_path: Path) -> None:
    """An attack that nobody answers measures nothing. A slow machine may not get to all uploads in time."""
    with Served(tmp_path / "games.sqlite3") as served:
        port = served.client.base_url.port
        assert port is not None
        assert set(asyncio.run(send_at_once(port, [COOKIE] * 3))) == {200}
        assert {303, 422} <= set(asyncio.run(send_at_once(port, uploads(5)))) <= {303, 422, 503}


def test_only_the_server_can_be_attacked(tmp_path: Path) -> None:
    done = command("bench", "rules", "--attack", games=tmp_path)
    assert done.returncode != 0
    assert "Only the server" in done.stderr
