"""Several processes on one PostgreSQL: what one writes, all the others know, and of two that race, one wins."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace

import pytest
from sqlalchemy import event as engine_event

from jaipur.rules.errors import IllegalMove
from jaipur.server.config import Config
from jaipur.server.operate.housekeeping import Housekeeping
from jaipur.server.play.timekeeper import Timekeeper
from jaipur.store import Event, Store, StoreError, open_database
from jaipur.store.administration import Administration, OperationKind
from jaipur.store.postgres.game_locks import GameLocks
from jaipur.table import Damaged, NoSuchGame, Stale, Tables, hashed
from tests.support.postgres import Databases
from tests.support.program import PATIENCE
from tests.support.served import until
from tests.support.server import (
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


def test_processes_that_start_at_once_make_the_tables_once(postgres: Databases) -> None:
    address = postgres.cluster.address(postgres.cluster.new_database())
    with ThreadPoolExecutor(4) as pool:
        engines = list(pool.map(open_database, [address] * 4))
    assert Tables(Store(engines[0])).create(PEOPLE, ME).number == 0
    for engine in engines:
        engine.dispose()
