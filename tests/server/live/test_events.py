"""The stream of events: everything that happens is told once and in order, even to those who were away."""

import asyncio
import json

import pytest

from jaipur.server.live import hub
from jaipur.server.live.hub import Hub
from jaipur.server.live.stream import line_of
from jaipur.store import Event
from jaipur.store.writing.write_queue import Away
from jaipur.table import Tables
from tests.support.program import PATIENCE
from tests.support.server import FRIEND, ME, PEOPLE, STRANGER, Caller, play_some

pytestmark = pytest.mark.each_database


def told(text: str) -> list[dict[str, object]]:
    lines = [line for line in text.splitlines() if line.startswith("data:")]
    return [json.loads(line.removeprefix("data:")) for line in lines]


@pytest.mark.parametrize("path", ["/api/games/{}/events", "/game/{}/events"])
def test_who_was_away_is_told_what_happened(http: Caller, tables: Tables, path: str) -> None:
    game = tables.create(PEOPLE).game.id
    play_some(tables, game, 12)
    events = tables.store.events(game)
    expected = [{"number": e.number, "kind": e.kind, "seat": e.seat, "text": e.text} for e in events]
    address = path.format(game)
    assert told(http.get(address, until=12).text) == expected
    assert told(http.get(f"{address}?after=9", until=3).text) == expected[9:]
    answer = http.get(address, headers={"last-event-id": "10"}, until=2)
    assert told(answer.text) == expected[10:]
    assert answer.header("content-type").startswith("text/event-stream")
    assert [line for line in answer.text.splitlines() if line.startswith("id:")] == ["id: 11", "id: 12"]


def test_what_happens_now_is_told_now(http: Caller, tables: Tables) -> None:
    game = tables.create(PEOPLE).game.id
    answer = http.listen(f"/api/games/{game}/events", lambda: play_some(tables, game, 1))
    assert [event["number"] for event in told(answer.text)] == [1]
    answer = http.listen(f"/api/games/{game}/events?after=1", lambda: tables.resign(tables.open(game), 1), token=FRIEND)
    assert [event["kind"] for event in told(answer.text)] == ["resign"]


