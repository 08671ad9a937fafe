"""`jaipur serve`: the web app, for this machine or for others. `jaipur think` and `jaipur push-keys` help it."""

import contextlib
import errno
import os
import signal
import socket
import sys
import webbrowser
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Annotated

from rich.console import Console
from typer import Argument, Option

from jaipur.cli.kit.options import DatabaseOption
from jaipur.cli.kit.output import console
from jaipur.extras import load
from jaipur.files import reason_of
from jaipur.language import _
from jaipur.rules.errors import N_, JaipurError
from jaipur.server.config import DEFAULT_HOST, DEFAULT_PORT, LOCAL_HOSTS, Config, Log

_TRIED_PORTS = 20
_BACKLOG = 2048
_LOGS = ", ".join(Log)
_USUAL_WORKERS = max((os.cpu_count() or 2) - 1, 1)

Pause = Annotated[
    float,
    Option(min=0, max=60, help=_("The least time in seconds that a bot takes over a move, so that people can follow.")),
]


def serve(
    host: Annotated[str, Option(help=_("The address to listen on; 0.0.0.0 lets other machines in."))] = DEFAULT_HOST,
    port: Annotated[
        int | None,
        Option(min=0, max=65535, help=_("The port; by default the first free one from 8000 up.")),
    ] = None,
    database: DatabaseOption = "",
    browser: Annotated[bool, Option("--open", help=_("Open the browser, if there is one."))] = False,
    bot_workers: Annotated[
        int,
        Option(
            "--bot-workers",
            "--thinkers",
            min=0,
            max=64,
            help=_("Processes in which bots think; 0 leaves that to jaipur think."),
        ),
    ] = _USUAL_WORKERS,
    processes: Annotated[
        int, Option(min=1, max=64, help=_("Processes that serve, on PostgreSQL; SQLite is for one."))
    ] = 1,
    pause: Pause = Config.pause,
    rate: Annotated[
        float,
        Option(min=0, help=_("Requests per second that one address may send; 0 for no limits per address.")),
    ] = Config.requests_per_second,
    streams: Annotated[
        int, Option(min=1, max=100_000, help=_("Pages and programs that one process lets listen at once."))
    ] = Config.streams,
    keep_finished: Annotated[
        float, Option(min=0, help=_("Days after which a game that ended is deleted; 0 for never."))
    ] = Config.keep_finished,
    keep_abandoned: Annotated[
        float,
        Option(min=0, help=_("Days without an event after which an unfinished game is deleted; 0 for never.")),
    ] = Config.keep_abandoned,
    keep_guests: Annotated[
        float, Option(min=0, help=_("Days after which a guest who does not play is forgotten; 0 for never."))
    ] = Config.keep_guests,
    proxy: Annotated[
        list[str] | None,
        Option(
            metavar=_("ADDRESS"),
            help=_("The proxy in front, an address or a network: its X-Forwarded-For and -Proto are believed."),
        ),
    ] = None,
    push_keys: Annotated[
        str,
        Option(
            metavar=_("FILE"), help=_("Call people whose page is closed, with the keys that jaipur push-keys has made.")
        ),
    ] = Config.push_keys,
    push_contact: Annotated[
        str,
        Option(metavar="mailto:…", help=_("Where push services can reach you: a mail or an https address.")),
    ] = Config.push_contact,
    log: Annotated[
        str, Option(help=_("What to log: {kinds}. The last two write a line per request.").format(kinds=_LOGS))
    ] = Config.log.value,
) -> None:
    """Serves until Ctrl-C."""
    listening = _listen(host, port)
    public = host not in LOCAL_HOSTS
    web = load("jaipur.server.run.web_server", "web")  # takes a second, and other commands do not need it
    config = Config(
        database,
        public=public or bool(proxy),  # behind a proxy, people reach it under the proxy's name
        requests_per_second=rate,
        streams=streams,
        games_per_minute=Config.games_per_minute if rate else 0.0,
        bot_workers=bot_workers,
        pause=pause,
        keep_finished=keep_finished,
        keep_abandoned=keep_abandoned,
        keep_guests=keep_guests,
        proxies=tuple(proxy or ()),
        operator_token=os.environ.get("JAIPUR_OPERATOR_TOKEN", ""),
        log=_read_log(log),
        push_keys=push_keys,
        push_contact=push_contact,
    )
    run, where = _prepare(web, config, listening, processes)
    url = f"http://{host if public else 'localhost'}:{listening.getsockname()[1]}/"
    _announce(url, where, public)
    if browser and _has_screen():
        webbrowser.open(url)
    _allow_many_connections()
    # The server shuts down first and then passes the signal on; the default handler would skip our own cleanup.
    signal.signal(signal.SIGTERM, lambda *_signal: sys.exit(0))
    with contextlib.suppress(KeyboardInterrupt):
        run()


