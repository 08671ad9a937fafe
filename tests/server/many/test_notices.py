"""Notices between processes on one PostgreSQL: what is told is heard, and what is lost is caught up."""

import asyncio
import threading
from unittest.mock import AsyncMock, Mock

import pytest

from jaipur.server.live.messages import Message, Said, Watched, Written, pack
from jaipur.server.many import notices as notices_module
from jaipur.server.many import relay as relay_module
from jaipur.server.many.notices import Notices
from jaipur.store import StoreError
from jaipur.table import Tables, hashed
from tests.support.postgres import Databases
from tests.support.program import PATIENCE
from tests.support.served import until, wait_for
from tests.support.server import (
    BOT,
    BOTS,
    PEOPLE,
    STRANGER,
    everything,
    hosted,
    play,
    play_some,
)
from tests.support.shared_tables import next_event, relayed

pytestmark = pytest.mark.slow


LUCK = Said("game", 1, "luck", "")


class Heard:
    """Collects what a process hears, on an event loop of its own."""

    def __init__(self, tables: Tables) -> None:
        self.messages: list[Message] = []
        self.deaf = False
        self.ears = Notices(tables.store, tables.clock, self._hear)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)

    async def _hear(self, message: Message) -> None:
        if self.deaf:
            self.deaf = False
            raise StoreError("The database cannot be reached.")
        self.messages.append(message)

    def about(self, game: str) -> list[int]:
        return [told.number for told in self.messages if isinstance(told, Written) and told.game == game]

    async def _start(self) -> None:
        self.ears.start()

    def __enter__(self) -> "Heard":
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._start(), self._loop).result(PATIENCE)
        return self

    def __exit__(self, *_error: object) -> None:
        asyncio.run_coroutine_threadsafe(self.ears.stop(), self._loop).result(PATIENCE)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE)
        self._loop.close()


def test_what_is_told_is_heard_by_the_others(two: tuple[Tables, Tables]) -> None:
    first, second = two
    with Heard(first) as here, Heard(second) as there:

        def told() -> bool:  # nothing is heard until the other is listening
            here.ears.tell(LUCK)
            return LUCK in there.messages

        wait_for(told)
    assert LUCK not in here.messages


def test_what_is_told_just_before_the_end_is_sent(two: tuple[Tables, Tables]) -> None:
    first, second = two
    with Heard(second) as there:
        game = first.create(PEOPLE).game.id
        wait_for(lambda: 0 in there.about(game))  # it listens
        with Heard(first) as here:
            here.ears.tell(LUCK)  # it is not connected yet
        wait_for(lambda: LUCK in there.messages)


def test_a_notice_that_was_never_sent_is_made_good_by_the_numbers(two: tuple[Tables, Tables]) -> None:
    """As if the process had been killed between the commit and the notice."""
    first, second = two
    with Heard(second) as there:
        game = first.create(PEOPLE).game.id
        play(first, game, first.open(game).match.round.legal_moves()[0])
        wait_for(lambda: 1 in there.about(game))
        play(first, game, first.open(game).match.round.legal_moves()[0])
        wait_for(lambda: 2 in there.about(game))


def test_what_happened_during_a_long_outage_is_told_when_it_ends(tables: Tables) -> None:
    heard: list[Message] = []
    now = tables.clock()

    class Cut(Exception):
        pass

    async def hear(message: Message) -> None:
        heard.append(message)

    async def scene() -> None:
        nonlocal now
        notices = Notices(tables.store, lambda: now, hear)
        game = tables.create(PEOPLE).game.id
        now += 3600_000
        with pytest.raises(Cut):
            await notices._listen(Mock(execute=AsyncMock(), notifies=Mock(side_effect=Cut)))
        assert heard == [Written(game, 0)]

    asyncio.run(scene())


def test_what_could_not_be_read_when_it_was_heard_is_told_later(two: tuple[Tables, Tables]) -> None:
    """PostgreSQL may be gone at the moment a process wants to know what has happened."""
    first, second = two
    with Heard(second) as there:
        game = first.create(PEOPLE).game.id
        wait_for(lambda: 0 in there.about(game))
        there.deaf = True
        play(first, game, first.open(game).match.round.legal_moves()[0])
        wait_for(lambda: not there.deaf)
        wait_for(lambda: 1 in there.about(game))


