"""Bots think in processes of their own: they answer, are replaced when they die, and never play a stale move."""

import asyncio
import os
import random
import signal
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import insert

from jaipur import IllegalMove
from jaipur.server import bot_workers
from jaipur.server.bot_workers import BotWorkers
from jaipur.server.client import asking
from jaipur.server.hub import Hub
from jaipur.server.thinking_pool import ThinkingPool
from jaipur.server.thought import think
from jaipur.server.work_queue import Rank
from jaipur.store import Event, StoreError
from jaipur.store.administration import Administration
from jaipur.store.schema import events
from jaipur.table import Table, Tables, see
from tests.digest import quiet_match
from tests.server.harness import BOT, BOTS, ME, everything, folded, my_turn, play_some, room, with_full_disk
from tests.server.processes import PATIENCE, Served, running, wait_for

pytestmark = pytest.mark.slow

OPTIONS = ("--pause", "0", "--rate", "0", "--thinkers", "1")


class Head(ThinkingPool):
    """Thinks in a thread, as soon as it may: no process has to start."""

    def __init__(self) -> None:
        super().__init__(1)
        self.may_think = asyncio.Event()
        self.may_think.set()
        self.asked: list[str] = []

    async def think(self, level: str, position: str, seconds: float) -> str:
        self.asked.append(position)
        await self.may_think.wait()
        return await asyncio.to_thread(think, level, position, 1, seconds)


class Heads(BotWorkers):
    """Bot workers that think so."""

    pool: Head


def with_heads(tables: Tables, do: Callable[[Heads], Awaitable[None]]) -> None:
    """Does something while bots are served."""

    async def run() -> None:
        hub = Hub(tables)
        hub.loop = asyncio.get_running_loop()
        heads = Heads(tables, hub, 1, 0)
        heads.pool = Head()
        await heads.start()
        try:
            await do(heads)
        finally:
            await heads.stop()

    asyncio.run(run())


