"""A player that is somebody else's program, asked over its standard input and output."""

import os
import selectors
import shlex
import shutil
import subprocess

from jaipur.bots.player import Budget
from jaipur.bots.protocol import question, read_answer
from jaipur.bots.stopwatch import Stopwatch
from jaipur.rules.errors import N_, JaipurError
from jaipur.rules.move import Move
from jaipur.rules.rng import Rng
from jaipur.rules.view import View

_GRACE = 1.0
"""Seconds beyond the budget for reading and writing."""
_START = 20.0
"""Seconds for starting up, given with the first question."""
_DEFAULT_SECONDS = 5.0
_LONGEST_ANSWER = 10_000


class Forfeit(JaipurError):
    """A program crashed, was late or answered nonsense: it loses the game."""


class ExternalBot:
    """Starts the program when it is first asked, and again after it failed.

    `seconds` is how long it took to answer last, or to fail, by the clock of the budget.
    """

    def __init__(self, command: str) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.seconds = 0.0
        try:
            self.command = shlex.split(command)
        except ValueError:
            self.command = []
        if not self.command:
            raise JaipurError(N_("exec: needs a command, like exec:./my-bot"))
        if shutil.which(self.command[0]) is None:
            raise JaipurError(N_("There is no program “{command}” to start."), command=self.command[0])

    def choose(self, view: View, budget: Budget, rng: Rng) -> Move:
        """The program's move; whatever it does wrong is a `Forfeit`."""
        seconds = budget.seconds if budget.seconds is not None else _DEFAULT_SECONDS
        seconds += _GRACE + (_START if self.process is None else 0.0)
        self.seconds = 0.0
        try:
            watch = Stopwatch(self._running().pid, budget.clock, seconds)
            line = self._ask(question(view, budget), watch)
            move = read_answer(line)
            reason = view.why_illegal(move)
            if reason is not None:
                raise reason
        except Forfeit:
            self.close()
            raise
        except JaipurError as error:
            self.close()
            raise Forfeit(N_("{command}: {reason}"), command=self.command[0], reason=str(error)) from error
        return move

    def _ask(self, line: str, watch: Stopwatch) -> str:
        process = self._running()
        assert process.stdin is not None
        try:
            process.stdin.write(line.encode() + b"\n")
            process.stdin.flush()
            return self._read_line(process, watch)
        except OSError as error:
            raise Forfeit(N_("{command} has ended."), command=self.command[0]) from error
        finally:
            self.seconds = watch.taken()

    def _read_line(self, process: "subprocess.Popen[bytes]", watch: Stopwatch) -> str:
        assert process.stdout is not None
        data = b""
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while b"\n" not in data:
                while not selector.select(left := watch.left()):
                    if left == 0:
                        raise Forfeit(N_("{command} answered too late."), command=self.command[0])
                chunk = os.read(process.stdout.fileno(), 4096)
                data += chunk
                if not chunk or len(data) > _LONGEST_ANSWER:
                    raise Forfeit(N_("{command} has ended, or its answer is too long."), command=self.command[0])
        return data.partition(b"\n")[0].decode(errors="replace")

    def _running(self) -> "subprocess.Popen[bytes]":
        if self.process is None:
            try:
                self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            except OSError as error:
                reason = error.strerror or str(error)
                raise JaipurError(
                    N_("{command} cannot be started: {reason}."), command=self.command[0], reason=reason
                ) from error
        return self.process

    def close(self) -> None:
        """Ends the program."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            for stream in (self.process.stdin, self.process.stdout):
                if stream is not None:
                    stream.close()
            self.process = None

    def __del__(self) -> None:
        self.close()
