"""Runs the real `jaipur` command, in a process of its own."""

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO

PROMPT = "quit): "


def environment(games: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "JAIPUR"))}
    return kept | {"JAIPUR_GAMES": str(games), "LANG": "C.UTF-8", "COLUMNS": "120", "TERM": "dumb"}


def hear_interrupts() -> None:
    """In the new process: Ctrl-C is heard, even where the tests themselves run in the background and ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def jaipur(*arguments: str, games: Path, text: str = "") -> subprocess.CompletedProcess[str]:
    """The result of one command that reads `text`."""
    return subprocess.run(
        [sys.executable, "-m", "jaipur", *arguments],
        input=text,
        capture_output=True,
        text=True,
        env=environment(games),
        timeout=120,
        check=False,
    )


class Keyboard:
    """A game in a process, answered line by line like a person would."""

    def __init__(self, games: Path, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "jaipur", "play", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=hear_interrupts,  # noqa: PLW1509 - it touches nothing but a signal
            text=True,
            env=environment(games),
        )
        self.output = ""

    @property
    def _stdin(self) -> IO[str]:
        assert self.process.stdin is not None
        return self.process.stdin

    def read(self) -> str:
        """What is shown until it asks something, or ends."""
        assert self.process.stdout is not None
        shown = ""
        while not shown.endswith((PROMPT, "next round.", "the screen.", "[Y/n] ")):
            letter = self.process.stdout.read(1)
            if not letter:
                break
            shown += letter
        self.output += shown
        return shown

    def say(self, line: str) -> str:
        """Types a line and reads the answer."""
        self._stdin.write(line + "\n")
        self._stdin.flush()
        return self.read()

    def legal_moves(self) -> list[str]:
        """The moves that `?` lists."""
        return [line.split()[0] for line in self.say("?").splitlines() if line.startswith(("+", "-"))]

    def close(self) -> int:
        """Ends the input and waits for the exit code."""
        with contextlib.suppress(BrokenPipeError):
            self._stdin.close()
        self.read()
        code = self.process.wait(timeout=60)
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()
        return code
