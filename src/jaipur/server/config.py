"""What a server is told when it starts."""

from dataclasses import dataclass

LOCAL_HOSTS = ("127.0.0.1", "localhost", "::1")
DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8000


@dataclass(frozen=True)
class Config:
    """`public` says that others than this machine may come in. A rate of 0 means no limit."""

    database: str
    public: bool = False
    requests_per_second: float = 50.0
    games_per_minute: float = 60.0
    thinkers: int = 1
    pause: float = 0.9
    """Seconds that a bot waits at least, so that people can follow."""
