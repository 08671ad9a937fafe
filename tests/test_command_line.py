"""The door of every command: its output, its end, and what is said of a command line that it does not take."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.terminal import environment

INTERRUPTED = """
import sys

class Impatient:
    def find_spec(self, name, path=None, target=None):
        if name == "jaipur.cli.commands":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Impatient())
from jaipur.cli import main
main()
"""


def with_output(tmp_path: Path, redirected: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command whose output a shell redirects."""
    words = " ".join([sys.executable, "-m", "jaipur", *arguments, redirected])
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", words], capture_output=True, text=True, env=environment(tmp_path), check=False
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
@pytest.mark.parametrize("command", ["--version", "rules", "duel trader random --rounds 2 --workers 1 --json"])
def test_a_full_disk_is_said(tmp_path: Path, command: str) -> None:
    done = with_output(tmp_path, ">/dev/full", command)
    assert (done.returncode, done.stderr) == (1, "The output cannot be written: No space left on device.\n")


def test_a_closed_output_is_said(tmp_path: Path) -> None:
    done = with_output(tmp_path, ">&-", "--version")
    assert (done.returncode, done.stderr) == (1, "The output cannot be written: it is closed.\n")


@pytest.mark.parametrize("command", ["--version", "rules"])
def test_whoever_stops_reading_hears_nothing(tmp_path: Path, command: str) -> None:
    done = with_output(tmp_path, "| true", command)
    assert done.returncode in {0, 1}  # 0 where all of it was written before the other end closed
    assert done.stderr == ""


def test_ctrl_c_while_a_command_is_loaded_is_one_sentence(tmp_path: Path) -> None:
    command = [sys.executable, "-c", INTERRUPTED, "rules"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(tmp_path), check=False)
    assert (done.returncode, done.stderr) == (130, "Interrupted.\n")
