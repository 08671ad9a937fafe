"""Duels and training on a Dask cluster: the same tasks on other machines, hence the same results."""

import hashlib
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar
from uuid import uuid4

from distributed import Client, KilledWorker, Worker, WorkerPlugin, get_worker

from jaipur.arena.duel import forget_players
from jaipur.bots.weights import received
from jaipur.processes import Elsewhere
from jaipur.rules.errors import N_, JaipurError

Answer = TypeVar("Answer")

_CONNECT = 10.0
"""Seconds to wait for the scheduler, and then for its first worker."""
_GOODBYE = 60.0
"""Seconds that closing may take: a client left open is closed by the garbage collector, at any moment."""
_TRIES = 8
"""How often a task is handed out. Dask gives up on a task once too many of its workers have died (more than three by
default), but where machines may be taken away at any time, that is not the task's fault."""
_FAILED = "error"
_CUT_OFF = (CancelledError, OSError)
"""What Dask raises once the scheduler is gone."""


class _SchedulerLost(Exception):
    """The scheduler is gone. Errors of a task or of this machine are reported as themselves."""


class _Futures(dict[str, Any]):
    """Dask's thread goes through its tasks when the scheduler is lost, while ours may be handing out another one."""

    def values(self) -> list[Any]:  # type: ignore[override]
        """A copy, made in one step."""
        return list(super().values())


class _ClosingClient(Client):  # type: ignore[misc]
    """A client that closes itself when it finds no scheduler.

    The garbage collector would close it at any moment, even while another client is starting and holds the lock that
    closing waits for.
    """

    def __init__(self, address: str) -> None:
        try:
            super().__init__(address, timeout=_CONNECT, set_as_default=False)
        except BaseException:
            self.close(_GOODBYE)
            raise
        self.futures = _Futures()


class Cluster(Elsewhere):
    """The workers of a Dask scheduler as an executor.

    A task whose worker dies is done again by another one, up to a few dozen times. Before each task a worker checks
    that it runs the same code as this machine, so a wrong one is refused whenever it joins.
    """

    def __init__(self, address: str) -> None:
        for logger in ("distributed", "distributed.client"):  # Dask sets the level of each
            logging.getLogger(logger).setLevel(logging.CRITICAL)
        self.address = address
        try:
            self._client = _ClosingClient(address)
        except (OSError, ValueError) as error:
            raise JaipurError(
                N_("No Dask scheduler answers at {address}: start one, or check the address."), address=address
            ) from error
        self._files: dict[bytes, str] = {}
        try:
            self._client.wait_for_workers(1, timeout=_CONNECT)
        except OSError as error:
            self._client.close(_GOODBYE)
            raise JaipurError(
                N_("The Dask scheduler at {address} has no workers: start some, each with one thread."), address=address
            ) from error

    def submit(self, task: Callable[..., Answer], /, *arguments: Any, **named: Any) -> Future[Answer]:
        """Hands out a task."""
        answer: Future[Answer] = Future()
        self._hand_out(answer, partial(_do, code_digest(), task, *arguments, **named), _TRIES)
        return answer

    def _hand_out(self, answer: Future[Answer], work: Callable[[], Answer], tries: int) -> None:
        with _scheduler_needed():
            remote = self._client.submit(work, pure=False)
        answer.add_done_callback(lambda _answer: remote.release())
        remote.add_done_callback(partial(self._pass_on, answer, work, tries - 1))

    def _pass_on(self, answer: Future[Answer], work: Callable[[], Answer], tries: int, remote: Any) -> None:
        """Passes an answer on. Dask's own executor says nothing if the scheduler is lost before an answer arrives."""
        if answer.cancelled():
            return
        try:
            if tries and remote.status == _FAILED and isinstance(remote.exception(), KilledWorker):
                self._hand_out(answer, work, tries)
                return
            result = _result_of(remote)
        except BaseException as error:
            settle = partial(answer.set_exception, error)
        else:
            settle = partial(answer.set_result, result)
        if answer.set_running_or_notify_cancel():
            settle()

    def send(self, data: bytes) -> str:
        """Sends a file to all workers, including those that join later; returns its name there."""
        if data not in self._files:
            name = f"sent-{uuid4().hex}"
            with _scheduler_needed():
                self._client.register_plugin(_SentFile(name, data))
            self._files[data] = name
        return self._files[data]

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leaves the workers as they were. What goes wrong with the cluster is one sentence."""
        lost = isinstance(error, _SchedulerLost)
        if not lost:
            self._take_back()
        self._client.close(_GOODBYE)
        if lost:
            raise JaipurError(N_("The Dask scheduler at {address} was lost."), address=self.address) from error
        if isinstance(error, KilledWorker):
            raise JaipurError(
                N_("One task killed worker after worker of the cluster at {address}, so it was given up."),
                address=self.address,
            ) from error
        if isinstance(error, ImportError):
            raise JaipurError(_OTHER_CODE, worker=self.address) from error

    def _take_back(self) -> None:
        try:
            self._client.run(forget_players)
            for name in self._files.values():
                self._client.unregister_worker_plugin(name)
        except (*_CUT_OFF, ImportError):
            return


@contextmanager
def _scheduler_needed() -> Iterator[None]:
    try:
        yield
    except _CUT_OFF as error:
        raise _SchedulerLost from error


def _result_of(remote: Any) -> Any:
    """What a task returned, or its own error of any kind; without the scheduler, neither is known."""
    try:
        return remote.result()
    except _CUT_OFF as error:
        if remote.status == _FAILED:
            raise
        raise _SchedulerLost from error


_OTHER_CODE = N_("The worker at {worker} has a different jaipur from this machine: install the same one everywhere.")


class _SentFile(WorkerPlugin):  # type: ignore[misc] # dask has no types
    """A file of weights in a worker's memory, for as long as the plugin is registered."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self.data = data

    def setup(self, worker: Worker) -> None:
        received[self.name] = self.data

    def teardown(self, worker: Worker) -> None:
        received.pop(self.name, None)


def _do(digest: str, task: Callable[..., Answer], *arguments: Any, **named: Any) -> Answer:
    """On a worker: does the task, unless its result might differ here."""
    worker = get_worker()
    if digest != code_digest():
        raise JaipurError(_OTHER_CODE, worker=worker.address)
    if worker.state.nthreads != 1:
        raise JaipurError(
            N_("The worker at {worker} has several threads: start it with --nthreads 1, and more workers instead."),
            worker=worker.address,
        )
    return task(*arguments, **named)


@cache
def code_digest() -> str:
    """A digest of this installation: two with the same digest play the same moves."""
    digest = hashlib.sha256()
    root = Path(__file__).parent
    sources = (path for path in root.rglob("*") if path.suffix in (".py", ".weights"))
    for name in sorted(path.relative_to(root).as_posix() for path in sources):
        data = (root / name).read_bytes()
        digest.update(f"{name} {len(data)}\n".encode() + data)
    return digest.hexdigest()