def test_a_stream_that_cannot_be_read_just_ends(http: Caller, tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """It used to leave a traceback in the log for everybody who listened. Whoever asks again misses nothing."""
    game = tables.create(PEOPLE).game.id
    play_some(tables, game, 2)

    def away(*_what: object) -> list[Event]:
        raise Away

    with monkeypatch.context() as outage:
        outage.setattr(tables.store, "events", away)
        answer = http.get(f"/api/games/{game}/events", until=2)
    assert (answer.status, answer.body, http.raised) == (200, b"", None)
    assert [event["number"] for event in told(http.get(f"/api/games/{game}/events", until=2).text)] == [1, 2]


def test_a_stranger_hears_nothing_of_a_private_table(http: Caller, tables: Tables) -> None:
    game = tables.create(PEOPLE).game.id
    play_some(tables, game, 1)
    for path in (f"/api/games/{game}/events", f"/game/{game}/events"):
        assert http.get(path, token=STRANGER, until=1).status == 403
        assert http.get(path, token="", until=1).status == 403


@pytest.mark.parametrize("number", ["-1", "x", "99999999999999999999"])
@pytest.mark.parametrize("path", ["/api/games/{}/events", "/game/{}/events"])
def test_a_number_that_cannot_be_is_refused(http: Caller, tables: Tables, path: str, number: str) -> None:
    game = tables.create(PEOPLE).game.id
    play_some(tables, game, 1)
    assert http.get(f"{path.format(game)}?after={number}", until=1).status == 422
    assert http.get(path.format(game), headers={"last-event-id": number}, until=1).status == 422


async def hear(listening: Hub, game: str, events: int, busy: asyncio.Event | None = None) -> list[int]:
    """The numbers of the next events; a busy listener hears the rest later."""
    numbers: list[int] = []
    async with asyncio.timeout(PATIENCE):
        async for event in listening.listen(game, 0):
            numbers.append(event.number)
            if len(numbers) == events:
                break
            if busy is not None:
                await busy.wait()
    return numbers


@pytest.mark.parametrize("queue", [64, 2, 1])
def test_a_slow_listener_misses_nothing(tables: Tables, monkeypatch: pytest.MonkeyPatch, queue: int) -> None:
    """However few events can be queued for it."""
    monkeypatch.setattr(hub, "_WAITING_EVENTS", queue)

    async def run() -> list[int]:
        listening = Hub(tables)
        listening.loop = asyncio.get_running_loop()
        game = tables.create(PEOPLE).game.id
        await asyncio.to_thread(play_some, tables, game, 1)
        busy = asyncio.Event()
        ears = asyncio.create_task(hear(listening, game, 8, busy))
        while not listening._queues:
            await asyncio.sleep(0)
        await asyncio.to_thread(play_some, tables, game, 7)
        busy.set()
        return await ears

    assert asyncio.run(run()) == list(range(1, 9))


@pytest.mark.parametrize("queue", [2, 1])
def test_what_is_never_written_hides_nothing_from_a_slow_listener(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, queue: int
) -> None:
    """Unwritten events have no number: if one pushed a numbered event out of the queue, nobody would see the gap."""
    monkeypatch.setattr(hub, "_WAITING_EVENTS", queue)

    async def run() -> None:
        listening = Hub(tables)
        listening.loop = asyncio.get_running_loop()
        game = tables.create(PEOPLE).game.id
        await asyncio.to_thread(play_some, tables, game, 1)
        ears = listening.listen(game, 0)
        assert (await anext(ears)).number == 1
        await asyncio.to_thread(play_some, tables, game, 1)
        await asyncio.sleep(0)
        for progress in ("1/3", "2/3", "3/3"):
            listening.pass_on(Event(game, 0, 0, "review", progress, None, 0))
        async with asyncio.timeout(PATIENCE):
            while (await anext(ears)).number != 2:
                pass

    asyncio.run(run())


def test_events_that_are_told_out_of_order_are_heard_in_order(tables: Tables) -> None:
    """Two threads that have written may report in any order."""

    async def run() -> list[int]:
        listening = Hub(tables)
        listening.loop = asyncio.get_running_loop()
        game = tables.create(PEOPLE).game.id
        held: list[Event] = []
        tables.listeners[:] = [lambda _table, event: held.append(event) if event else None]
        ears = asyncio.create_task(hear(listening, game, 4))
        while not listening._queues:
            await asyncio.sleep(0)
        await asyncio.to_thread(play_some, tables, game, 4)
        for event in reversed(held):
            listening.on_event(tables.open(game), event)
        return await ears

    assert asyncio.run(run()) == [1, 2, 3, 4]


@pytest.mark.one_process
def test_who_leaves_is_forgotten(http: Caller, tables: Tables) -> None:
    game = tables.create(PEOPLE).game.id
    http.listen(f"/api/games/{game}/events", lambda: play_some(tables, game, 1), token=ME)
    assert not http.services.hub._queues


def test_a_stream_on_which_nothing_happens_is_kept_open(
    http: Caller, tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "_PING_SECONDS", 0.01)
    game = tables.create(PEOPLE).game.id
    http.runner.run(http.services.hub.start())
    assert http.get(f"/api/games/{game}/events", until=1).text.startswith(": ping\n\n")
    http.runner.run(http.services.hub.stop())


@pytest.mark.one_process
def test_an_event_is_written_once_for_all_who_hear_it(http: Caller, tables: Tables) -> None:
    game = tables.create(PEOPLE).game.id
    play_some(tables, game, 3)
    line_of.cache_clear()
    for token in (ME, FRIEND, ME):
        assert len(told(http.get(f"/game/{game}/events", token=token, until=3).text)) == 3
    assert line_of.cache_info().misses == 3


def test_the_document_tells_of_events_and_of_json_where_there_are_none(http: Caller) -> None:
    answers = http.get("/api/openapi.json").json["paths"]["/api/games/{game}/events"]["get"]["responses"]
    assert answers["200"]["content"]["text/event-stream"]["itemSchema"]["properties"].keys() == {"data", "event", "id"}
    assert answers["404"]["content"].keys() == {"application/json"}


def test_only_the_latest_looks_are_remembered(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "_LOOKS_KEPT", 3)
    watched = Hub(tables)
    for game in "abcde":
        watched.watched_elsewhere(game, "somebody")
    assert list(watched._looks) == ["c", "d", "e"]
