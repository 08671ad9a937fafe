"""Bots when something goes wrong: moves that cannot be written, deleted or damaged games, killed workers."""

import asyncio
import os
import random
import signal
import threading
from dataclasses import asdict
from pathlib import Path

import pytest
from sqlalchemy import insert

from jaipur import IllegalMove
from jaipur.server.bots import scheduler as bot_workers
from jaipur.store import Event, StoreError
from jaipur.store.administration import Administration
from jaipur.store.schema import events
from jaipur.table import Table, Tables
from jaipur.table.cache import KeptTables
from tests.support.bot_workers import HeldBotWorkers, bots_turn, with_bot_workers
from tests.support.program import PATIENCE
from tests.support.served import OPTIONS, Served, running, until, wait_for
from tests.support.server import ME, folded, my_turn, new_tables, play_some, with_full_disk

pytestmark = pytest.mark.slow


TOO_FEW = IllegalMove("Too few gold cards in your hand: 1 (R14).")


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (StoreError("The disk is full."), "The disk is full."),
        (RuntimeError("what nobody thought of"), "what nobody thought of"),
        (TOO_FEW, "IllegalMove"),  # a bot's move that is refused is our fault, and the sentence would reveal its hand
    ],
)
def test_a_move_that_cannot_be_written_is_tried_again(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception, says: str
) -> None:
    """The person is waiting for the bot, so nobody else would try again. Known errors are logged as one sentence."""
    monkeypatch.setattr(bot_workers, "_RETRY_SECONDS", 0.05)
    game, move, failures = bots_turn(tables), tables.move, [error] * 3

    def fails(*arguments: object) -> object:
        if failures:
            raise failures.pop()
        return move(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(tables, "move", fails)

    async def wait(_workers: HeldBotWorkers) -> None:
        await until(lambda: tables.open(game).turn == 0)

    with_bot_workers(tables, wait)
    assert not failures
    said = f"The bot of game {game} could not move and tries again: {says}"
    assert [record.getMessage() for record in caplog.records] == [said] * 3
    assert ("Traceback" in caplog.text) == isinstance(error, RuntimeError)


def test_a_game_that_was_deleted_is_not_tried_again(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its bot was thinking when the operator deleted it."""
    monkeypatch.setattr(bot_workers, "_RETRY_SECONDS", 0.05)
    game = bots_turn(tables)

    async def delete(workers: HeldBotWorkers) -> None:
        workers.engine.may_think.clear()
        await until(lambda: len(workers.engine.asked) == 1)
        await asyncio.to_thread(Administration(tables.store).delete, [game])
        workers.engine.may_think.set()
        await until(lambda: not workers._visits)
        await asyncio.sleep(0.2)
        assert (workers.failures, workers._visits) == (0, {})

    with_bot_workers(tables, delete)


def test_a_damaged_game_is_not_tried_again(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Not even by the next server, which finds it unfinished; other games go on."""
    monkeypatch.setattr(bot_workers, "_RETRY_SECONDS", 0.05)
    damaged, other = bots_turn(tables), bots_turn(tables)
    with tables.store.writing() as connection:
        connection.execute(insert(events), asdict(Event(damaged, 99, 1, "move", "-DDDDD", None, 0)))
    tables._kept = KeptTables()

    async def wait(workers: HeldBotWorkers) -> None:
        await until(lambda: tables.open(other).turn == 0 and not workers._visits)
        await asyncio.sleep(0.2)
        assert (workers.failures, workers._visits) == (0, {})

    with_bot_workers(tables, wait)
    assert len(caplog.records) == 1


def test_moves_that_wait_for_the_database_hold_up_nobody_else(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams are read in threads that everybody shares, so bots write in threads of their own."""
    games, move, may_write = [bots_turn(tables) for _ in range(40)], tables.move, threading.Event()

    def waits(*arguments: object) -> object:
        may_write.wait(PATIENCE)
        return move(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(tables, "move", waits)

    async def listen(workers: HeldBotWorkers) -> None:
        threads = min(32, (os.cpu_count() or 1) + 4)
        await until(lambda: len(workers.engine.asked) > threads)
        await asyncio.sleep(0.1)
        try:
            await asyncio.wait_for(asyncio.to_thread(tables.store.events, games[0]), PATIENCE)
        finally:
            may_write.set()
        await until(lambda: all(tables.open(game).turn == 0 for game in games))

    with_bot_workers(tables, listen)


def test_a_bot_does_not_answer_a_move_that_is_not_written(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot looks at the game while a move is being written; then the disk is full, so it was never played."""
    game = my_turn(tables)
    writing, looked = with_full_disk(tables, monkeypatch)

    async def look(workers: HeldBotWorkers) -> None:
        played = asyncio.create_task(asyncio.to_thread(play_some, tables, game, 1))
        await asyncio.to_thread(writing.wait, 60)
        workers.enqueue(game)
        await until(lambda: game not in workers._visits)
        looked.set()
        with pytest.raises(StoreError):
            await played
        assert not workers.engine.asked

    with_bot_workers(tables, look)


def test_what_happens_while_a_table_is_looked_at_is_not_missed(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person moves after the table was fetched for the bot, but before the bot has looked at it."""
    game = my_turn(tables)
    fetch, plays = tables.at_hand, [1]

    async def fetch_and_play(game: str) -> Table | None:
        table = await fetch(game)
        if plays:
            await asyncio.to_thread(play_some, tables, game, plays.pop())
        return table

    monkeypatch.setattr(tables, "at_hand", fetch_and_play)

    async def wait(_workers: HeldBotWorkers) -> None:
        await until(lambda: [played.seat for played in tables.open(game).log][-2:] == [0, 1])

    with_bot_workers(tables, wait)


def person_moves(served: Served, game: str) -> bool:
    return bool(served.get(f"/api/games/{game}", ME)["turn"] == 0)


def turn(served: Served, game: str, chance: random.Random) -> None:
    """Plays a move for the person once it is their turn."""
    wait_for(lambda: person_moves(served, game))
    seen = served.get(f"/api/games/{game}", ME)
    wish = {"move": chance.choice(seen["legal"]), "ply": seen["ply"]}
    assert served.post(f"/api/games/{game}/moves", ME, wish).status_code == 200


def thinking(served: Served) -> list[int]:
    """The server's processes in which bots think."""
    lines = {pid: Path(f"/proc/{pid}/cmdline").read_text() for pid in served.helpers() if running(pid)}
    return [pid for pid, line in lines.items() if "spawn_main" in line]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are looked up in /proc")
def test_a_bot_worker_that_was_killed_is_replaced(tmp_path: Path) -> None:
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
    with new_tables(tmp_path) as tables:
        game = bots_turn(tables)
        before = len(tables.store.events(game))
    with Served(tmp_path / "games.sqlite3", *OPTIONS), new_tables(tmp_path) as tables:
        wait_for(lambda: len(tables.store.events(game)) == before + 1)
        assert folded(tables, game).turn == 0
