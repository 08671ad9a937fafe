"""What became of everything that programs were told: is it written, once, and was every stream complete?"""

import asyncio
import contextlib
from collections.abc import Sequence

from endurance.support.client import Listener
from endurance.support.player import Player
from jaipur.table.past.operator import open_tables

_MOST_SECONDS = 120.0
"""A guard against hanging: a stream that has not brought an event by then has lost it."""


async def verdict(database: str, port: int, players: Sequence[Player]) -> dict[str, object]:
    """Compares what players were told with the database; streams are first read to their end through this port."""
    streams = [listener for player in players for listener in player.listeners]
    tables = open_tables(database)
    written = {listener.game: tables.store.events(listener.game) for listener in streams}
    whole = [tables.open(game).number == len(events) for game, events in written.items()]
    made = len(tables.store.game_ids())
    tables.store.close()
    await _hear_the_rest(streams, {game: len(events) for game, events in written.items()}, port)
    keys = [event.key for events in written.values() for event in events if event.key]
    acknowledged = [event for player in players for event in player.acknowledged]
    kept = [
        written[game][number - 1].text == move for game, number, move in acknowledged if number <= len(written[game])
    ]
    return {
        "games": len(written),
        "events": sum(map(len, written.values())),
        "acknowledged": len(acknowledged),
        "acknowledged_and_lost": len(acknowledged) - sum(kept),
        "written_twice": len(keys) - len(set(keys)),
        "set_up_twice": set_up_twice(made, len(written), [player.game for player in players]),
        "games_not_whole": whole.count(False),
        "streams_not_once_in_order": sum(
            not _complete(listener.heard, len(written[listener.game])) for listener in streams
        ),
        "refused": sum(len(player.wrong) for player in players),
    }


def _complete(heard: list[int], number: int) -> bool:
    """Whether a stream has brought at least this many events, each of them once and in order."""
    return len(heard) >= number and heard == list(range(1, len(heard) + 1))


async def _hear_the_rest(streams: list[Listener], numbers: dict[str, int], port: int) -> None:
    late = [asyncio.create_task(listener.listen(port)) for listener in streams]
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_MOST_SECONDS):
            while any(len(listener.heard) < numbers[listener.game] for listener in streams):
                await asyncio.sleep(0.01)
    for stream in late:
        stream.cancel()
    await asyncio.gather(*late, return_exceptions=True)


def set_up_twice(made: int, told: int, playing: list[str]) -> int:
    """How many more games exist than players were told of; a player without a game may just have asked for one."""
    return max(made - told - playing.count(""), 0)
