"""What a server did to its database files and what it told its clients, in order, as strace saw it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto

from jaipur.rules.errors import JaipurError

_SENDING = ("write", "writev", "sendto", "sendmsg")
_UNKNOWN = ("pwritev", "pwritev2", "truncate", "fallocate", "rename", "renameat", "renameat2", "link", "linkat")
"""Calls that could change a file, too, but that the server does not make."""
_CALLS = (*_SENDING, "openat", "pwrite64", "ftruncate", "fsync", "fdatasync", "unlink", "unlinkat", *_UNKNOWN)
OPTIONS = (
    "-f", "-qq", "--seccomp-bpf", "-y", "-xx", "-s", "10000000", "-e", "signal=none",
    "-e", "trace=" + ",".join(f"?{call}" for call in _CALLS),
)  # fmt: skip
"""The options of strace: every process and thread, files by their paths, all data, in hexadecimal."""
_VOLATILE = ("-shm", ".lock")
"""Files that do not matter after a restart."""

_LINE = re.compile(r"(\d+) +(.*)")
_UNFINISHED = " <unfinished ...>"
_RESUMED = re.compile(r"<\.\.\. \w+ resumed>")
_CALL = re.compile(r"(\w+)\((.*)\) += (\d+)")
_HANDLE = re.compile(r"\d+<((?:\\x[0-9a-f]{2})*)>(\(deleted\))?")
_TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
_GAME = re.compile(rb'"game":"([^"]+)"')
_NUMBER = re.compile(rb'"number":(\d+)')


class Kind(Enum):
    """What can happen to a file."""

    CREATE = auto()
    REMOVE = auto()
    WRITE = auto()
    TRUNCATE = auto()
    SYNC = auto()


@dataclass(frozen=True)
class Step:
    """One thing that happened to a file of the folder, or to the folder itself, which has no name.

    `began` and `ended` are places in the trace: a sync counts once it has ended, for whatever had ended when it began.
    """

    kind: Kind
    file: str
    began: int
    ended: int
    offset: int = 0
    data: bytes = b""


@dataclass(frozen=True)
class Told:
    """A client was told of a game and its events up to a number; `at` is the place in the trace."""

    at: int
    game: str
    number: int


def read_trace(lines: Iterable[str], folder: str) -> tuple[list[Step], list[Told]]:
    """The steps in the order they ended, and what clients were told in the order it was sent."""
    steps, told = list[Step](), list[Told]()
    for began, ended, call, arguments in _calls(lines):
        if call in _SENDING and "\\x2f" not in arguments.partition(",")[0]:  # a socket has no path
            told += _told(began, _data(arguments))
        elif (step := _step(folder, call, arguments, began, ended)) is not None:
            steps.append(step)
    return steps, sorted(told, key=lambda one: one.at)


def _calls(lines: Iterable[str]) -> Iterator[tuple[int, int, str, str]]:
    """The calls that succeeded, with the places where they began and ended; threads interrupt each other."""
    begun: dict[str, tuple[int, str]] = {}
    for place, line in enumerate(lines):
        found = _LINE.match(line)
        if found is None:
            continue
        thread, text, began = found[1], found[2], place
        if text.endswith(_UNFINISHED):
            begun[thread] = place, text.removesuffix(_UNFINISHED)
            continue
        if resumed := _RESUMED.match(text):
            began, start = begun.pop(thread)
            text = start + text[resumed.end() :]
        if call := _CALL.match(text):
            yield began, place, call[1], call[2]


def _step(folder: str, call: str, arguments: str, began: int, ended: int) -> Step | None:
    name = _name(folder, call, arguments)
    if name is None or name.endswith(_VOLATILE):
        return None
    numbers = [int(number) for number in re.findall(r", (\d+)(?=,|$)", arguments)]
    match call:
        case "openat" if "O_TRUNC" not in arguments:
            return Step(Kind.CREATE, name, began, ended) if "O_CREAT" in arguments else None
        case "unlink" | "unlinkat":
            return Step(Kind.REMOVE, name, began, ended)
        case "pwrite64":
            return Step(Kind.WRITE, name, began, ended, numbers[-1], _data(arguments))
        case "ftruncate":
            return Step(Kind.TRUNCATE, name, began, ended, numbers[-1])
        case "fsync" | "fdatasync":
            return Step(Kind.SYNC, name, began, ended)
        case _:
            raise JaipurError("Nobody has said what {call} does to {file}.", call=call, file=name)


def _name(folder: str, call: str, arguments: str) -> str | None:
    """The file in the folder that a call is about; empty for the folder itself, None for any other file."""
    if call in {"openat", "unlink", "unlinkat", *_UNKNOWN} and (path := _TEXT.search(arguments)):
        where = _bytes(path[1]).decode()
    elif (handle := _HANDLE.match(arguments)) and not handle[2]:
        where = _bytes(handle[1]).decode()
    else:
        return None
    if where == folder:
        return ""
    return where.removeprefix(f"{folder}/") if where.startswith(f"{folder}/") else None


def _told(at: int, data: bytes) -> list[Told]:
    """What an answer tells: a view has the number of the last event, a seat only the game."""
    game, number = _GAME.search(data), _NUMBER.search(data)
    return [] if game is None else [Told(at, game[1].decode(), int(number[1]) if number else 0)]


def _data(arguments: str) -> bytes:
    return b"".join(_bytes(text) for text in _TEXT.findall(arguments))


def _bytes(text: str) -> bytes:
    return bytes.fromhex(text.replace("\\x", ""))
