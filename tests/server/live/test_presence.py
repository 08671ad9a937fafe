"""Who is present at a table with a friend, and their emotes: sent to listeners, stored nowhere."""

import asyncio
import json

import pytest

from jaipur.server.live.hub import Hub
from jaipur.server.live.presence import EMOTES, Presence
from jaipur.store import Event
from jaipur.table import Tables
from tests.support.served import wait_for
from tests.support.server import BOT, FRIEND, ME, PEOPLE, STRANGER, Answer, Caller, hosted, play_some

pytestmark = pytest.mark.each_database


@pytest.fixture(name="presence")
def _presence(tables: Tables) -> Presence:
    return Presence(Hub(tables), away_seconds=0.05)


async def heard(presence: Presence, game: str, count: int) -> list[tuple[int, str, str]]:
    found: list[tuple[int, str, str]] = []
    async for event in presence.hub.listen(game, 10_000):
        found.append((event.seat, event.kind, event.text))
        if len(found) == count:
            break
    return found


def test_a_seat_is_here_while_it_listens_and_away_some_time_after(presence: Presence, tables: Tables) -> None:
    table = tables.create(PEOPLE)

    async def scene() -> None:
        presence.hub.loop = asyncio.get_running_loop()
        listening = asyncio.create_task(heard(presence, table.game.id, 2))
        await asyncio.sleep(0.01)
        with presence.present(table, 1), presence.present(table, 1):
            assert [someone.here for someone in presence.of(table) or []] == [False, True]
        with presence.present(table, 1):
            await asyncio.sleep(0.1)  # a short break does not count as away
        assert await listening == [(1, "presence", "here"), (1, "presence", "away")]
        gone = (presence.of(table) or [])[1]
        assert (gone.here, gone.last_seen is not None) == (False, True)

    asyncio.run(scene())
    assert tables.store.events(table.game.id) == []


def test_last_seen_falls_back_to_the_last_act(presence: Presence, tables: Tables) -> None:
    """After a restart nobody's presence is remembered, but the log knows when somebody last did something."""
    table = tables.create(PEOPLE)
    seat = table.turn or 0
    after = tables.move(table, seat, table.ply, table.match.round.legal_moves()[0])
    told = presence.of(after) or []
    assert (told[seat].last_seen, told[1 - seat].last_seen) == (after.changed, None)


def test_the_page_says_when_a_friend_was_last_seen(http: Caller, tables: Tables) -> None:
    table = tables.create(PEOPLE)
    seat = table.turn or 0
    tables.move(table, seat, table.ply, table.match.round.legal_moves()[0])
    page = http.get(f"/game/{table.game.id}", token=(FRIEND, ME)[seat], cookie=True).text
    assert '>last seen <time datetime="' in page


def test_presence_is_for_tables_with_a_friend(presence: Presence, tables: Tables) -> None:
    assert presence.of(tables.create(BOT)) is None
    assert presence.of(tables.open(hosted(tables)[0])) is None


def say(http: Caller, game: str, emote: str, key: str = "", **options: object) -> Answer:
    return http.post(f"/game/{game}/emote", {"emote": emote, "key": key}, cookie=True, **options)


def test_an_emote_is_heard_and_not_written(http: Caller, tables: Tables) -> None:
    game = tables.create(PEOPLE).game.id
    stream = http.listen(f"/api/games/{game}/events", lambda: say_from_outside(http, game), token=FRIEND)
    assert "event: emote" in stream.text
    assert json.loads(stream.text.partition("data: ")[2].partition("\n")[0]) == {"seat": 0, "text": "luck"}
    assert "id:" not in stream.text
    assert tables.store.events(game) == []
    # the processes need not hear of it at the same moment
    wait_for(lambda: http.get(f"/api/games/{game}/presence", token=FRIEND).json[0]["emote"] == "luck")
    wait_for(lambda: "Good luck!" in http.get(f"/game/{game}", token=FRIEND, cookie=True).text)


def say_from_outside(http: Caller, game: str) -> None:
    """With a client of its own, since the caller's loop is busy with the stream."""
    with http.another(ME) as other:
        assert say(other, game, "luck", "k").status == 303


@pytest.mark.one_process  # emotes are counted where they arrive
def test_an_emote_counts_once_and_not_too_often(http: Caller, tables: Tables) -> None:
    game = tables.create(PEOPLE).game.id
    assert [say(http, game, "hello", "same").status for _ in range(6)] == [303] * 6
    assert say(http, game, "thanks", "same").status == 422
    answers = [say(http, game, "hello", f"k{n}").status for n in range(6)]
    assert (answers[0], answers[-1]) == (303, 409)
    assert say(http, game, "hello", "k", token=FRIEND).status == 303


def test_only_what_is_polite_from_those_who_sit_here(http: Caller, tables: Tables) -> None:
    game = tables.create(PEOPLE).game.id
    assert say(http, game, "you fool").status == 400
    assert say(http, game, "hello", token=STRANGER).status == 403
    assert say(http, hosted(tables)[0], "hello").status == 409
    assert say(http, tables.create(BOT).game.id, "hello").status == 409
    assert http.post(f"/api/games/{game}/emote", {"emote": "thanks"}).status == 200


def test_whoever_wants_no_greetings_sees_none(http: Caller, tables: Tables) -> None:
    game = tables.create(PEOPLE).game.id
    say(http, game, "hello")
    quiet = {"cookie": f"jaipur_seat={FRIEND}; jaipur_settings=emotes="}
    page = http.get(f"/game/{game}", token="", headers=quiet).text
    assert "data-says" not in page
    assert f"/game/{game}/emote" not in page
    assert "Hello!" in http.get(f"/game/{game}", token=FRIEND, cookie=True).text


def test_unwritten_events_do_not_move_the_numbers(presence: Presence, tables: Tables) -> None:
    """A listener that hears an emote still gets the next event, once."""
    table = tables.create(PEOPLE)

    async def scene() -> list[int]:
        presence.hub.loop = asyncio.get_running_loop()
        numbers: list[int] = []
        stream = presence.hub.listen(table.game.id, 0)
        said = Event(table.game.id, 0, 0, "emote", next(iter(EMOTES)), None, 0)
        presence.hub.loop.call_later(0.02, presence.hub.pass_on, said)
        numbers.append((await anext(stream)).number)
        await asyncio.to_thread(tables.move, table, table.turn or 0, 0, table.match.round.legal_moves()[0])
        numbers.append((await anext(stream)).number)
        return numbers

    assert asyncio.run(scene()) == [0, 1]


def test_the_answer_to_an_emote_is_seen_from_the_own_seat(http: Caller, tables: Tables) -> None:
    """Even if the other seat was the last to act: its hand stays hidden."""
    game = tables.create(PEOPLE).game.id
    table = play_some(tables, game, 1)
    view = http.post(f"/api/games/{game}/emote", {"emote": "hello"}, token=(ME, FRIEND)[1 - table.actor]).json["view"]
    assert view["seat"] == 1 - table.actor
    assert view["sides"][table.actor]["hand"] is None
