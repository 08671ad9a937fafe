"""Two clients race for one ply: one wins, the other is told so; no event is lost or written twice."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass

import pytest

from jaipur import Rng
from jaipur.store import Store, StoreError, open_database
from jaipur.table import Stale, Status, Table, Tables, cache, see
from tests.support.digest import pick
from tests.support.effort import often
from tests.support.program import PATIENCE
from tests.support.server import (
    FRIEND,
    ME,
    PEOPLE,
    Answer,
    Caller,
    everything,
    fewer,
    folded,
    hosted,
    new_tables,
    server,
    with_full_disk,
)

pytestmark = [pytest.mark.slow, pytest.mark.each_database, pytest.mark.both_databases]

RACES = often(150, 1000)


@dataclass
class Track:
    """Two clients of one server, each with a thread and an event loop of its own."""

    tables: Tables
    clients: tuple[Caller, Caller]
    pool: ThreadPoolExecutor
    line: threading.Barrier

    def run(self, ask: Callable[[int, Caller], Answer]) -> tuple[Answer, Answer]:
        """Both send their request at the same moment."""

        def one(number: int) -> Answer:
            self.line.wait(PATIENCE)
            return ask(number, self.clients[number])

        first, second = self.pool.map(one, (0, 1))
        return first, second


@pytest.fixture(name="track")
def _track() -> Iterator[Track]:
    with ExitStack() as stack:
        tables = stack.enter_context(new_tables())
        first = stack.enter_context(server(tables))
        second = stack.enter_context(first.another())
        pool = stack.enter_context(ThreadPoolExecutor(2))
        yield Track(tables, (first, second), pool, threading.Barrier(2))


def next_position(tables: Tables, game: str) -> tuple[str, Table]:
    """A game in which somebody has to move: in the next round, or in a new game, if the last one is over."""
    table = tables.open(game)
    if table.status is Status.SHEET:
        for seat in (0, 1):
            tables.ready(tables.open(game), seat)
    if table.over:
        game = tables.create(PEOPLE).game.id
    return game, tables.open(game)


def test_of_two_moves_for_one_ply_one_is_played(track: Track) -> None:
    rng = Rng(1)
    game = track.tables.create(PEOPLE).game.id
    played: dict[str, list[str]] = {}
    winners: list[int] = []
    while len(winners) < fewer(RACES) or set(winners) != {0, 1}:
        game, table = next_position(track.tables, game)
        ply, token = table.ply, (ME, FRIEND)[table.turn or 0]
        moves = [str(pick(table.match.round.legal_moves(), rng.below(1 << 20))) for _ in range(2)]
        wishes = [{"move": move, "ply": ply} for move in moves]
        answers = track.run(
            lambda number, client: client.post(f"/api/games/{game}/moves", wishes[number], token=token)  # noqa: B023
        )
        assert sorted(answer.status for answer in answers) == [200, 409]
        winner = [answer.status for answer in answers].index(200)
        won, lost = answers[winner].json, answers[1 - winner].json
        assert won["view"]["ply"] == lost["view"]["ply"] == ply + 1
        assert lost["view"] == won["view"]
        assert lost["view"]["log"][-1]["move"] == moves[winner]
        played.setdefault(game, []).append(moves[winner])
        winners.append(winner)
    for name, moves in played.items():
        events = track.tables.store.events(name)
        assert [event.number for event in events] == list(range(1, len(events) + 1))
        assert [event.text for event in events if event.kind == "move"] == moves
        assert everything(track.tables.open(name)) == everything(folded(track.tables, name))


def test_one_request_that_comes_twice_at_once_counts_once(track: Track) -> None:
    rng = Rng(2)
    game = track.tables.create(PEOPLE).game.id
    for number in range(fewer(often(60, 200))):
        game, table = next_position(track.tables, game)
        token, before = (ME, FRIEND)[table.turn or 0], table.number
        wish = {"move": str(pick(table.match.round.legal_moves(), rng.below(1 << 20))), "ply": table.ply}
        first, second = track.run(
            lambda _number, client: client.post(
                f"/api/games/{game}/moves",  # noqa: B023
                wish,  # noqa: B023
                token=token,  # noqa: B023
                headers={"idempotency-key": f"key {number}"},  # noqa: B023
            )
        )
        assert first.lasting == second.lasting
        assert (first.status, first.json["number"]) == (200, before + 1)
        assert len(track.tables.store.events(game)) == before + 1


def test_of_two_who_follow_one_invitation_one_is_seated(track: Track) -> None:
    for number in range(often(30, 100)):
        game, link = hosted(track.tables)
        answers = track.run(
            lambda racer, client: client.post(
                f"/api/invites/{link}",  # noqa: B023
                {"name": f"Racer {racer}"},
                token=f"the-token-of-racer-{number}-{racer}",  # noqa: B023
            )
        )
        assert sorted(answer.status for answer in answers) == [200, 409]
        assert [event.kind for event in track.tables.store.events(game)] == ["join"]


def test_the_database_decides_between_two_rooms() -> None:
    """Two servers on one database: each has its own memory, so the primary key of the events decides."""
    rng = Rng(3)
    with new_tables() as first, ThreadPoolExecutor(2) as pool:
        engine = open_database(first.store.where)
        second = Tables(Store(engine))
        line = threading.Barrier(2)
        game = first.create(PEOPLE).game.id
        for _ in range(often(30, 100)):
            game, table = next_position(first, game)
            second._kept = cache.KeptTables()
            move, seat, ply = pick(table.match.round.legal_moves(), rng.below(1 << 20)), table.turn or 0, table.ply
            second.open(game)

            def submit(tables: Tables) -> bool:
                line.wait(PATIENCE)
                try:
                    tables.move(tables.open(game), seat, ply, move)  # noqa: B023
                except Stale:
                    return False
                return True

            assert sorted(pool.map(submit, (first, second))) == [False, True]
            if first.open(game).ply == ply:
                first._kept = cache.KeptTables()
            assert everything(first.open(game)) == everything(folded(first, game))
        engine.dispose()


def test_nobody_sees_what_is_not_written_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody looks while a move is being written; then the disk is full, so it was never played."""
    with new_tables() as tables, ThreadPoolExecutor(2) as pool:
        game = tables.create(PEOPLE).game.id
        table = tables.open(game)
        writing, looked = with_full_disk(tables, monkeypatch)
        move = table.match.round.legal_moves()[0]
        played = pool.submit(tables.move, table, table.turn or 0, 0, move)
        assert writing.wait(PATIENCE)
        seen = pool.submit(lambda: see(tables.open(game), 0))
        seen.add_done_callback(lambda _seen: looked.set())
        assert (seen.result(PATIENCE).number, seen.result().ply) == (0, 0)
        with pytest.raises(StoreError):
            played.result(PATIENCE)
        assert everything(tables.open(game)) == everything(folded(tables, game))


