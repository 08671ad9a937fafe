"""Many rounds at once on several cores: a process for each share of them, and shared memory.

Each process has its own compiled rounds and writes what can be seen of them into its part of the memory. Nothing else
leaves it, so the learner's process holds no more of these rounds than their views.
"""

import contextlib
import multiprocessing
import signal
from collections.abc import Callable
from itertools import pairwise
from multiprocessing.connection import Connection
from multiprocessing.sharedctypes import RawArray
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jaipur.brain.features import SLOTS
from jaipur.encoding.vector import Rounds
from jaipur.rules.errors import N_, JaipurError
from jaipur.rules.view import View

Arrays = dict[str, NDArray[Any]]
_NAMES = ("observations", "last_observations", "rewards", "ended", "seats", "masks", "first", "legal", "features")
_JOINED = ("first", "legal", "features")
"""Arrays in which the numbers of one process follow those of another without a gap."""


class Content(NamedTuple):
    """What rounds show: the arguments of `Rounds` after the number."""

    count_rupees: bool
    masks: bool
    features: bool


def arrays_of(rounds: Rounds) -> Arrays:
    """The arrays of compiled rounds, which never move in memory."""
    return {name: np.asarray(memoryview(getattr(rounds, name))) for name in _NAMES}


class RoundsOnCores:
    """Like `Rounds`, with the same arrays from the same seeds, only faster if cores are free."""

    def __init__(self, number: int, content: Content, cores: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._parts = list(pairwise(number * core // cores for core in range(cores + 1)))
        self._pipes: list[Connection] = []
        one = arrays_of(Rounds(1, *content))
        shared = {name: RawArray("B", number * array.nbytes) for name, array in one.items()}
        for begin, end in self._parts:
            ours, theirs = context.Pipe()
            name = f"jaipur rounds {begin} to {end - 1}"
            context.Process(
                target=_serve, name=name, args=(theirs, (begin, end, number), content, shared), daemon=True
            ).start()
            theirs.close()
            self._pipes.append(ours)
        whole = {name: np.frombuffer(memory, one[name].dtype) for name, memory in shared.items()}
        self._shared = [_share(whole, (begin, end, number)) for begin, end in self._parts]
        self.arrays = whole | {name: np.zeros_like(whole[name]) for name in _JOINED}
        self.arrays["first"] = np.zeros(number + 1, np.int32)

    def close(self) -> None:
        """Ends the processes: each ends when its pipe is closed."""
        for pipe in self._pipes:
            pipe.close()

    def deal(self, seeds: list[int]) -> None:
        """Deals new rounds, each from its own seed."""
        self._ask("deal", [seeds[begin:end] for begin, end in self._parts])
        self._collect()

    def view(self, number: int) -> View:
        """What the seat to move in a round may know."""
        views = self._ask("view", [number - begin if begin <= number < end else None for begin, end in self._parts])
        view: View = next(view for view in views if view is not None)
        return view

    def step(self, actions: bytes) -> None:
        """Plays one action in each round, given as 32-bit numbers. If one is illegal, none is played."""
        parts = [actions[4 * begin : 4 * end] for begin, end in self._parts]
        self._ask("check", parts)
        self._ask("play", parts)
        self._collect()

    def _ask(self, method: str, arguments: list[Any]) -> list[Any]:
        """Asks all processes at once and waits for all of them; raises the first error, in the order of the rounds."""
        try:
            for pipe, argument in zip(self._pipes, arguments, strict=True):
                pipe.send((method, argument))
            answers = [pipe.recv() for pipe in self._pipes]
        except (EOFError, OSError) as error:
            raise JaipurError(N_("A process that plays rounds has ended: make the environment again.")) from error
        for (begin, _end), answer in zip(self._parts, answers, strict=True):
            if isinstance(answer, JaipurError):
                if "number" in answer.blanks:
                    answer.blanks["number"] += begin  # type: ignore[operator] # the number of a round
                raise answer
        return answers

    def _collect(self) -> None:
        """Joins the legal moves of all processes, one after the other."""
        at = 0
        for (begin, end), part in zip(self._parts, self._shared, strict=True):
            first = part["first"][: end - begin + 1]
            moves = int(first[-1])
            self.arrays["first"][begin : end + 1] = first + at
            self.arrays["legal"][at : at + moves] = part["legal"][:moves]
            if len(part["features"]):
                self.arrays["features"][at * SLOTS : (at + moves) * SLOTS] = part["features"][: moves * SLOTS]
            at += moves


def _share(whole: Arrays, part: tuple[int, int, int]) -> Arrays:
    """The part of the shared memory that belongs to the rounds from one number to another, of so many."""
    begin, end, number = part
    return {name: array.reshape(number, -1)[begin:end].reshape(-1) for name, array in whole.items()}


def _serve(pipe: Connection, part: tuple[int, int, int], content: Content, shared: dict[str, Any]) -> None:
    """What a process does: obeys, until its pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    rounds = Rounds(part[1] - part[0], *content)
    own = arrays_of(rounds)
    share = _share({name: np.frombuffer(shared[name], array.dtype) for name, array in own.items()}, part)
    methods: dict[str, Callable[[Any], Any]] = {
        "check": rounds.check,
        "deal": rounds.deal,
        "play": rounds.play,
        "view": rounds.view,
    }
    with contextlib.suppress(EOFError, OSError):
        while True:
            method, argument = pipe.recv()
            try:
                answer = None if argument is None else methods[method](argument)
            except JaipurError as error:
                answer = error
            if method in ("deal", "play"):
                _show(own, share)
            pipe.send(answer)


def _show(own: Arrays, share: Arrays) -> None:
    """Copies what can be seen into the shared memory."""
    moves = int(own["first"][-1])
    used = {"legal": moves, "features": moves * SLOTS}
    for name, array in own.items():
        length = min(used.get(name, len(array)), len(array))
        share[name][:length] = array[:length]
