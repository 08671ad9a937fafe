"""Bots think in processes of their own: they answer, are replaced when they die, and never play a stale move."""

import asyncio
import os
import random
import signal
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from jaipur.notation import view_text
from jaipur.server import thinkers
from jaipur.server.thinkers import Thinkers, think
from jaipur.store import StoreError
from jaipur.table import Table, Tables
from tests.server.houses import BOT, BOTS, ME, everything, folded, play_some, room, with_full_disk
from tests.server.processes import PATIENCE, Served, running, wait_for
from tests.test_properties import quiet_match

OPTIONS = ("--pause", "0", "--rate", "0", "--thinkers", "1")


class Heads(Thinkers):
    """Thinks in a thread, as soon as it may: no process has to start."""

    may_think: asyncio.Event
    asked: list[str]

    async def _think(self, level: str, position: str) -> str:
        self.asked.append(position)
        await self.may_think.wait()
        return await asyncio.to_thread(think, level, position, 1)


def with_heads(tables: Tables, do: Callable[[Heads], Awaitable[None]]) -> None:
    """Does something while bots are served."""

    async def run() -> None:
        heads = Heads(tables, 1, 0)
        heads.may_think = asyncio.Event()
        heads.may_think.set()
        heads.asked = []
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


def bots_turn(tables: Tables) -> str:
    """A game that waits for its bot."""
    game = tables.create(BOT)
    while tables.open(game).thinker is None:
        play_some(tables, game, 1)
    return game


def test_a_bot_moves_when_it_is_its_turn(tables: Tables) -> None:
    async def play(_heads: Heads) -> None:
        game = tables.create(BOT)
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

    async def watch(_heads: Heads) -> None:
        game = tables.create(BOTS)
        await until(lambda: tables.open(game).over)
        assert 2 in tables.open(game).match.seals

    with_heads(tables, watch)


def test_two_bots_that_go_nowhere_are_stopped(tables: Tables) -> None:
    """R25."""
    game = tables.create(BOTS, history=quiet_match(0))

    async def watch(_heads: Heads) -> None:
        await until(lambda: len(tables.open(game).match.rounds) > 1)

    with_heads(tables, watch)
    assert tables.look(game, None).sheets[0].ended_by == "stopped"


def test_undo_while_the_bot_thinks(tables: Tables) -> None:
    """What the bot thought of for a position that is gone is not played."""
    game = tables.create(BOT)
    while tables.open(game).turn != 0:
        play_some(tables, game, 1)

    async def take_back(heads: Heads) -> None:
        heads.may_think.clear()
        await asyncio.to_thread(play_some, tables, game, 1)
        await until(lambda: len(heads.asked) == 1)
        await asyncio.to_thread(tables.undo, game, 0)
        heads.may_think.set()
        await until(lambda: game not in heads._named)
        assert tables.open(game).turn == 0
        assert tables.store.events(game)[-1].kind == "undo"
        await asyncio.to_thread(play_some, tables, game, 1)
        await until(lambda: tables.open(game).turn == 0)

    with_heads(tables, take_back)
    assert everything(tables.open(game)) == everything(folded(tables, game))


def test_a_person_resigns_while_the_bot_thinks(tables: Tables) -> None:
    game = bots_turn(tables)

    async def resign(heads: Heads) -> None:
        heads.may_think.clear()
        heads.name(game)
        await until(lambda: len(heads.asked) == 1)
        await asyncio.to_thread(tables.resign, game, 0)
        heads.may_think.set()
        await until(lambda: game not in heads._named)

    with_heads(tables, resign)
    assert tables.store.events(game)[-1].kind == "resign"


@pytest.mark.parametrize("error", [StoreError("The disk is full."), RuntimeError("what nobody thought of")])
def test_a_move_that_cannot_be_written_is_tried_again(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    """The person waits for the bot, so nobody else would ask again. What is known is told in a sentence."""
    monkeypatch.setattr(thinkers, "_RETRY_SECONDS", 0.05)
    game, submit, failures = bots_turn(tables), tables.submit, [error] * 3

    def fails(*arguments: object) -> object:
        if failures:
            raise failures.pop()
        return submit(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(tables, "submit", fails)

    async def wait(_heads: Heads) -> None:
        await until(lambda: tables.open(game).turn == 0)

    with_heads(tables, wait)
    assert not failures
    assert [str(error) in record.getMessage() for record in caplog.records] == [True] * 3
    assert ("Traceback" in caplog.text) == isinstance(error, RuntimeError)


def test_a_bot_does_not_answer_a_move_that_is_not_written(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game is looked at while a move is being written; then the disk is full, so it was never played."""
    game = tables.create(BOT)
    while tables.open(game).turn != 0:
        play_some(tables, game, 1)
    writing, looked = with_full_disk(tables, monkeypatch)

    async def look(heads: Heads) -> None:
        played = asyncio.create_task(asyncio.to_thread(play_some, tables, game, 1))
        await asyncio.to_thread(writing.wait, 60)
        heads.name(game)
        await until(lambda: game not in heads._named)
        looked.set()
        with pytest.raises(StoreError):
            await played
        assert not heads.asked

    with_heads(tables, look)


def test_what_happens_while_a_table_is_looked_at_is_not_missed(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person moves after the table was fetched for the bot and before the bot's side goes on with it."""
    game = tables.create(BOT)
    while tables.open(game).turn != 0:
        play_some(tables, game, 1)
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
        assert heads.asked == [view_text(view)]
        assert heads.asked[0].count("?") >= deck

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


def my_turn(served: Served, game: str) -> bool:
    return bool(served.get(f"/api/games/{game}", ME)["turn"] == 0)


def turn(served: Served, game: str, chance: random.Random) -> None:
    """A move of the person, when it is time."""
    wait_for(lambda: my_turn(served, game))
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
        wait_for(lambda: my_turn(served, game))
        for _ in range(2):
            killed = thinking(served)
            assert killed
            for pid in killed:
                os.kill(pid, signal.SIGKILL)
            for _ in range(2):
                turn(served, game, chance)
            wait_for(lambda: my_turn(served, game))
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