@pytest.mark.parametrize(
    "line", ["game", "other Said", "other Sung {}", 'other Said {"game": 1}', "event game 1 word", ""]
)
def test_a_notice_of_another_version_hides_no_other(two: tuple[Tables, Tables], line: str) -> None:
    first, second = two
    with Heard(second) as there:
        game = first.create(PEOPLE).game.id
        wait_for(lambda: 0 in there.about(game))  # it listens
        with first.store.reading() as connection:
            for notice in (line, f"other {pack(LUCK)}"):  # in this order; catching up would not bring back an emote
                connection.exec_driver_sql("SELECT pg_notify('jaipur', %s)", (notice,))
        wait_for(lambda: LUCK in there.messages)


def test_after_a_lost_connection_everything_is_caught_up(postgres: Databases, two: tuple[Tables, Tables]) -> None:
    first, second = two
    with Heard(second) as there:
        game = first.create(PEOPLE).game.id
        wait_for(lambda: 0 in there.about(game))
        postgres.cluster.cut(str(first.store.engine.url.database))
        wait_for(lambda: _plays(first, game))
        wait_for(lambda: 1 in there.about(game))


def test_what_met_a_lost_connection_is_told_over_the_next_one(
    postgres: Databases, two: tuple[Tables, Tables], caplog: pytest.LogCaptureFixture
) -> None:
    """A sender learns that its connection is gone only when it uses it. An emote is not made good by the numbers."""
    first, second = two
    before = Said("game", 1, "hello", "")
    with Heard(second) as there, Heard(first) as here:

        def told() -> bool:
            here.ears.tell(before)
            return before in there.messages

        wait_for(told)
        game = first.create(PEOPLE).game.id
        postgres.cluster.cut(str(first.store.engine.url.database))
        wait_for(lambda: _plays(first, game))
        wait_for(lambda: 1 in there.about(game))  # it listens again
        here.ears.tell(LUCK)
        wait_for(lambda: LUCK in there.messages)
    assert "A connection to the database was lost" in caplog.text
    assert "Traceback" not in caplog.text


def _plays(tables: Tables, game: str) -> bool:
    """Whether a move could be written; right after the connection was cut it may still fail."""
    try:
        play(tables, game, tables.open(game).match.round.legal_moves()[0])
    except StoreError:
        return False
    return True


def test_an_event_comes_with_its_notice_and_moves_the_kept_table_on(
    two: tuple[Tables, Tables], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notices_module, "_LOOK_SECONDS", PATIENCE)  # or a look may come before the notice, and read
    first, second = two
    game, link = hosted(first)

    async def scene() -> None:
        async with asyncio.timeout(PATIENCE), relayed(first, second) as (_here, there):
            second.open(game)
            heard = there.hub.listen(game, 0)
            told = [asyncio.create_task(anext(heard))]
            await until(lambda: there.hub.streams == 1)
            await asyncio.to_thread(first.join, link, "Eve", hashed(STRANGER))
            assert (await told[0]).kind == "join"
            assert second.open(game).number == 1
            with monkeypatch.context() as patched:
                patched.setattr(second.store, "events", lambda *_asked: pytest.fail("It was told already."))
                for number in range(2, 12):
                    await asyncio.to_thread(play_some, first, game, 1)
                    event = await anext(heard)
                    assert event == first.store.events(game, number - 1)[0]
                    kept = second._kept.look(game)
                    assert kept is not None
                    assert everything(kept) == everything(first.open(game))
            await heard.aclose()

    asyncio.run(scene())


def test_only_who_watches_bots_is_told_again_and_again(
    two: tuple[Tables, Tables], monkeypatch: pytest.MonkeyPatch
) -> None:
    """People play whether or not anybody watches."""
    monkeypatch.setattr(relay_module, "_REPEAT_SECONDS", 0.02)
    first = two[0]
    games = [first.create(seating).game.id for seating in (BOTS, PEOPLE, BOT)]
    told: list[Message] = []

    async def scene() -> None:
        async with relayed(first) as (here,):
            monkeypatch.setattr(here, "tell", told.append)
            listening = [asyncio.create_task(next_event(here.hub, game)) for game in games]
            await until(lambda: len(told) >= len(games) + 5)
            for task in listening:
                task.cancel()
            await asyncio.gather(*listening, return_exceptions=True)

    asyncio.run(scene())
    watched = [message.game for message in told if isinstance(message, Watched)]
    assert sorted(watched[:3]) == sorted(games)
    assert set(watched[3:]) == {games[0]}
