"""Many rounds at once on several cores: a process for each share of them, and shared memory.

Each process has its own compiled rounds and writes what can be seen of them into its part of the memory. Nothing else
leaves it, so the learner's process holds no more of these rounds than their views.
"""

import contextlib
import multiprocessing
import signal
from itertools import pairwise
from multiprocessing.connection import Connection
from multiprocessing.sharedctypes import RawArray
from typing import Any, NamedTuple
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from jaipur.brain.features import SLOTS
from jaipur.encoding.actions import MOST_LEGAL
from jaipur.encoding.observation import ROW
from jaipur.encoding.vector import MASK_BYTES, Rounds
from jaipur.rules.errors import N_, JaipurError
from jaipur.rules.view import View

_KINDS: dict[str, type[Any]] = {
    "observations": np.uint8,
    "last_observations": np.uint8,
    "rewards": np.float64,
    "ended": np.uint8,
    "seats": np.uint8,
    "masks": np.uint8,
    "first": np.int32,
    "legal": np.int32,
    "features": np.int16,
}


class Wanted(NamedTuple):
    """What the rounds should show: the arguments of `Rounds` after the number."""

    count_rupees: bool
    masks: bool
    features: bool

    def widths(self) -> dict[str, int]:
        """How many numbers each array needs per round, at most."""
        return {
            "observations": ROW,
            "last_observations": ROW,
            "rewards": 1,
            "ended": 1,
            "seats": 1,
            "masks": MASK_BYTES * self.masks,
            "first": 2,
            "legal": MOST_LEGAL,
            "features": MOST_LEGAL * SLOTS * self.features,
        }


class RoundsOnCores:
    """Like `Rounds`, with the same arrays from the same seeds, only faster if cores are free."""

    def __init__(self, number: int, wanted: Wanted, cores: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._parts = list(pairwise(number * core // cores for core in range(cores + 1)))
        shared = {name: RawArray("B", number * width * _bytes(name)) for name, width in wanted.widths().items()}
        self._shared = {name: np.frombuffer(memory, _KINDS[name]) for name, memory in shared.items()}
        self._widths = wanted.widths()
        self._pipes: list[Connection] = []
        for part in self._parts:
            ours, theirs = context.Pipe()
            name = f"jaipur rounds {part[0]} to {part[1] - 1}"
            context.Process(target=_serve, name=name, args=(theirs, part, wanted, shared), daemon=True).start()
            theirs.close()
            self._pipes.append(ours)
        self.close = finalize(self, _close, self._pipes)
        self.observations = self._shared["observations"]
        self.last_observations = self._shared["last_observations"]
        self.rewards = self._shared["rewards"]
        self.ended = self._shared["ended"]
        self.seats = self._shared["seats"]
        self.masks = self._shared["masks"]
        self.first = np.zeros(number + 1, np.int32)
        self.legal = np.zeros(number * MOST_LEGAL, np.int32)
        self.features = np.zeros(len(self._shared["features"]), np.int16)

    def deal(self, seeds: list[int]) -> None:
        """Deals new rounds, each from its own seed."""
        self._ask([("deal", seeds[begin:end]) for begin, end in self._parts])
        self._collect()

    def view(self, number: int) -> View:
        """What the seat to move in a round may know."""
        core = next(core for core, (_begin, end) in enumerate(self._parts) if number < end)
        self._pipes[core].send(("view", number - self._parts[core][0]))
        view: View = self._answer(core)
        return view

    def step(self, actions: bytes) -> None:
        """Plays one action in each round, given as 32-bit numbers. If one is illegal, none is played."""
        self._ask([("check", actions[4 * begin : 4 * end]) for begin, end in self._parts])
        self._ask([("play", None)] * len(self._parts))
        self._collect()

    def _ask(self, questions: list[tuple[str, Any]]) -> None:
        """Asks all processes at once and waits for all of them; raises the first error, in the order of the rounds."""
        try:
            for pipe, question in zip(self._pipes, questions, strict=True):
                pipe.send(question)
        except OSError as error:
            raise _ended() from error
        errors: list[JaipurError] = []
        for core in range(len(self._pipes)):
            try:
                self._answer(core)
            except JaipurError as error:
                errors.append(error)
        if errors:
            raise errors[0]

    def _answer(self, core: int) -> Any:
        try:
            answer = self._pipes[core].recv()
        except (EOFError, OSError) as error:
            raise _ended() from error
        if isinstance(answer, JaipurError):
            if "number" in answer.blanks:
                answer.blanks["number"] += self._parts[core][0]  # type: ignore[operator] # the number of a round
            raise answer
        return answer

    def _collect(self) -> None:
        """Joins the legal moves of all processes, one after the other."""
        at = 0
        for begin, end in self._parts:
            first = self._part("first", begin)[: end - begin + 1]
            moves = int(first[-1])
            self.first[begin : end + 1] = first + at
            self.legal[at : at + moves] = self._part("legal", begin)[:moves]
            if len(self.features):
                self.features[at * SLOTS : (at + moves) * SLOTS] = self._part("features", begin)[: moves * SLOTS]
            at += moves

    def _part(self, name: str, begin: int) -> NDArray[Any]:
        return self._shared[name][begin * self._widths[name] :]


def _ended() -> JaipurError:
    return JaipurError(N_("A process that plays rounds has ended: make the environment again."))


def _bytes(name: str) -> int:
    return int(np.dtype(_KINDS[name]).itemsize)


def _close(pipes: list[Connection]) -> None:
    """Ends the processes: each ends when its pipe is closed."""
    for pipe in pipes:
        pipe.close()


def _serve(pipe: Connection, part: tuple[int, int], wanted: Wanted, shared: dict[str, Any]) -> None:
    """What a process does: obeys, until its pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    begin, end = part
    rounds = Rounds(end - begin, *wanted)
    windows = {
        name: (np.frombuffer(memory, _KINDS[name])[begin * width :], np.frombuffer(getattr(rounds, name), _KINDS[name]))
        for (name, memory), width in zip(shared.items(), wanted.widths().values(), strict=True)
    }
    with contextlib.suppress(EOFError, OSError):
        actions = b""
        while True:
            what, given = pipe.recv()
            try:
                answer = None
                if what == "check":
                    actions = given
                    rounds.check(actions)
                elif what == "view":
                    answer = rounds.view(given)
                elif what == "deal":
                    rounds.deal(given)
                    _show(windows)
                else:
                    rounds.play(actions)
                    _show(windows)
                pipe.send(answer)
            except JaipurError as error:
                pipe.send(error)


def _show(windows: dict[str, tuple[NDArray[Any], NDArray[Any]]]) -> None:
    moves = int(windows["first"][1][-1])
    used = {"legal": moves, "features": moves * SLOTS}
    for name, (shared, own) in windows.items():
        length = min(used.get(name, len(own)), len(own))
        shared[:length] = own[:length]