async def until(happened: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not happened():
            await asyncio.sleep(0.01)


@asynccontextmanager
async def watching(heads: Heads, *games: str, who: str = "192.0.2.7") -> AsyncIterator[None]:
    """Somebody listens to these games."""

    async def listen(game: str) -> None:
        asking.set(who)
        async for _event in heads.hub.listen(game, 0):
            pass

    listeners = [asyncio.create_task(listen(game)) for game in games]
    yield
    for listener in listeners:
        listener.cancel()
    await asyncio.gather(*listeners, return_exceptions=True)


def bots_turn(tables: Tables) -> str:
    """A game that waits for its bot."""
    game = tables.create(BOT).game.id
    while tables.open(game).bot_to_move is None:
        play_some(tables, game, 1)
    return game


def test_a_bot_moves_when_it_is_its_turn(tables: Tables) -> None:
    async def play(_heads: Heads) -> None:
        game = tables.create(BOT).game.id
        for _ in range(5):
            await until(lambda: tables.open(game).turn == 0)
            await asyncio.to_thread(play_some, tables, game, 1)
        await until(lambda: tables.open(game).turn == 0)
        assert [played.seat for played in tables.open(game).log][-2:] == [0, 1]

    with_heads(tables, play)


def test_games_that_were_left_in_the_middle_go_on(tables: Tables) -> None:
    games = [bots_turn(tables) for _ in range(5)]

    async def wait(_heads: Heads) -> None:
        await until(lambda: all(tables.open(game).turn == 0 for game in games))

    with_heads(tables, wait)
    for game in games:
        assert everything(tables.open(game)) == everything(folded(tables, game))


def test_two_bots_play_a_match_to_its_end(tables: Tables) -> None:
    """R26, and nobody has to look at the score sheets."""

    async def watch(heads: Heads) -> None:
        game = tables.create(BOTS).game.id
        async with watching(heads, game):
            await until(lambda: tables.open(game).over)
        assert 2 in tables.open(game).match.seals

    with_heads(tables, watch)


def test_two_bots_that_go_nowhere_are_stopped(tables: Tables) -> None:
    """R25."""
    game = tables.create(BOTS, history=quiet_match(0)).game.id

    async def watch(heads: Heads) -> None:
        async with watching(heads, game):
            await until(lambda: len(tables.open(game).match.rounds) > 1)

    with_heads(tables, watch)
    assert see(tables.open(game), None).sheets[0].ended_by == "stopped"


def test_nobody_thinks_for_nobody(tables: Tables) -> None:
    """A match of bots goes on while somebody listens, and stands still when nobody does; also after a restart."""
    left = [tables.create(BOTS).game.id for _ in range(5)]

    async def watch(heads: Heads) -> None:
        games = left + [(await asyncio.to_thread(tables.create, BOTS)).game.id for _ in range(5)]
        await until(lambda: not heads._queued)
        assert not heads.pool.asked
        async with watching(heads, games[0], games[-1]):
            await until(lambda: min(len(tables.open(game).log) for game in (games[0], games[-1])) > 3)
        await until(lambda: not heads._queued)
        asked = len(heads.pool.asked)
        await asyncio.sleep(0.1)
        assert len(heads.pool.asked) == asked
        assert not any(tables.open(game).log for game in games[1:-1])

    with_heads(tables, watch)


def test_a_look_counts_as_watching_for_a_while(tables: Tables) -> None:
    """Pages without scripts do not listen: they come again."""
    game = tables.create(BOTS).game.id

    async def look(heads: Heads) -> None:
        seconds = [0.0]
        heads.hub.clock = lambda: seconds[0]
        heads.hub.looked(game)
        await until(lambda: len(tables.open(game).log) > 3)
        seconds[0] = 16
        await until(lambda: not heads._queued)
        heads.hub.looked(game)
        before = len(tables.open(game).log)
        await until(lambda: len(tables.open(game).log) > before)

    with_heads(tables, look)


def test_a_person_waits_for_no_match_of_bots(tables: Tables) -> None:
    """However many are watched: one thought may be under way, and then it is the person's turn."""
    matches = [tables.create(BOTS).game.id for _ in range(30)]
    game = my_turn(tables)

    async def play(heads: Heads) -> None:
        heads.pool.may_think.clear()
        async with watching(heads, *matches):
            await until(lambda: heads.waiting[Rank.MATCH] == 29)
            await asyncio.to_thread(play_some, tables, game, 1)
            await until(lambda: heads.waiting[Rank.PERSON] == 1)
            mine = str(tables.open(game).view(1))
            heads.pool.may_think.set()
            await until(lambda: len(heads.pool.asked) > 1)
            assert heads.pool.asked[1] == mine

    with_heads(tables, play)


def test_who_plays_many_games_delays_another_by_one_thought(tables: Tables) -> None:
    """By the address, since anybody can have any number of tokens."""
    many, game = [my_turn(tables) for _ in range(20)], my_turn(tables)

    async def play(heads: Heads) -> None:
        heads.pool.may_think.clear()
        asking.set("192.0.2.1")
        for one in many:
            await asyncio.to_thread(play_some, tables, one, 1)
        await until(lambda: heads.waiting[Rank.PERSON] == 19)
        asking.set("192.0.2.2")
        await asyncio.to_thread(play_some, tables, game, 1)
        await until(lambda: heads.waiting[Rank.PERSON] == 20)
        mine = str(tables.open(game).view(1))
        heads.pool.may_think.set()
        await until(lambda: len(heads.pool.asked) > 3)
        assert mine in heads.pool.asked[1:3]

    with_heads(tables, play)


def test_whoever_comes_back_is_served_before_games_that_were_left(tables: Tables) -> None:
    games = [bots_turn(tables) for _ in range(20)]

    async def come_back(heads: Heads) -> None:
        heads.pool.may_think.clear()
        await until(lambda: heads.waiting[Rank.LEFT_OVER] == 19)
        waiting = next(game for game in reversed(games) if str(tables.open(game).view(1)) not in heads.pool.asked)
        async with watching(heads, waiting):
            await until(lambda: heads.waiting[Rank.PERSON] == 1)
            theirs = str(tables.open(waiting).view(1))
            heads.pool.may_think.set()
            await until(lambda: len(heads.pool.asked) > 1)
            assert heads.pool.asked[1] == theirs
            await until(lambda: all(tables.open(game).turn == 0 for game in games))

    with_heads(tables, come_back)


def test_undo_while_the_bot_thinks(tables: Tables) -> None:
    """What the bot thought of for a position that is gone is not played."""
    game = my_turn(tables)

    async def take_back(heads: Heads) -> None:
        heads.pool.may_think.clear()
        await asyncio.to_thread(play_some, tables, game, 1)
        await until(lambda: len(heads.pool.asked) == 1)
        await asyncio.to_thread(tables.undo, tables.open(game), 0)
        heads.pool.may_think.set()
        await until(lambda: game not in heads._queued)
        assert tables.open(game).turn == 0
        assert tables.store.events(game)[-1].kind == "undo"
        await asyncio.to_thread(play_some, tables, game, 1)
        await until(lambda: tables.open(game).turn == 0)

    with_heads(tables, take_back)
    assert everything(tables.open(game)) == everything(folded(tables, game))


def test_a_person_resigns_while_the_bot_thinks(tables: Tables) -> None:
    game = bots_turn(tables)

    async def resign(heads: Heads) -> None:
        heads.pool.may_think.clear()
        heads.enqueue(game)
        await until(lambda: len(heads.pool.asked) == 1)
        await asyncio.to_thread(tables.resign, tables.open(game), 0)
        heads.pool.may_think.set()
        await until(lambda: game not in heads._queued)

    with_heads(tables, resign)
    assert tables.store.events(game)[-1].kind == "resign"


@pytest.mark.parametrize("error", [StoreError("The disk is full."), RuntimeError("what nobody thought of")])
def test_a_move_that_cannot_be_written_is_tried_again(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    """The person waits for the bot, so nobody else would ask again. What is known is told in a sentence."""
    monkeypatch.setattr(bot_workers, "_RETRY_SECONDS", 0.05)
    game, move, failures = bots_turn(tables), tables.move, [error] * 3

    def fails(*arguments: object) -> object:
        if failures:
            raise failures.pop()
        return move(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(tables, "move", fails)

    async def wait(_heads: Heads) -> None:
        await until(lambda: tables.open(game).turn == 0)

    with_heads(tables, wait)
    assert not failures
    assert [str(error) in record.getMessage() for record in caplog.records] == [True] * 3
    assert ("Traceback" in caplog.text) == isinstance(error, RuntimeError)


def test_the_log_tells_nothing_of_a_bots_hand(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A bot that plays what it does not have is a fault of ours; the sentence for players counts its cards."""
    monkeypatch.setattr(bot_workers, "_RETRY_SECONDS", 0.05)
    game, move, refused = bots_turn(tables), tables.move, [IllegalMove("Too few gold cards in your hand: 1 (R14).")]

    def refuses(*arguments: object) -> object:
        if refused:
            raise refused.pop()
        return move(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(tables, "move", refuses)

    async def wait(_heads: Heads) -> None:
        await until(lambda: tables.open(game).turn == 0)

    with_heads(tables, wait)
    assert [record.getMessage() for record in caplog.records] == [
        f"The bot of game {game} could not move and tries again: IllegalMove"
    ]


def test_a_game_that_was_deleted_is_not_tried_again(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its bot was thinking when the operator deleted it."""
    monkeypatch.setattr(bot_workers, "_RETRY_SECONDS", 0.05)
    game = bots_turn(tables)

    async def delete(heads: Heads) -> None:
        heads.pool.may_think.clear()
        await until(lambda: len(heads.pool.asked) == 1)
        await asyncio.to_thread(Administration(tables.store).delete, [game])
        heads.pool.may_think.set()
        await until(lambda: not heads._queued)
        await asyncio.sleep(0.2)
        assert (heads.failures, heads._queued) == (0, {})

    with_heads(tables, delete)


def test_a_damaged_game_is_not_tried_again(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Also by the next server, which finds it unfinished; others go on."""
    monkeypatch.setattr(bot_workers, "_RETRY_SECONDS", 0.05)
    damaged, other = bots_turn(tables), bots_turn(tables)
    with tables.store.writing() as connection:
        connection.execute(insert(events), vars(Event(damaged, 99, 1, "move", "-DDDDD", None, 0)))
    tables._kept.clear()

    async def wait(heads: Heads) -> None:
        await until(lambda: tables.open(other).turn == 0 and not heads._queued)
        await asyncio.sleep(0.2)
        assert (heads.failures, heads._queued) == (0, {})

    with_heads(tables, wait)
    assert len(caplog.records) == 1


def test_moves_that_wait_for_the_database_hold_up_nobody_else(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams are read in the threads that everybody shares: bots write in their own."""
    games, move, may_write = [bots_turn(tables) for _ in range(40)], tables.move, threading.Event()

    def waits(*arguments: object) -> object:
        may_write.wait(PATIENCE)
        return move(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(tables, "move", waits)

    async def listen(heads: Heads) -> None:
        threads = min(32, (os.cpu_count() or 1) + 4)
        await until(lambda: len(heads.pool.asked) > threads)
        await asyncio.sleep(0.1)
        try:
            await asyncio.wait_for(asyncio.to_thread(tables.store.events, games[0]), 10)
        finally:
            may_write.set()
        await until(lambda: all(tables.open(game).turn == 0 for game in games))

    with_heads(tables, listen)


def test_a_bot_does_not_answer_a_move_that_is_not_written(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game is looked at while a move is being written; then the disk is full, so it was never played."""
    game = my_turn(tables)
    writing, looked = with_full_disk(tables, monkeypatch)

    async def look(heads: Heads) -> None:
        played = asyncio.create_task(asyncio.to_thread(play_some, tables, game, 1))
        await asyncio.to_thread(writing.wait, 60)
        heads.enqueue(game)
        await until(lambda: game not in heads._queued)
        looked.set()
        with pytest.raises(StoreError):
            await played
        assert not heads.pool.asked

    with_heads(tables, look)


def test_what_happens_while_a_table_is_looked_at_is_not_missed(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person moves after the table was fetched for the bot and before the bot's side looks at it."""
    game = my_turn(tables)
    fetch, plays = tables.open, [1]

    def fetch_and_play(game: str) -> Table:
        table = fetch(game)
        if threading.current_thread() is not threading.main_thread() and plays:
            play_some(tables, game, plays.pop())
        return table

    monkeypatch.setattr(tables, "open", fetch_and_play)

    async def wait(_heads: Heads) -> None:
        await until(lambda: [played.seat for played in fetch(game).log][-2:] == [0, 1])

    with_heads(tables, wait)


def test_bots_are_given_a_view(tables: Tables) -> None:
    """R18: a thinker gets text in which hidden cards are question marks."""
    game = bots_turn(tables)
    view, deck = tables.open(game).view(1), tables.open(game).match.round.deck.size

    async def wait(heads: Heads) -> None:
        await until(lambda: tables.open(game).turn == 0)
        assert heads.pool.asked == [str(view)]
        assert heads.pool.asked[0].count("?") >= deck

    with_heads(tables, wait)


def test_many_games_are_all_served(tables: Tables) -> None:
    """More than are at work at once, and some that wait for their person."""
    games = [bots_turn(tables) for _ in range(40)]
    for game in games[::2]:
        play_some(tables, game, 1)

    async def wait(_heads: Heads) -> None:
        await until(lambda: all(tables.open(game).turn == 0 for game in games))

    with_heads(tables, wait)
    assert all(tables.open(game).log[-1].seat == 1 for game in games)


def person_moves(served: Served, game: str) -> bool:
    return bool(served.get(f"/api/games/{game}", ME)["turn"] == 0)


def turn(served: Served, game: str, chance: random.Random) -> None:
    """A move of the person, when it is time."""
    wait_for(lambda: person_moves(served, game))
    seen = served.get(f"/api/games/{game}", ME)
    wish = {"move": chance.choice(seen["legal"]), "ply": seen["ply"]}
    assert served.post(f"/api/games/{game}/moves", ME, wish).status_code == 200


def thinking(served: Served) -> list[int]:
    """The processes of a server in which bots think."""
    lines = {pid: Path(f"/proc/{pid}/cmdline").read_text() for pid in served.helpers() if running(pid)}
    return [pid for pid, line in lines.items() if "spawn_main" in line]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are looked up in /proc")
def test_a_thinker_that_was_killed_is_replaced(tmp_path: Path) -> None:
    chance = random.Random(1)
    with Served(tmp_path / "games.sqlite3", *OPTIONS) as served:
        game = served.post("/api/games", ME, {"kind": "bot", "level": "pedlar"}).json()["game"]
        turn(served, game, chance)
        wait_for(lambda: person_moves(served, game))
        for _ in range(2):
            killed = thinking(served)
            assert killed
            for pid in killed:
                os.kill(pid, signal.SIGKILL)
            for _ in range(2):
                turn(served, game, chance)
            wait_for(lambda: person_moves(served, game))
            assert not set(killed) & set(thinking(served))
        assert "is replaced" in served.errors.read_text()
        assert "Traceback" not in served.errors.read_text()


def test_a_restarted_server_moves_for_the_bot(tmp_path: Path) -> None:
    with room(tmp_path) as tables:
        game = bots_turn(tables)
        before = len(tables.store.events(game))
    with Served(tmp_path / "games.sqlite3", *OPTIONS), room(tmp_path) as tables:
        wait_for(lambda: len(tables.store.events(game)) == before + 1)
        assert folded(tables, game).turn == 0