def _prepare(
    web: ModuleType, config: Config, listening: socket.socket, processes: int
) -> tuple[Callable[[], object], str]:
    """The function that serves, and where the games are stored."""
    if processes > 1 and load("jaipur.server.app", "web").is_shared(config):
        fleet = load("jaipur.server.run.fleet", "web")
        return lambda: fleet.run_fleet(config, listening, processes), fleet.checked(config)
    if processes > 1:
        words = _("SQLite is for one process: --processes needs PostgreSQL.")
        Console(stderr=True, highlight=False).print(words, soft_wrap=True)
    server = web.server_of(config)
    return lambda: server.run(sockets=[listening]), server.services.tables.store.where


def _read_log(name: str) -> Log:
    if name not in set(Log):
        raise JaipurError(N_("There is no log “{name}”: choose {names}."), name=name[:40], names=_LOGS)
    return Log(name)


def _announce(url: str, where: str, public: bool) -> None:
    console.print(_("Jaipur is ready: {url}").format(url=url), soft_wrap=True)
    console.print(_("Games are kept in {where}.").format(where=where), soft_wrap=True)
    who = _("Other machines can reach it.") if public else _("Only this machine can reach it (--host changes that).")
    console.print(who, _("Press Ctrl-C to stop it."), soft_wrap=True)


def _allow_many_connections() -> None:
    """Every listener is an open file, and the usual limit is about a thousand."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - not on Windows

        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _listen(host: str, port: int | None) -> socket.socket:
    """A listening socket; if no port is asked for, the first free one is taken."""
    numbers = range(DEFAULT_PORT, DEFAULT_PORT + _TRIED_PORTS) if port is None else [port]
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in numbers:
        listening = socket.socket(family)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((host, number))
            listening.listen(_BACKLOG)
        except OSError as error:
            listening.close()
            if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
                sentence = N_("This machine has no address {host}: choose another one with --host.")
                raise JaipurError(sentence, host=host) from error
            reason = reason_of(error)
        else:
            return listening
    sentence = N_("Port {port} on {host} cannot be used: {reason}. Choose another one with --port.")
    raise JaipurError(sentence, port=numbers[-1], host=host, reason=reason)


def _has_screen() -> bool:
    return sys.platform in {"darwin", "win32"} or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def think(
    database: Annotated[str, Option(help=_("The database of the servers, like postgresql://USER@HOST/NAME."))] = "",
    bot_workers: Annotated[
        int, Option("--bot-workers", min=1, max=64, help=_("Processes in which bots think."))
    ] = _USUAL_WORKERS,
    pause: Pause = Config.pause,
) -> None:
    """Thinks until Ctrl-C."""
    thinking = load("jaipur.server.run.bot_process", "web")
    store = thinking.open_shared(database)
    console.print(_("Bots think for {where}. Press Ctrl-C to stop.").format(where=store.where), soft_wrap=True)
    thinking.run_thinking(Config(database, bot_workers=bot_workers, pause=pause), store)


def push_keys(
    file: Annotated[Path, Argument(readable=False, help=_("Where the keys go: a file that is not there yet."))],
) -> None:
    """Makes the keys; once per server is enough."""
    load("jaipur.server.people.push.keys", "push").make_keys(file)
    words = _("The keys are in {path}. Keep them to yourself, and start the server with:")
    console.print(words.format(path=file), soft_wrap=True)
    console.print(f"jaipur serve --push-keys {file} --push-contact mailto:you@example.org", soft_wrap=True)
