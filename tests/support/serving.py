"""A real server in its own process, for tests that look at it from outside."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jaipur.programs import ends_with_us

ROOT = Path(__file__).parents[2]


@contextmanager
def serving(folder: Path, *options: str, program: str = "jaipur") -> Iterator[str]:
    """The address of a server on a new database."""
    command = [sys.executable, "-m", program, "--lang", "en", "serve", "--port", "0", "--rate", "0", *options]
    environment = os.environ | {"PYTHONUNBUFFERED": "1", "JAIPUR_DATABASE": str(folder / "jaipur.sqlite3")}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment, **ends_with_us()
    ) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().split(": ", 1)[1].strip()
        finally:
            server.terminate()
            server.communicate()
    assert server.returncode == 0
