"""Bots think in processes of their own: they answer when it is their turn, fairly, and never play a stale move."""

import asyncio
from dataclasses import replace

import pytest
from cachetools import TTLCache

from jaipur.server.bots.work_queue import Rank
from jaipur.server.edge.client_address import asking
from jaipur.server.live.hub import LOOK_SECONDS
from jaipur.server.play.timekeeper import Timekeeper
from jaipur.table import Tables, see
from tests.support.bot_workers import HeldBotWorkers, bots_turn, watching, with_bot_workers
from tests.support.digest import quiet_match
from tests.support.served import until
from tests.support.server import BOT, BOTS, everything, folded, my_turn, play_some

pytestmark = pytest.mark.slow


def test_a_bot_moves_when_it_is_its_turn(tables: Tables) -> None:
    async def play(_workers: HeldBotWorkers) -> None:
        game = tables.create(BOT).game.id
        for _ in range(5):
            await until(lambda: tables.open(game).turn == 0)
            await asyncio.to_thread(play_some, tables, game, 1)
        await until(lambda: tables.open(game).turn == 0)
        assert [played.seat for played in tables.open(game).log][-2:] == [0, 1]

    with_bot_workers(tables, play)


def test_a_bot_s_turn_reads_no_table_that_is_in_memory(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """The player's move hands the next table to all listeners, and the bot thinks about the same one."""
    game = my_turn(tables, replace(BOT, pace="10+0"))
    opened: list[str] = []

    async def play(_workers: HeldBotWorkers) -> None:
        timekeeper = Timekeeper(tables)
        await timekeeper.start()
        table = tables.open(game)
        monkeypatch.setattr(tables, "open", opened.append)
        await asyncio.to_thread(tables.move, table, 0, table.ply, table.match.round.legal_moves()[0])
        await until(lambda: (kept := tables.kept(game)) is not None and kept.ply == table.ply + 2)
        await timekeeper.stop()

    with_bot_workers(tables, play)
    assert not opened


def test_games_that_were_left_in_the_middle_go_on(tables: Tables) -> None:
    games = [bots_turn(tables) for _ in range(5)]

    async def wait(_workers: HeldBotWorkers) -> None:
        await until(lambda: all(tables.open(game).turn == 0 for game in games))

    with_bot_workers(tables, wait)
    for game in games:
        assert everything(tables.open(game)) == everything(folded(tables, game))


def test_bot_workers_that_have_stopped_serve_nobody(tables: Tables) -> None:
    async def stop(workers: HeldBotWorkers) -> None:
        await workers.stop()
        workers.enqueue(bots_turn(tables))
        assert not workers._visits

    with_bot_workers(tables, stop)


def test_two_bots_play_a_match_to_its_end(tables: Tables) -> None:
    """R26, and nobody has to look at the score sheets."""

    async def watch(workers: HeldBotWorkers) -> None:
        game = tables.create(BOTS).game.id
        async with watching(workers, game):
            await until(lambda: tables.open(game).over)
        assert 2 in tables.open(game).match.seals

    with_bot_workers(tables, watch)


def test_two_bots_that_go_nowhere_are_stopped(tables: Tables) -> None:
    """R25."""
    game = tables.create(BOTS, history=quiet_match(0)).game.id

    async def watch(workers: HeldBotWorkers) -> None:
        async with watching(workers, game):
            await until(lambda: len(tables.open(game).match.rounds) > 1)

    with_bot_workers(tables, watch)
    assert see(tables.open(game), None).sheets[0].ended_by == "stopped"


def test_nobody_thinks_for_nobody(tables: Tables) -> None:
    """A match between bots goes on while somebody listens, and pauses when nobody does; also after a restart."""
    left = [tables.create(BOTS).game.id for _ in range(5)]

    async def watch(workers: HeldBotWorkers) -> None:
        games = left + [(await asyncio.to_thread(tables.create, BOTS)).game.id for _ in range(5)]
        await until(lambda: not workers._visits)
        assert not workers.engine.asked
        async with watching(workers, games[0], games[-1]):
            await until(lambda: min(len(tables.open(game).log) for game in (games[0], games[-1])) > 3)
        await until(lambda: not workers._visits)
        asked = len(workers.engine.asked)
        await asyncio.sleep(0.1)
        assert len(workers.engine.asked) == asked
        assert not any(tables.open(game).log for game in games[1:-1])

    with_bot_workers(tables, watch)


def test_a_look_counts_as_watching_for_a_while(tables: Tables) -> None:
    """Pages without scripts do not listen: they reload."""
    game = tables.create(BOTS).game.id

    async def look(workers: HeldBotWorkers) -> None:
        seconds = [0.0]
        workers.service.hub._looks = TTLCache(1, LOOK_SECONDS, lambda: seconds[0])
        workers.service.hub.looked(game)
        await until(lambda: len(tables.open(game).log) > 3)
        seconds[0] = LOOK_SECONDS
        await until(lambda: not workers._visits)
        workers.service.hub.looked(game)
        before = len(tables.open(game).log)
        await until(lambda: len(tables.open(game).log) > before)

    with_bot_workers(tables, look)


def test_a_person_waits_for_no_match_of_bots(tables: Tables) -> None:
    """However many are watched: one bot may already be thinking, but then the person's bot is next."""
    matches = [tables.create(BOTS).game.id for _ in range(30)]
    game = my_turn(tables)

    async def play(workers: HeldBotWorkers) -> None:
        workers.engine.may_think.clear()
        async with watching(workers, *matches):
            await until(lambda: workers.waiting[Rank.MATCH] == 29)
            await asyncio.to_thread(play_some, tables, game, 1)
            await until(lambda: workers.waiting[Rank.PERSON] == 1)
            mine = str(tables.open(game).view(1))
            workers.engine.may_think.set()
            await until(lambda: len(workers.engine.asked) > 1)
            assert workers.engine.asked[1] == mine

    with_bot_workers(tables, play)


def test_who_plays_many_games_delays_another_by_one_thought(tables: Tables) -> None:
    """They are told apart by address, since anybody can have any number of tokens."""
    many, game = [my_turn(tables) for _ in range(20)], my_turn(tables)

    async def play(workers: HeldBotWorkers) -> None:
        workers.engine.may_think.clear()
        asking.set("192.0.2.1")
        for one in many:
            await asyncio.to_thread(play_some, tables, one, 1)
        await until(lambda: workers.waiting[Rank.PERSON] == 19)
        asking.set("192.0.2.2")
        await asyncio.to_thread(play_some, tables, game, 1)
        await until(lambda: workers.waiting[Rank.PERSON] == 20)
        mine = str(tables.open(game).view(1))
        workers.engine.may_think.set()
        await until(lambda: len(workers.engine.asked) > 3)
        assert mine in workers.engine.asked[1:3]

    with_bot_workers(tables, play)


def test_whoever_comes_back_is_served_before_games_that_were_left(tables: Tables) -> None:
    games = [bots_turn(tables) for _ in range(20)]

    async def come_back(workers: HeldBotWorkers) -> None:
        workers.engine.may_think.clear()
        await until(lambda: workers.waiting[Rank.LEFT_OVER] == 19)
        waiting = next(game for game in reversed(games) if str(tables.open(game).view(1)) not in workers.engine.asked)
        async with watching(workers, waiting):
            await until(lambda: workers.waiting[Rank.PERSON] == 1)
            theirs = str(tables.open(waiting).view(1))
            workers.engine.may_think.set()
            await until(lambda: len(workers.engine.asked) > 1)
            assert workers.engine.asked[1] == theirs
            await until(lambda: all(tables.open(game).turn == 0 for game in games))

    with_bot_workers(tables, come_back)


def test_undo_while_the_bot_thinks(tables: Tables) -> None:
    """A move that the bot found for a position that no longer exists is not played."""
    game = my_turn(tables)

    async def take_back(workers: HeldBotWorkers) -> None:
        workers.engine.may_think.clear()
        await asyncio.to_thread(play_some, tables, game, 1)
        await until(lambda: len(workers.engine.asked) == 1)
        await asyncio.to_thread(tables.undo, tables.open(game), 0)
        workers.engine.may_think.set()
        await until(lambda: game not in workers._visits)
        assert tables.open(game).turn == 0
        assert tables.store.events(game)[-1].kind == "undo"
        await asyncio.to_thread(play_some, tables, game, 1)
        await until(lambda: tables.open(game).turn == 0)

    with_bot_workers(tables, take_back)
    assert everything(tables.open(game)) == everything(folded(tables, game))


def test_a_person_resigns_while_the_bot_thinks(tables: Tables) -> None:
    game = bots_turn(tables)

    async def resign(workers: HeldBotWorkers) -> None:
        workers.engine.may_think.clear()
        workers.enqueue(game)
        await until(lambda: len(workers.engine.asked) == 1)
        await asyncio.to_thread(tables.resign, tables.open(game), 0)
        workers.engine.may_think.set()
        await until(lambda: game not in workers._visits)

    with_bot_workers(tables, resign)
    assert tables.store.events(game)[-1].kind == "resign"


def test_bots_are_given_a_view(tables: Tables) -> None:
    """R18: a worker gets text in which hidden cards are question marks."""
    game = bots_turn(tables)
    view, deck = tables.open(game).view(1), tables.open(game).match.round.deck.size

    async def wait(workers: HeldBotWorkers) -> None:
        await until(lambda: tables.open(game).turn == 0)
        assert workers.engine.asked == [str(view)]
        assert workers.engine.asked[0].count("?") >= deck

    with_bot_workers(tables, wait)


def test_many_games_are_all_served(tables: Tables) -> None:
    """More games than can be worked on at once, and some in which it is the person's turn."""
    games = [bots_turn(tables) for _ in range(40)]
    for game in games[::2]:
        play_some(tables, game, 1)

    async def wait(_workers: HeldBotWorkers) -> None:
        await until(lambda: all(tables.open(game).turn == 0 for game in games))

    with_bot_workers(tables, wait)
    assert all(tables.open(game).log[-1].seat == 1 for game in games)
