"""Several processes on one PostgreSQL: what one writes, all the others know, and of two that race, one wins."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from unittest.mock import AsyncMock, Mock

import pytest
from sqlalchemy import event as engine_event

from jaipur.rules.errors import IllegalMove
from jaipur.server.config import Config
from jaipur.server.live.messages import Message, Said, Watched, Written, pack
from jaipur.server.many import notices as notices_module
from jaipur.server.many import relay as relay_module
from jaipur.server.many.notices import Notices
from jaipur.server.operate.housekeeping import Housekeeping
from jaipur.server.play.timekeeper import Timekeeper
from jaipur.store import Event, Store, StoreError, open_database
from jaipur.store.administration import Administration, OperationKind
from jaipur.store.postgres.game_locks import GameLocks
from jaipur.table import Damaged, NoSuchGame, Stale, Tables, hashed
from tests.support.postgres import Databases
from tests.support.program import PATIENCE
from tests.support.served import until, wait_for
from tests.support.server import (
    BOT,
    BOTS,
    ME,
    ONE_SCREEN,
    PEOPLE,
    STRANGER,
    everything,
    folded,
    hosted,
    play,
    play_some,
    server,
)
from tests.support.shared_tables import next_event, relayed

pytestmark = pytest.mark.slow


def test_what_one_writes_the_other_shows(two: tuple[Tables, Tables]) -> None:
    first = two[0]
    game = first.create(PEOPLE).game.id
    for turn in range(30):
        tables, other = two if turn % 2 else two[::-1]
        if tables.open(game).turn is None:
            break
        play(tables, game, tables.open(game).match.round.legal_moves()[0])
        assert everything(other.open(game)) == everything(tables.open(game)) == everything(folded(first, game))


def test_who_sat_down_elsewhere_sits_here(two: tuple[Tables, Tables]) -> None:
    first, second = two
    game, link = hosted(first)
    assert not second.open(game).full
    first.join(link, "Eve", hashed(STRANGER))
    assert second.open(game).held_by(hashed(STRANGER)) == [1]


def test_what_was_deleted_elsewhere_is_gone_here(two: tuple[Tables, Tables]) -> None:
    first, second = two
    table = second.create(PEOPLE)
    Administration(first.store).delete([table.game.id])
    with pytest.raises(NoSuchGame):
        second.open(table.game.id)


@pytest.mark.parametrize(("kind", "text"), [("move", "nonsense"), ("move", "-DDDDDD"), ("dance", ""), ("undo", "x")])
def test_a_damaged_event_of_another_process_is_our_fault(
    two: tuple[Tables, Tables], kind: str, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A process that kept the table reads only what is new, and nobody is told that their own move was illegal."""
    first, second = two
    table = second.create(PEOPLE)
    first.store.append(Event(table.game.id, 1, 0, kind, text, None, 0))
    with pytest.raises(Damaged):
        second.open(table.game.id)
    with pytest.raises(Damaged):
        second.resign(table, 0)
    assert f"Game {table.game.id} is damaged" in caplog.text


def test_a_question_of_the_other_player_does_not_refuse_a_move(two: tuple[Tables, Tables]) -> None:
    """The offer, made in another process, takes the number the move would have had; the ply is still the same."""
    first, second = two
    game = first.create(PEOPLE).game.id
    table = play_some(first, game, 2)
    while table.undo_to is None or table.turn is None:
        table = play_some(first, game, 1)
    known = second.open(game)
    first.undo(first.open(game), 1 - table.turn)
    after = second.move(known, table.turn, table.ply, table.match.round.legal_moves()[0])
    assert after.number == table.number + 2
    assert everything(first.open(game)) == everything(after)


def test_a_move_is_refused_on_the_newest_table_only(two: tuple[Tables, Tables]) -> None:
    """Whoever saw the last move at one process can answer it at another that has not heard of it yet."""
    first, second = two
    known = second.open(first.create(PEOPLE).game.id)
    table = play_some(first, known.game.id, 1)
    assert table.turn is not None
    after = second.move(known, table.turn, table.ply, table.match.round.legal_moves()[0])
    assert after.number == table.number + 1
    with pytest.raises(Stale):
        second.move(known, table.turn, table.ply, table.match.round.legal_moves()[0])
    with pytest.raises(IllegalMove):
        second.move(known, table.turn, after.ply, after.match.round.legal_moves()[0])
    assert everything(first.open(known.game.id)) == everything(after)


def test_whoever_sat_down_elsewhere_can_move_here(two: tuple[Tables, Tables]) -> None:
    first, second = two
    game, link = hosted(first)
    assert not second.open(game).full
    table = first.join(link, "Eve", hashed(STRANGER))
    if table.turn == 0:
        table = first.move(table, 0, table.ply, table.match.round.legal_moves()[0])
    with server(second) as http:
        move = {"move": str(table.match.round.legal_moves()[0]), "ply": table.ply}
        with http.another(STRANGER) as her:
            answer = her.post(f"/api/games/{game}/moves", move)
    assert (answer.status, first.open(game).number) == (200, table.number + 1)


