"""Servers to hammer and to kill: forked from a process that has everything loaded, so they start at once."""

import contextlib
import multiprocessing
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from jaipur.bench.own_postgres import free_port
from jaipur.processes import follow_parent
from jaipur.programs import ends_with_us
from jaipur.rules.errors import JaipurError
from jaipur.server.config import Config
from jaipur.server.run.web_server import server_of

_STARTING_SECONDS = 60.0
_SITE = """daemon off; pid {folder}/pid; error_log {folder}/error.log; events {{ worker_connections 8192; }}
http {{
    access_log off; client_body_buffer_size 1m;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    upstream jaipur {{ random; {servers} }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://jaipur; proxy_set_header Host localhost; proxy_buffering off; proxy_read_timeout 1h;
        }}
    }}
}}
"""


def serve(database: str, told: Connection, port: int, listening: socket.socket | None, options: dict[str, Any]) -> None:
    """What a server's process does."""
    follow_parent()
    server = server_of(Config(database, requests_per_second=0, games_per_minute=0, pause=0, **options))
    listening = listening or socket.create_server(("127.0.0.1", port))
    told.send(listening.getsockname()[1])
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[listening])


@dataclass
class OwnServer:
    """A server on a database, without rate limits or pauses, on a port of this machine."""

    database: str
    port: int = 0
    bot_workers: int = 1
    same_port: bool = False
    """Whether a restarted server listens on the same port as before."""
    streams: int = 3000
    listening: socket.socket | None = None
    """The socket that several servers share, if they do."""
    serve: Callable[..., None] = serve
    """What its process does; a test may put something in front."""
    process: ForkServerProcess | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def start(self) -> None:
        """Starts it and waits until it listens."""
        # A killed server leaves semaphores of its pool behind; they are cleaned up when the measurement ends.
        os.environ["PYTHONWARNINGS"] = "ignore:resource_tracker"
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["jaipur.server.run.web_server"])
        ours, theirs = context.Pipe()
        options = {"bot_workers": self.bot_workers, "streams": self.streams}
        port = self.port if self.same_port else 0
        self.process = context.Process(target=self.serve, args=(self.database, theirs, port, self.listening, options))
        self.process.start()
        theirs.close()
        if not ours.poll(_STARTING_SECONDS):
            raise JaipurError("The server did not start.")
        self.port = ours.recv()

    @property
    def pid(self) -> int:
        """The process of a running server."""
        assert self.process is not None
        assert self.process.pid is not None
        return self.process.pid

    def kill(self) -> None:
        """Kills it, like `kill -9`."""
        if self.process is not None:
            self.process.kill()
            self.process.join()

    def end(self) -> None:
        """Ends it as an operator would."""
        if self.process is not None and self.process.is_alive():
            self.process.terminate()
            self.process.join(_STARTING_SECONDS)
            self.kill()


def memory_mb(pid: int) -> float:
    """The memory of a process in MB, as Linux reports it."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


@contextmanager
def several(database: str, number: int, serve: Callable[..., None] = serve) -> Iterator[int]:
    """This many servers on one database, without bots; yields the port of a proxy in front of them."""
    servers = [OwnServer(database, bot_workers=0, serve=serve) for _ in range(number)]
    with ExitStack() as stack:
        for server in servers:
            stack.enter_context(server)
        yield stack.enter_context(nginx([server.port for server in servers]))


def nginx_program() -> str:
    """The path of nginx, or an empty text."""
    return shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin") or ""


@contextmanager
def nginx(ports: list[int]) -> Iterator[int]:
    """The port of a proxy in front of the servers, which passes each request to a random one."""
    if not (program := nginx_program()):
        raise JaipurError("No nginx was found: install one.")
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        servers = " ".join(f"server 127.0.0.1:{server} max_fails=0;" for server in ports)
        site = Path(folder) / "nginx.conf"
        site.write_text(_SITE.format(folder=folder, servers=servers, port=port), encoding="utf-8")
        command = [program, "-p", folder, "-e", f"{folder}/error.log", "-c", str(site)]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL, **ends_with_us()) as running:
            try:
                _wait_for(port)
                yield port
            finally:
                running.terminate()


def _wait_for(port: int) -> None:
    end = time.monotonic() + _STARTING_SECONDS
    while time.monotonic() < end:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.01)
    raise JaipurError("The server did not start.")
