"""What a server is told when it starts."""

from dataclasses import dataclass
from enum import StrEnum

LOCAL_HOSTS = ("127.0.0.1", "localhost", "::1")
DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8000


class Log(StrEnum):
    """What is logged: only what goes wrong, or also a line per request, as text or as JSON."""

    FAULTS = "faults"
    TEXT = "text"
    JSON = "json"


@dataclass(frozen=True)
class Config:
    """An empty database means the usual place. `public` says that other machines may connect.

    A rate of 0 requests per second means no limits per address at all.
    """

    database: str
    public: bool = False
    requests_per_second: float = 50.0
    games_per_minute: float = 60.0
    bot_workers: int = 1
    pause: float = 0.9
    """The least number of seconds before a bot moves, so that people can follow."""
    keep_finished: float = 730.0
    keep_abandoned: float = 180.0
    keep_guests: float = 730.0
    """Days after which finished games, abandoned games and people who no longer play are forgotten."""
    proxies: tuple[str, ...] = ()
    """Addresses and networks of proxies whose X-Forwarded-For and -Proto are believed."""
    operator_token: str = ""
    """Opens /health and /metrics to other machines; without it, they are open only to this one."""
    log: Log = Log.FAULTS
    streams_per_address: int = 100
    streams: int = 3000
    """Event streams in all; a third more connections are accepted, so that listeners can also send requests."""
    push_keys: str = ""
    push_contact: str = ""
    """The file with the keys for push messages, and where push services can reach the operator; no file, no push."""
