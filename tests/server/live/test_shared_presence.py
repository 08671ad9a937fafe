"""Who is present at a table, and their emotes, with several processes on one PostgreSQL."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest

from jaipur.server.live.hub import Hub
from jaipur.server.live.presence import Presence
from jaipur.table import Tables
from tests.support.program import PATIENCE
from tests.support.served import until
from tests.support.server import PEOPLE
from tests.support.shared_tables import next_event, process, relayed

pytestmark = pytest.mark.slow


@asynccontextmanager
async def companies(rooms: Sequence[Tables]) -> AsyncIterator[list[Presence]]:
    """The presence at each of several processes that hear each other."""
    async with relayed(*rooms) as relays:
        yield [relay.presence for relay in relays]


def test_presence_is_kept_across_processes(two: tuple[Tables, Tables]) -> None:
    first, second = two
    table = first.create(PEOPLE)

    async def scene() -> None:
        async with companies(two) as (here, there):
            told = asyncio.create_task(next_event(there.hub, table.game.id))
            with here.present(table, 1):
                assert (await told).text == "here"
                await until(lambda: _here(there, second, table.game.id) == [False, True])
                here.say(table, 1, "luck", "")
                await until(lambda: (there.of(second.open(table.game.id)) or [])[1].emote == "luck")
            await until(lambda: _here(there, second, table.game.id) == [False, False])

    asyncio.run(scene())


def test_whoever_moves_to_another_process_was_never_away(address: str, two: tuple[Tables, Tables]) -> None:
    """Neither at the process they left nor at a third one; and when they leave for good, all hear of it."""
    table = two[0].create(PEOPLE)
    game = table.game.id

    async def scene(third: Tables) -> None:
        async with companies([*two, third]) as everywhere:
            before, after, other = everywhere
            before.away_seconds = PATIENCE  # the time is up when the others know of the move
            heard = [asyncio.create_task(_words_until_away(presence.hub, game)) for presence in everywhere]
            with before.present(table, 1):
                await until(lambda: all(_here(presence, two[0], game)[1] for presence in everywhere))
            with after.present(table, 1):
                await until(lambda: _processes(before, game) + _processes(other, game) == 4)
                before._close((game, 1), two[0].clock())
                await until(lambda: _processes(after, game) + _processes(other, game) == 2)
                assert not any(task.done() for task in heard)
                assert all(_here(presence, two[0], game)[1] for presence in everywhere)
            assert {words[-1] for words in await asyncio.gather(*heard)} == {"away"}
            assert not any(_here(presence, two[0], game)[1] for presence in everywhere)

    with process(address) as third:
        asyncio.run(asyncio.wait_for(scene(third), PATIENCE))


def test_of_two_pages_at_two_processes_the_last_one_counts(two: tuple[Tables, Tables]) -> None:
    table = two[0].create(PEOPLE)
    place = table.game.id, 1

    async def scene() -> None:
        async with companies(two) as (here, there):
            with here.present(table, 1):
                with there.present(table, 1):
                    await until(lambda: here.listens_elsewhere(place) and there.listens_elsewhere(place))
                await until(lambda: not here.listens_elsewhere(place))
                assert _here(there, two[1], table.game.id) == [False, True]
            await until(lambda: not _here(here, two[0], table.game.id)[1] and not there.listens_elsewhere(place))

    asyncio.run(scene())


def test_what_is_said_is_heard_once_at_every_process(two: tuple[Tables, Tables]) -> None:
    """A process hears its own notices too."""
    table = two[0].create(PEOPLE)

    async def scene() -> None:
        async with companies(two) as both:
            with both[0].present(table, 0), both[1].present(table, 1):
                await until(lambda: all(_here(presence, two[0], table.game.id) == [True] * 2 for presence in both))
                heard = [asyncio.create_task(_words_until_away(presence.hub, table.game.id)) for presence in both]
                await asyncio.sleep(0)
                both[0].say(table, 0, "luck", "")
                await until(lambda: (both[1].of(table) or [])[0].emote == "luck")
            assert [words.count("luck") for words in await asyncio.gather(*heard)] == [1, 1]

    asyncio.run(scene())


async def _words_until_away(hub: Hub, game: str) -> list[str]:
    words: list[str] = []
    async for event in hub.listen(game, 10_000):
        words.append(event.text)
        if event.text == "away":
            break
    return words


def _processes(presence: Presence, game: str) -> int:
    """At how many processes the second player is present, as far as this one knows."""
    return len(presence._present.get((game, 1), ()))


def _here(presence: Presence, tables: Tables, game: str) -> list[bool]:
    return [someone.here for someone in presence.of(tables.open(game)) or []]
