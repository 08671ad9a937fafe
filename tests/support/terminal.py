"""Runs the real `jaipur` command, answers it as a person would, and reads what it shows."""

import codecs
import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import tempfile
import termios
import time
from pathlib import Path

from jaipur.programs import ends_with_us
from tests.support.program import PATIENCE, Program
from tests.support.screen import Screen

PROMPT = "quit): "
QUESTIONS = (PROMPT, "next round.", "the screen.", "[Y/n] ", "[y/N] ")


def environment(games: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "JAIPUR"))}
    return kept | {"JAIPUR_GAMES": str(games), "LANG": "C.UTF-8", "COLUMNS": "120", "TERM": "dumb"}


_ends_with_us = ends_with_us(signal.SIGKILL).get("preexec_fn", lambda: None)


def hear_interrupts() -> None:
    """Lets the new process hear Ctrl-C, even if the tests themselves ignore it, and end when they do."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _ends_with_us()


def jaipur(*arguments: str, games: Path, text: str = "") -> subprocess.CompletedProcess[str]:
    """The result of one command that reads `text`."""
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        stdin.write(text.encode())
        stdin.seek(0)
        program = Program(
            *arguments, env=environment(games), stdin=stdin.fileno(), stdout=stdout.fileno(), stderr=stderr.fileno()
        )
        code = program.wait()
        for file in (stdout, stderr):
            file.seek(0)
        return subprocess.CompletedProcess(arguments, code, stdout.read().decode(), stderr.read().decode())


class Keyboard:
    """A game in a process, answered line by line, as a person would."""

    def __init__(self, games: Path, *arguments: str) -> None:
        its_input, its_output = os.pipe(), os.pipe()
        with open(its_input[0], "rb") as stdin, open(its_output[1], "wb") as stdout:
            self.process = Program(
                "play", *arguments, env=environment(games), stdin=stdin.fileno(), stdout=stdout.fileno(), stderr=2
            )
        self._stdin = os.fdopen(its_input[1], "w", encoding="utf-8")
        self._stdout = os.fdopen(its_output[0], encoding="utf-8")
        self.output = ""

    def read(self) -> str:
        """Reads what is shown until it asks something or ends."""
        shown = ""
        while not shown.endswith(QUESTIONS):
            letter = self._stdout.read(1)
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
        self._stdout.close()
        return self.process.wait()


class Terminal:
    """A game in a process that has a real terminal."""

    def __init__(self, games: Path, *arguments: str, screen: Screen | None = None) -> None:
        self.screen = screen or Screen(70, 24)
        self._end, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", self.screen.rows, self.screen.columns, 0, 0))
        words = environment(games) | {"TERM": "xterm-256color"}
        known = {name: value for name, value in words.items() if name not in {"COLUMNS", "LINES", "NO_COLOR"}}
        self.process = Program("play", *arguments, env=known, stdin=other, stdout=other, stderr=other, terminal=True)
        os.close(other)
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def read(self) -> None:
        """Reads until it asks something or ends."""
        with contextlib.suppress(OSError):  # what a terminal reports when its program has ended
            while select.select([self._end], [], [], PATIENCE)[0] and (data := os.read(self._end, 10000)):
                self.screen.write(self._decoder.decode(data))
                if self._asks():
                    return

    def say(self, line: str) -> None:
        """Types a line and reads the answer."""
        self.press(line + "\n")

    def _asks(self) -> bool:
        """Whether a question, in a line or two, is waiting for an answer."""
        last = " ".join(" ".join(self.screen.lines[-2:]).split())
        return bool(self.screen.lines[-1]) and last.endswith(tuple(question.rstrip() for question in QUESTIONS))

    def press(self, keys: str) -> None:
        self._wait_until_it_listens()
        os.write(self._end, keys.encode())
        self.read()

    def _wait_until_it_listens(self) -> None:
        """Python would hold back a Ctrl-C between the prompt and the call that reads a key until the next key."""
        asleep = Path("/proc") / str(self.process.pid) / "wchan"
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None and asleep.read_text() not in {"wait_woken", "n_tty_read", "0"}:
            assert time.monotonic() < end, "the game does not wait for a key"
            time.sleep(0.005)

    def close(self) -> int:
        self.process.kill() if self.process.poll() is None else None
        os.close(self._end)
        return self.process.wait()
