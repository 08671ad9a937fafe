"""Other people's programs, which end when the process that started them does."""

import atexit
import contextlib
import ctypes
import os
import signal
import subprocess
import sys
from typing import Any

_PR_SET_PDEATHSIG = 1
_programs: "set[subprocess.Popen[bytes]]" = set()


def start_program(command: list[str]) -> "subprocess.Popen[bytes]":
    """Starts an external program, to be asked through its standard input and output.

    It gets its own process group, so that Ctrl-C does not reach it and its children end with it.
    """
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, process_group=0)
    _programs.add(process)
    return process


def ends_with_us(how: signal.Signals = signal.SIGTERM) -> dict[str, Any]:
    """Options of `Popen` with which Linux ends the program when the thread that starts it ends, even by `kill -9`."""
    if sys.platform != "linux":
        return {}
    prctl = ctypes.CDLL(None).prctl  # looked up here: after a fork, as little as possible may happen
    return {"preexec_fn": lambda: prctl(_PR_SET_PDEATHSIG, how)}


def end_program(process: "subprocess.Popen[bytes]") -> None:
    """Ends a program and its children at once."""
    _programs.discard(process)
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with contextlib.suppress(OSError):  # there may be a question that it never read
                stream.close()


@atexit.register
def end_programs() -> None:
    """Ends all programs that this process started."""
    for process in list(_programs):
        end_program(process)
