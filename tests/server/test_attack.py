"""Small versions of the attacks that `jaipur bench server --attack` measures, on a real server."""

import asyncio
from pathlib import Path

import pytest

from jaipur.bench.attack import attack, matches_for_nobody
from tests.server.processes import Served
from tests.terminal import jaipur as command

pytestmark = pytest.mark.slow


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_a_flood_costs_no_memory_and_nobody_else_is_kept_waiting(tmp_path: Path) -> None:
    with Served(tmp_path / "games.sqlite3", "--pause", "0") as served:
        assert served.client.base_url.port is not None
        names = ["long_lines", "many_lines", "one_line", "requests_ahead"]
        figures = asyncio.run(attack(served.client.base_url.port, served.process.pid, names))
        assert {name: figures[f"{name}_mb"] for name in names if float(str(figures[f"{name}_mb"])) > 20} == {}
        assert served.client.get("/rules").status_code == 200
        answers = asyncio.run(matches_for_nobody(served.client.base_url.port, 5, 4))
        assert len(answers) == 3
    assert "Traceback" not in served.errors.read_text()


def test_only_the_server_can_be_attacked(tmp_path: Path) -> None:
    done = command("bench", "rules", "--attack", games=tmp_path)
    assert done.returncode != 0
    assert "Only the server" in done.stderr