def test_two_at_one_screen_move_by_turns_wherever_they_ask(two: tuple[Tables, Tables]) -> None:
    """Neither says which seat they act for: it is the one to move, at the newest table."""
    first, second = two
    table = first.create(ONE_SCREEN)
    with server(second) as http:
        for _turn in range(4):
            assert second.open(table.game.id).number == table.number
            table = play_some(first, table.game.id, 1)
            move = {"move": str(table.match.round.legal_moves()[0]), "ply": table.ply}
            assert http.post(f"/api/games/{table.game.id}/moves", move).status == 200
            table = first.open(table.game.id)


def test_the_same_request_at_two_processes_counts_once(two: tuple[Tables, Tables]) -> None:
    first, second = two
    table = first.create(PEOPLE)
    known, move = second.open(table.game.id), table.match.round.legal_moves()[0]
    with ThreadPoolExecutor(2) as pool:
        line = threading.Barrier(2)

        def submit(tables: Tables) -> int:
            line.wait(60)
            return tables.move(known, table.turn or 0, 0, move, "key").number

        assert list(pool.map(submit, two)) == [1, 1]
    assert len(first.store.events(table.game.id)) == 1
    with pytest.raises(Stale):
        second.move(known, table.turn or 0, 0, move, "another key")


def test_what_two_operators_do_at_once_is_all_seen(two: tuple[Tables, Tables]) -> None:
    """The first gets its number but is slow to commit; servers must not see the second before it."""
    slow, quick = (Administration(tables.store) for tables in two)
    housekeeping = Housekeeping(two[1], Config(""))
    noted, go_on = threading.Event(), threading.Event()

    def hesitate(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        if statement.startswith("INSERT"):
            noted.set()
            go_on.wait(60)

    engine_event.listen(two[0].store.engine, "after_cursor_execute", hesitate)
    with ThreadPoolExecutor(2) as pool:
        done = [pool.submit(slow.note, OperationKind.BLOCK, "192.0.2.1", 1)]
        assert noted.wait(60)
        done.append(pool.submit(quick.note, OperationKind.BLOCK, "192.0.2.2", 2))
        wait(done[1:], 0.2)
        housekeeping.look()
        go_on.set()
        for note in done:
            note.result(60)
    housekeeping.look()
    assert {str(network.network_address) for network in housekeeping.blocked} == {"192.0.2.1", "192.0.2.2"}


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


def test_a_game_is_thought_about_once_and_taken_over_when_its_process_dies(
    postgres: Databases, two: tuple[Tables, Tables]
) -> None:
    first, second = (GameLocks(tables.store) for tables in two)

    async def scene() -> None:
        async with asyncio.timeout(PATIENCE):
            assert await first.take("game")
            assert not await second.take("game")
            assert await second.take("other game")
            await first.release("game")
            assert await second.take("game")
            postgres.cluster.cut(str(second.store.engine.url.database))
            with pytest.raises(StoreError, match="is not answering at the moment"):
                await first.take("game")
            assert await first.take("game")
            await second.close()
            await first.close()

    asyncio.run(scene())


def test_clocks_begin_again_only_when_no_server_was_there(postgres: Databases, two: tuple[Tables, Tables]) -> None:
    """Neither for a further process nor for the successor of one that died; but after an outage of the database."""
    first, second = two
    table = first.create(replace(PEOPLE, pace="5+5"))
    now = table.game.created
    first.clock = second.clock = lambda: now

    def kinds() -> list[str]:
        return [event.kind for event in first.store.events(table.game.id)]

    async def scene() -> None:
        nonlocal now
        async with asyncio.timeout(PATIENCE):
            keepers = [Timekeeper(tables) for tables in two]
            await keepers[0].start()
            assert kinds() == ["resume"]
            await keepers[1].start()
            await keepers[0].stop()
            await keepers[0].start()
            assert kinds() == ["resume"]
            postgres.cluster.end()
            try:
                await until(lambda: not first.clocks_run() and not second.clocks_run())
                now += 10 * 60_000
            finally:
                postgres.cluster.start()  # not on a thread, with which it would end
            await until(lambda: first.clocks_run() and second.clocks_run())
            assert kinds() == ["resume", "resume"]
            with pytest.raises(Stale):
                second.time_out(table)
            for keeper in keepers:
                await keeper.stop()
            with pytest.raises(StoreError):
                first.time_out(table)

    asyncio.run(scene())


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


def test_processes_that_start_at_once_make_the_tables_once(postgres: Databases) -> None:
    address = postgres.cluster.address(postgres.cluster.new_database())
    with ThreadPoolExecutor(4) as pool:
        engines = list(pool.map(open_database, [address] * 4))
    assert Tables(Store(engines[0])).create(PEOPLE, ME).number == 0
    for engine in engines:
        engine.dispose()