def keep_one(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes room for only one table, however long its game is."""
    monkeypatch.setattr(cache, "_EMPTY_TABLE", 10_000)
    tables._kept = cache.KeptTables(playing=19_999)


def test_a_table_that_is_put_away_while_it_writes_is_not_outdated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody looks at another game and then at this one, just before the event is in the store."""
    with new_tables() as tables:
        keep_one(tables, monkeypatch)
        game, other = tables.create(PEOPLE).game.id, tables.create(PEOPLE).game.id
        append = tables.store.append

        def write(*row: object) -> None:
            tables.open(other)
            tables.open(game)
            append(*row)  # type: ignore[arg-type]

        monkeypatch.setattr(tables.store, "append", write)
        table = tables.open(game)
        after = tables.move(table, table.turn or 0, 0, table.match.round.legal_moves()[0])
        assert see(tables.open(game), 0).number == after.number == 1
        assert everything(tables.open(game)) == everything(folded(tables, game))


def test_a_table_that_is_put_away_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only one table fits in memory, so each look at another game evicts it, at any moment."""
    with new_tables() as tables, ThreadPoolExecutor(4) as pool:
        keep_one(tables, monkeypatch)
        games = [tables.create(PEOPLE).game.id for _ in range(2)]

        def play_on(number: int) -> None:
            rng = Rng(number)
            while (table := tables.open(games[number])).turn is not None and table.ply < 60:
                move = pick(table.match.round.legal_moves(), rng.below(1 << 20))
                after = tables.move(table, table.turn, table.ply, move)
                assert see(tables.open(games[number]), 0).number == after.number == table.number + 1

        def look(number: int) -> None:
            for _ in range(300):
                see(tables.open(games[number % 2]), None)

        for done in [pool.submit(play_on, 0), pool.submit(play_on, 1), pool.submit(look, 0), pool.submit(look, 1)]:
            done.result()
        for game in games:
            assert everything(tables.open(game)) == everything(folded(tables, game))
