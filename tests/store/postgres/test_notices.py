"""Outgoing notices: limited while nobody can be told, and all sent when a process ends."""

import threading
from types import SimpleNamespace
from typing import Any

import pytest

from jaipur.store.postgres import notices
from jaipur.store.postgres.notices import Notice, NoticeKind, Notices
from tests.support.program import PATIENCE


class Database:
    """Accepts what is sent, and makes the first sender wait until told to go on."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.sending, self.go_on = threading.Event(), threading.Event()
        self.reader = self
        self.connection = SimpleNamespace(dbapi_connection=self)

    def connect(self) -> "Database":
        return self

    def __enter__(self) -> "Database":
        return self

    def __exit__(self, *_error: object) -> None:
        pass

    def detach(self) -> None:
        pass

    def execute(self, _statement: str, given: tuple[list[str]]) -> None:
        self.sending.set()
        assert self.go_on.wait(PATIENCE)
        self.sent += given[0]


def telling(database: Any) -> Notices:
    return Notices(database, lambda: 0, lambda _notice: None)


def emote(number: int) -> Notice:
    return Notice(NoticeKind.EMOTE, "game", number, "luck")


def test_whoever_ends_while_something_waits_to_be_sent_ends() -> None:
    """The end marker is queued behind other notices, and is taken out together with them."""
    database = Database()
    told = telling(database)
    sender = threading.Thread(target=told._keep_on, args=(told._send,), daemon=True)
    sender.start()
    told.tell(emote(0))
    assert database.sending.wait(PATIENCE)
    told.tell(emote(1))
    told.stop()
    database.go_on.set()
    sender.join(10)
    assert not sender.is_alive()
    assert database.sent == [str(emote(0)), str(emote(1))]


def test_while_nobody_can_be_told_only_so_much_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Presence is repeated every few seconds, even while the database is away."""
    monkeypatch.setattr(notices, "_MOST_WAITING", 3, raising=False)
    told = telling(Database())
    for number in range(5):
        told.tell(emote(number))
    assert told._outbox.qsize() == 3
