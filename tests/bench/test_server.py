"""`jaipur bench server`: its load is what it says, and its figures lose nothing. The README's command runs it whole."""

import asyncio
from pathlib import Path
from types import SimpleNamespace

import pytest
from endurance.support.servers import OwnServer

from jaipur.bench import load as loads
from jaipur.bench.load import LiveGame, Load, Wire, listener
from jaipur.bench.own_postgres import free_port, own_postgres
from jaipur.bench.server import _against_bare, _at_full_speed
from jaipur.cli.study.bench import bench
from jaipur.rules.errors import JaipurError
from tests.support.postgres import require_postgres


async def _play(port: int, games: int, moves: int) -> Load:
    load = Load(port)
    await load.open_games(range(games))
    await load.listen(load.games)
    wire = Wire(port)
    for _move in range(moves):
        for game in load.games:
            await load.move(game, wire)
    await wire.close()
    await load.settle()
    await load.close()
    return load


def test_all_listeners_hear_every_move(tmp_path: Path) -> None:
    """Both listeners of a game are also told that the other has arrived, which is not a move."""
    with OwnServer(str(tmp_path / "games.sqlite3")) as server:
        load = asyncio.run(_play(server.port, games=2, moves=5))
    assert load.moves == 10
    assert len(load.pushes) == 20


def test_a_connection_that_is_closed_in_a_pause_opens_again() -> None:
    """As the server closes those that are idle for long, which they are on a busy machine."""

    async def one_answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}")
        writer.close()

    async def ask_twice() -> list[dict[str, object]]:
        async with await asyncio.start_server(one_answer, "127.0.0.1") as listening:
            wire = Wire(listening.sockets[0].getsockname()[1])
            answers = [await wire.ask("GET", "/") for _time in range(2)]
            await wire.close()
            return answers

    assert asyncio.run(ask_twice()) == [{}, {}]


def test_a_postgresql_of_our_own_takes_no_other_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """A port that was free when it was chosen may be another server's by the time that it starts."""
    require_postgres()
    with own_postgres() as first:
        ports = iter([first.port, free_port()])
        monkeypatch.setattr("jaipur.bench.own_postgres.free_port", lambda: next(ports))
        with own_postgres() as second:
            assert first.new_database() == second.new_database()


def test_a_machine_that_is_too_busy_for_a_single_move_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jaipur.bench.server._TURN_SECONDS", -1.0)  # over before it begins

    async def measured() -> dict[str, object]:
        return await _at_full_speed(Load(0), 0, 0, 0.0) | await _against_bare(Load(0), 0, Load(0), 0, 0.0)

    assert asyncio.run(measured())["move_over_bare_post"] == 0.0


def test_a_move_that_is_told_twice_hides_none_that_is_lost() -> None:
    load, game = Load(0), LiveGame("game", ("", ""), sent={1: 0.0, 2: 0.0})
    heard = listener(load, game, asyncio.Event())
    for _twice in range(2):
        heard({"kind": "move", "number": 1})
    assert len(load.pushes) == 1
    heard({"kind": "move", "number": 2})
    assert len(load.pushes) == 2


class OfShortGames(Load):
    """A load whose games end after three moves. A move takes a millisecond of a clock of its own."""

    def perf_counter(self) -> float:
        return self.moves / 1000

    async def move(self, game: LiveGame, _wire: Wire) -> None:
        await asyncio.sleep(0)
        self.moves += 1
        self.pushes += [1.0, 1.0]
        game.sent[self.moves] = 0.0
        game.over = len(game.sent) == 3


def test_at_full_speed_a_game_that_ends_ends_no_player(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the figure would show how many moves the games had left, not what the server can handle."""
    load = OfShortGames(0, [LiveGame(str(number), ("", "")) for number in range(1000)])
    monkeypatch.setattr(loads, "time", SimpleNamespace(perf_counter=load.perf_counter))
    assert asyncio.run(load.flat_out(2, 0.2)) == pytest.approx(1000)
    assert load.moves == pytest.approx(200, abs=1)
    assert sum(not game.over for game in load.games if game.sent) <= 2


@pytest.mark.parametrize("options", [{"processes": 2}, {"busy": True}])
def test_only_the_server_has_processes_and_company(options: dict[str, int]) -> None:
    with pytest.raises(JaipurError, match="Only the server under load"):
        bench("rules", **options)  # type: ignore[arg-type]
