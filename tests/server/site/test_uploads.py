"""Records uploaded to the server: how large they may be, and that they are read one at a time."""

import asyncio
import threading

import pytest

from jaipur import Record
from jaipur.server.site import uploads
from jaipur.table import Tables, hashed
from tests.support.digest import random_match
from tests.support.program import PATIENCE
from tests.support.server import ME, Answer, Caller, multipart

RECORD = str(Record(random_match(1, 400), ("Ann", "Bob")))


@pytest.mark.parametrize("told", [True, False])
def test_a_file_that_is_too_large_is_refused_unread(http: Caller, tables: Tables, told: bool) -> None:
    sent = multipart("a\n" * 60_000)
    if told:
        sent["headers"]["content-length"] = str(len(sent["body"][0]))
    answer = http.post("/records", **sent)
    assert answer.status == 413
    assert "too large to be a record" in answer.text
    assert not tables.store.games_of(hashed(ME), 10)


def test_a_record_with_long_comments_is_taken_in(http: Caller) -> None:
    assert http.post("/records", **multipart("# said\n" * 9000 + RECORD)).status == 303


def test_records_are_read_one_at_a_time(http: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    reading: list[int] = []
    together: list[int] = []
    parse = Record.parse

    def read(text: str) -> Record:
        reading.append(1)
        together.append(len(reading))
        try:
            return parse(text)
        finally:
            reading.pop()

    monkeypatch.setattr(Record, "parse", read)

    async def crowd() -> list[Answer]:
        return await asyncio.gather(*(http.answer("POST", "/records", **multipart(RECORD)) for _ in range(8)))

    assert [answer.status for answer in http.runner.run(crowd())] == [303] * 8
    assert together == [1] * 8


def test_who_would_wait_for_long_is_told_to_come_again(http: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    """And everybody else is served in the meantime."""
    begun, go_on, parse = threading.Event(), threading.Event(), Record.parse

    def read(text: str) -> Record:
        begun.set()
        assert go_on.wait(PATIENCE)
        return parse(text)

    monkeypatch.setattr(Record, "parse", read)
    monkeypatch.setattr(uploads, "_PATIENCE_SECONDS", 0.05)

    async def second() -> list[Answer]:
        first = asyncio.create_task(http.answer("POST", "/records", **multipart(RECORD)))
        await asyncio.to_thread(begun.wait, PATIENCE)
        refused = await http.answer("POST", "/records", **multipart(RECORD))
        looked = await http.answer("GET", "/rules")
        go_on.set()
        return [await first, refused, looked]

    first, refused, looked = http.runner.run(second())
    assert [first.status, refused.status, looked.status] == [303, 503, 200]
    assert refused.header("retry-after") == "10"
    assert "try again soon" in refused.text
