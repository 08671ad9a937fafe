"""A player that is an external program, asked through its standard input and output."""

import os
import selectors
import shlex
import shutil
import subprocess

from jaipur.bots.player import Budget
from jaipur.bots.protocol import question, read_answer
from jaipur.bots.stopwatch import Stopwatch
from jaipur.files import reason_of
from jaipur.programs import end_program, start_program
from jaipur.rules.errors import N_, JaipurError
from jaipur.rules.move import Move
from jaipur.rules.rng import Rng
from jaipur.rules.view import View

_GRACE = 1.0
"""Seconds allowed beyond the budget, for reading and writing."""
_START = 20.0
"""Seconds allowed for starting up, with the first question; a program that needs more is not started again."""
_DEFAULT_SECONDS = 5.0
_LONGEST_ANSWER = 10_000
_LAST_WORDS = 1.0
"""Seconds that a program has to exit after closing its output."""
_SILENT = N_("{command} did not answer its first question in time: does it flush its output?")


class Forfeit(JaipurError):
    """A program crashed, was late or answered nonsense: it loses the game."""


class ExternalBot:
    """Starts the program at the first question, and again after a failure, unless it was too slow to start.

    `seconds` is how long its last answer (or failure) took, by the clock of the budget; None if it was not asked.
    """

    def __init__(self, command: str) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.seconds: float | None = None
        self.given_up = False
        try:
            self.command = shlex.split(command)
        except ValueError:
            self.command = []
        if not self.command:
            raise JaipurError(N_("exec: needs a command, like exec:./my-bot"))
        if shutil.which(self.command[0]) is None:
            raise JaipurError(N_("There is no program “{command}” to start."), command=self.command[0])

    def choose(self, view: View, budget: Budget, rng: Rng) -> Move:
        """The program's move; anything it does wrong raises `Forfeit`."""
        self.seconds = None
        if self.given_up:
            raise self._forfeit(_SILENT)
        try:
            move = read_answer(self._ask(question(view, budget), budget))
            reason = view.why_illegal(move)
            if reason is not None:
                raise reason
        except Forfeit:
            self.close()
            raise
        except JaipurError as error:
            self.close()
            raise self._forfeit(N_("{command}: {reason}"), reason=str(error)) from error
        return move

    def _ask(self, line: str, budget: Budget) -> str:
        starting = self.process is None
        if self.process is None:
            try:
                self.process = start_program(self.command)
            except OSError as error:
                raise self._forfeit(N_("{command} cannot be started: {reason}."), reason=reason_of(error)) from error
        process = self.process
        seconds = _GRACE + (_DEFAULT_SECONDS if budget.seconds is None else budget.seconds)
        watch = Stopwatch(process.pid, budget.clock, seconds, _START if starting else 0.0)
        assert process.stdin is not None
        try:
            process.stdin.write(line.encode() + b"\n")
            process.stdin.flush()
            return self._read_line(process, watch)
        except TimeoutError as error:
            self.given_up = starting
            raise self._forfeit(_SILENT if starting else N_("{command} answered too late.")) from error
        except (EOFError, OSError) as error:
            raise self._ended(process) from error
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
                        raise TimeoutError
                chunk = os.read(process.stdout.fileno(), 4096)
                data += chunk
                if not chunk:
                    raise EOFError
                if len(data) > _LONGEST_ANSWER:
                    raise self._forfeit(N_("{command}: the answer is longer than {most} bytes."), most=_LONGEST_ANSWER)
        return data.partition(b"\n")[0].decode(errors="replace")

    def _ended(self, process: "subprocess.Popen[bytes]") -> Forfeit:
        """The error for a program that closed its output or stopped reading, with its exit code if it has one."""
        try:
            return self._forfeit(N_("{command} ended with exit code {code}."), code=process.wait(_LAST_WORDS))
        except subprocess.TimeoutExpired:
            return self._forfeit(N_("{command} has closed its output."))

    def _forfeit(self, sentence: str, **blanks: object) -> Forfeit:
        return Forfeit(sentence, command=shlex.join(self.command), **blanks)

    def close(self) -> None:
        """Ends the program."""
        if self.process is not None:
            end_program(self.process)
            self.process = None

    def __del__(self) -> None:
        self.close()
