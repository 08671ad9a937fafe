"""A real server in its own process, for tests that look at it from outside."""

import os
import subprocess
import sys
from pathlib import Path

from jaipur.programs import ends_with_us

ROOT = Path(__file__).parents[2]


def start_server(folder: Path, *options: str, program: str = "jaipur") -> "tuple[subprocess.Popen[str], str]":
    """Starts a server on a new database; returns the process and its address."""
    command = [sys.executable, "-m", program, "--lang", "en", "serve", "--port", "0", "--rate", "0", *options]
    environment = os.environ | {"PYTHONUNBUFFERED": "1", "JAIPUR_DATABASE": str(folder / "jaipur.sqlite3")}
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment, **ends_with_us())
    assert server.stdout is not None
    line = server.stdout.readline()
    return server, line.split(": ", 1)[1].strip()


def end_server(server: "subprocess.Popen[str]") -> None:
    server.terminate()
    server.communicate()
