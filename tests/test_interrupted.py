"""A test run that is stopped leaves no process behind: no server, no database, no proxy, no worker of a bot."""

import contextlib
import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest
from endurance.support.servers import nginx_program

from tests.support.postgres import require_postgres
from tests.support.program import PATIENCE
from tests.support.served import wait_for

STARTS = """
import time
from pathlib import Path

from endurance.support.servers import OwnServer, several
from jaipur.bench.own_postgres import own_postgres
from tests.support.postgres import QUICK
from tests.support.served import TOKEN, Served

def test_that_is_stopped(tmp_path: Path) -> None:
    with own_postgres(*QUICK) as postgres, several(postgres.address(postgres.new_database()), 1):
        with OwnServer(str(tmp_path / "own")), Served(tmp_path / "served") as served:
            game = served.post("/api/games", TOKEN, {"kind": "watch", "level": "pedlar", "level2": "pedlar"})
            served.get("/api/games/" + game.json()["game"], TOKEN)
            while not served.helpers():
                time.sleep(0.05)
            Path("ready").touch()
            time.sleep(600)
"""


@pytest.fixture(name="folder")
def _folder() -> Iterator[Path]:
    """A folder that PostgreSQL may enter, which is not run by root."""
    with tempfile.TemporaryDirectory() as name:
        (folder := Path(name)).chmod(0o711)
        yield folder


def children(pid: int) -> list[int]:
    with contextlib.suppress(OSError):  # it has just ended
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


def descendants(pid: int) -> dict[int, str]:
    """All processes below a process, by handles, which stay theirs when the number is used again; with their names."""
    found = {}
    for child in children(pid):
        with contextlib.suppress(OSError):
            found[os.pidfd_open(child)] = Path(f"/proc/{child}/comm").read_text().strip()
            found |= descendants(child)
    return found


def have_ended(handles: Collection[int]) -> bool:
    return len(select.select(handles, [], [], 0)[0]) == len(handles)


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")
def test_a_run_that_is_stopped_leaves_no_process_behind(folder: Path) -> None:
    """Killed, it and its worker: after Ctrl-C they may still have time to end what they started, but not always."""
    require_postgres()
    if not nginx_program():
        pytest.skip("no nginx was found")
    (folder / "test_that_is_stopped.py").write_text(STARTS)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n", "1", "--rootdir", str(folder), "."]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(folder)}
    environment.pop("PYTEST_ADDOPTS", None)
    with (folder / "log").open("wb") as log:
        run = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
        below: dict[int, str] = {}
        try:
            wait_for(lambda: (folder / "ready").exists() or run.poll() is not None)
            assert run.poll() is None, (folder / "log").read_text()
            below = descendants(run.pid)
            assert {"nginx", "postgres", Path(sys.executable).name} <= set(below.values())
            for pid in [run.pid, *children(run.pid)]:
                os.kill(pid, signal.SIGKILL)
            run.wait(PATIENCE)
            wait_for(lambda: have_ended(below))
        finally:
            run.kill()
            run.wait()
            for handle in below:
                with contextlib.suppress(ProcessLookupError):
                    signal.pidfd_send_signal(handle, signal.SIGKILL)
                os.close(handle)
