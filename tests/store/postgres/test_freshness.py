"""A kept table is used on the event loop, but only if no other process has changed it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager

import pytest
from sqlalchemy import update

from jaipur.store import SeatRow
from jaipur.store.administration import Administration
from jaipur.store.postgres import freshness
from jaipur.store.schema import seats
from jaipur.table import GameKind, Seating, Tables, hashed
from tests.support.postgres import Databases
from tests.support.program import PATIENCE
from tests.support.server import PAIR, PEOPLE, STRANGER, hosted, play_some
from tests.support.shared_tables import process

pytestmark = pytest.mark.slow


@pytest.fixture(name="two")
def _two(postgres: Databases) -> Iterator[tuple[Tables, Tables]]:
    with postgres.database() as address, process(address) as first, process(address) as second:
        yield first, second


@asynccontextmanager
async def looking(tables: Tables, *games: str) -> AsyncIterator[None]:
    """Runs the block once the connection is open and these games are kept."""
    tables.freshness.loop = asyncio.get_running_loop()
    async with asyncio.timeout(PATIENCE):
        for game in games:
            tables.open(game)
            while await tables.at_hand(game) is None:
                await asyncio.sleep(0.01)
    yield
    await tables.freshness.close()


def _move(tables: Tables, game: str) -> None:
    play_some(tables, game, 1)


def _rename(tables: Tables, game: str) -> None:
    with tables.store.writing() as connection:
        connection.execute(update(seats).where(seats.c.game == game, seats.c.seat == 1).values(name="Zoe"))


def _forget(tables: Tables, game: str) -> None:
    with tables.store.writing() as connection:
        connection.execute(update(seats).where(seats.c.game == game, seats.c.seat == 0).values(holder=None))


def _delete(tables: Tables, game: str) -> None:
    Administration(tables.store).delete([game])


@pytest.mark.parametrize("change", [_move, _rename, _forget, _delete])
def test_what_another_process_changed_is_not_at_hand(
    two: tuple[Tables, Tables], change: Callable[[Tables, str], None]
) -> None:
    first, second = two
    game, other = (first.create(PEOPLE).game.id for _game in range(2))

    async def scene() -> None:
        async with looking(first, game, other):
            change(second, game)
            assert await first.at_hand(game) is None
            assert await first.at_hand(other) is not None
            if change is not _delete:
                table = first.open(game)
                assert await first.at_hand(game) is table

    asyncio.run(scene())


def test_who_sat_down_at_another_process_is_noticed(two: tuple[Tables, Tables]) -> None:
    first, second = two
    game, link = hosted(first)

    async def scene() -> None:
        async with looking(first, game):
            second.join(link, "Eve", hashed(STRANGER))
            assert await first.at_hand(game) is None
            assert first.open(game).full
            assert await first.at_hand(game) is not None

    asyncio.run(scene())


@pytest.mark.parametrize("name", ['"', "\\", "{a,b}", "NULL", "Zoé 🐪", "", "' OR true --"])
def test_any_name_is_compared_as_it_is(two: tuple[Tables, Tables], name: str) -> None:
    first = two[0]
    seating = Seating(GameKind.FRIEND, (name, f"{name}{name}"), holders=PAIR)
    games = [first.create(seating).game.id, first.create(PEOPLE).game.id]

    async def scene() -> None:
        async with looking(first, *games):
            table = first.open(games[0])
            other: list[SeatRow | None] = [table.seats[1], table.seats[0]]
            assert not await first.freshness.holds(games[0], 0, other) or not name

    asyncio.run(scene())


def test_those_who_look_at_once_share_a_question(two: tuple[Tables, Tables]) -> None:
    first, second = two
    games = [first.create(PEOPLE).game.id for _game in range(250)]

    async def scene() -> None:
        async with looking(first, *games):
            for game in games[::7]:
                _move(second, game)
            looks = [asyncio.create_task(first.at_hand(game)) for game in games]
            while not first.freshness._batch:
                await asyncio.sleep(0)
            assert len(first.freshness._batch) == len(games)
            found = await asyncio.gather(*looks)
            assert [table is None for table in found] == [place % 7 == 0 for place in range(len(games))]

    asyncio.run(scene())


def test_a_question_on_its_way_does_not_answer_whoever_comes_later(two: tuple[Tables, Tables]) -> None:
    """Between the two looks a move is played and acknowledged elsewhere: the second look must see it."""
    first, second = two
    game = first.create(PEOPLE).game.id

    async def scene() -> None:
        async with looking(first, game):
            early = asyncio.create_task(first.at_hand(game))
            while not first.freshness._batch:
                await asyncio.sleep(0)
            _move(second, game)  # this blocks the loop: the answer to the first query has not been read yet
            late = asyncio.create_task(first.at_hand(game))
            await early
            assert await late is None

    asyncio.run(scene())


def test_a_lost_connection_keeps_nobody_waiting_and_is_replaced(
    postgres: Databases, two: tuple[Tables, Tables]
) -> None:
    first = two[0]
    game = first.create(PEOPLE).game.id

    async def scene() -> None:
        async with asyncio.timeout(PATIENCE), looking(first, game):
            before = first.freshness._connection
            postgres.cluster.cut(str(first.store.engine.url.database))
            await asyncio.gather(*(first.at_hand(game) for _look in range(5)))
            while await first.at_hand(game) is None:
                await asyncio.sleep(0.01)
            assert first.freshness._connection is not before

    asyncio.run(scene())


def test_whoever_goes_leaves_the_others_their_answers(two: tuple[Tables, Tables]) -> None:
    first = two[0]
    game = first.create(PEOPLE).game.id

    async def scene() -> None:
        async with looking(first, game):
            looks = [asyncio.create_task(first.at_hand(game)) for _look in range(3)]
            await asyncio.sleep(0)
            looks[1].cancel()
            assert None not in (await looks[0], await looks[2])

    asyncio.run(scene())


def test_another_loop_is_not_kept_waiting(two: tuple[Tables, Tables]) -> None:
    first = two[0]
    game = first.create(PEOPLE).game.id

    async def scene() -> None:
        async with looking(first, game):
            elsewhere = asyncio.to_thread(asyncio.run, asyncio.wait_for(first.at_hand(game), PATIENCE))
            assert await elsewhere is None
            assert await first.at_hand(game) is not None

    asyncio.run(scene())


def test_who_is_asking_when_it_ends_leaves_no_connection(two: tuple[Tables, Tables]) -> None:
    first = two[0]
    game = first.create(PEOPLE).game.id

    async def scene() -> None:
        async with looking(first, game):
            connection = first.freshness._connection
            assert connection is not None
            look = asyncio.create_task(first.at_hand(game))
            while not first.freshness._batch:
                await asyncio.sleep(0)
            await first.freshness.close()
            assert await look is None
            assert connection.closed

    asyncio.run(scene())


def test_a_silent_database_keeps_nobody_waiting(two: tuple[Tables, Tables], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(freshness, "PATIENCE", 0.2)
    first, second = two
    game = first.create(PEOPLE).game.id

    async def scene() -> None:
        async with looking(first, game), asyncio.timeout(PATIENCE):
            with second.store.writing() as connection:
                connection.exec_driver_sql("LOCK TABLE seats IN ACCESS EXCLUSIVE MODE")
                assert await first.at_hand(game) is None
            while await first.at_hand(game) is None:
                await asyncio.sleep(0.01)

    asyncio.run(scene())
