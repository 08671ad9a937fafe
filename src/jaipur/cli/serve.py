"""`jaipur serve`: the web app on this machine, or for others."""

import contextlib
import os
import signal
import socket
import sys
import webbrowser
from typing import Annotated

import typer
from rich.console import Console

from jaipur.core.errors import N_, JaipurError
from jaipur.i18n import _
from jaipur.server.config import DEFAULT_HOST, DEFAULT_PORT, LOCAL_HOSTS, Config
from jaipur.store import default_database

console = Console(highlight=False)
_TRIED_PORTS = 20
_BACKLOG = 2048


def serve(
    host: Annotated[
        str, typer.Option(help=_("The address to listen at; 0.0.0.0 lets other machines in."))
    ] = DEFAULT_HOST,
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help=_("The port; without one, the first free port from 8000 on.")),
    ] = None,
    database: Annotated[str, typer.Option(help=_("The database: a file, or an address like sqlite:///FILE."))] = "",
    browser: Annotated[bool, typer.Option("--open", help=_("Open the browser, where there is one."))] = False,
    thinkers: Annotated[int, typer.Option(min=1, max=64, help=_("Processes in which bots think."))] = max(
        (os.cpu_count() or 2) - 1, 1
    ),
    pause: Annotated[
        float, typer.Option(min=0, max=60, help=_("Seconds that a bot takes at least, so that people can follow."))
    ] = Config.pause,
    rate: Annotated[
        float, typer.Option(min=0, help=_("Requests a second that one address may send; 0 for no limit."))
    ] = Config.requests_per_second,
) -> None:
    """Serves until Ctrl-C."""
    listening = _listen(host, port)
    public = host not in LOCAL_HOSTS
    from jaipur.server.app import make_house, make_server  # noqa: PLC0415 - a second that other commands need not wait

    games = Config.games_per_minute if rate else 0.0
    house = make_house(Config(database or default_database(), public, rate, games, thinkers, pause))
    url = f"http://{host if public else 'localhost'}:{listening.getsockname()[1]}/"
    _announce(url, house.tables.store.where, public)
    if browser and _has_screen():
        webbrowser.open(url)
    _allow_many_connections()
    # The server closes its doors first, and then hands the signal on; the default would leave things behind.
    signal.signal(signal.SIGTERM, lambda *_signal: sys.exit(0))
    with contextlib.suppress(KeyboardInterrupt):
        make_server(house).run(sockets=[listening])


def _announce(url: str, where: str, public: bool) -> None:
    console.print(_("Jaipur is ready: {url}").format(url=url), soft_wrap=True)
    console.print(_("The games are kept in {where}.").format(where=where), soft_wrap=True)
    who = _("Other machines can reach it.") if public else _("Only this machine can reach it (--host changes that).")
    console.print(who, _("Ctrl-C ends it."), soft_wrap=True)


def _allow_many_connections() -> None:
    """Every listener is an open file; the usual limit would be reached at a thousand."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - not on Windows

        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _listen(host: str, port: int | None) -> socket.socket:
    """A socket that listens; without a wish the first free port is taken."""
    wanted = [port] if port is not None else list(range(DEFAULT_PORT, DEFAULT_PORT + _TRIED_PORTS))
    for number in wanted:
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            listening = socket.socket(family)
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((host, number))
            listening.listen(_BACKLOG)
        except OSError as error:
            listening.close()
            reason = error.strerror or str(error)
        else:
            return listening
    raise JaipurError(
        N_("Port {port} at {host} cannot be used: {reason}. Choose another one with --port."),
        port=wanted[-1],
        host=host,
        reason=reason,
    )


def _has_screen() -> bool:
    return sys.platform in {"darwin", "win32"} or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
