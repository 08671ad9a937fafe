"""The log of a game is limited: a match of endless exchanges costs no more than a long one, and harms nobody."""

import asyncio
import re
import sqlite3
import threading
from collections import Counter
from functools import partial

import pytest
from sqlalchemy import event as engine_event

from jaipur import IllegalMove, JaipurError, Match, Record
from jaipur.match import MOST_PLIES
from jaipur.server.edge.rates import OneEach
from jaipur.store import Busy
from jaipur.store.administration import Administration
from jaipur.store.writing import write_queue
from jaipur.table import GameKind, NotAllowed, Seating, Table, Tables, checks
from jaipur.table.cache import KeptTables
from tests.support.program import PATIENCE
from tests.support.served import until
from tests.support.server import ME, ONE_SCREEN, Answer, Caller, everything, folded, play_some, server

pytestmark = pytest.mark.each_database


def endless(plies: int) -> Match:
    """A legal match in which both players exchange the same cards back and forth."""
    match = Match(0)
    while match.ply < plies:
        moves = [move for move in match.round.legal_moves() if move.give and move.take and "M" not in str(move)]
        match._play(moves[0])
    assert len(match.rounds) == 1
    return match


@pytest.fixture(name="longest", scope="module")
def _longest() -> Match:
    return endless(MOST_PLIES)


def longer_than(longest: Match) -> Match:
    longer = longest.copy()
    longer.round.play(longer.round.legal_moves()[0])
    return longer


def test_a_match_has_at_most_so_many_moves(longest: Match) -> None:
    with pytest.raises(IllegalMove, match="at most 2000 moves"):
        longest.play(longest.round.legal_moves()[0])
    assert longest.until(MOST_PLIES) == longest
    assert Record.parse(str(Record(longest))).match == longest


def test_a_longer_record_is_refused_by_its_line(longest: Match) -> None:
    with pytest.raises(JaipurError, match=r"^Line 1011: A match has at most 2000 moves"):
        Record.parse(str(Record(longer_than(longest))))


def test_a_table_plays_on_to_the_last_move_and_then_tells(tables: Tables, longest: Match) -> None:
    game = tables.create(ONE_SCREEN, ME, history=longest.until(MOST_PLIES - 1)).game.id
    play_some(tables, game, 1)
    table = tables.open(game)
    with pytest.raises(IllegalMove, match="at most 2000 moves"):
        tables.move(table, table.turn or 0, table.ply, table.match.round.legal_moves()[0])
    assert everything(tables.open(game)) == everything(folded(tables, game))
    assert tables.resign(tables.open(game), 0).over


def test_a_bot_does_not_try_to_move_in_a_match_that_is_too_long(tables: Tables, longest: Match) -> None:
    table = tables.create(ONE_SCREEN, ME, history=longest)
    assert table.turn is not None
    table.seats = [row and type(row)(row.game, row.seat, "", "pedlar", None) for row in table.seats]
    assert table.bot_to_move is None


def test_moves_cannot_be_taken_back_and_played_again_without_end(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "MOST_EVENTS", 12)
    game = tables.create(ONE_SCREEN, history=endless(1)).game.id
    for _ in range(5):
        tables.undo(tables.open(game), 0)
        tables.redo(tables.open(game), 0)
    tables.undo(tables.open(game), 0)
    with pytest.raises(NotAllowed, match="too long"):
        tables.redo(tables.open(game), 0)
    assert tables.open(game).number == 12
    assert tables.resign(tables.open(game), 0).over


def test_a_game_that_is_longer_than_the_bound_already_can_be_read(tables: Tables, longest: Match) -> None:
    """From a database written before there was a limit."""
    game = tables.create(ONE_SCREEN, ME, history=longer_than(longest)).game.id
    tables._kept = KeptTables()
    table = tables.open(game)
    assert len(table.log) == len(table.replayed(MOST_PLIES + 1).log) == MOST_PLIES + 1


@pytest.mark.parametrize("page", ["", "/table", "/replay/0", "/replay/1000", "/replay/2000"])
def test_pages_of_a_long_game_are_no_longer_than_those_of_a_usual_one(
    http: Caller, tables: Tables, longest: Match, page: str
) -> None:
    long = tables.create(ONE_SCREEN, ME, history=longest).game.id
    usual = tables.create(ONE_SCREEN, ME, history=longest.until(200)).game.id
    told = http.get(f"/game/{long}{page}", cookie=True)
    assert told.status == 200
    same = "/replay/100" if "replay" in page else page
    assert len(told.body) < 2 * len(http.get(f"/game/{usual}{same}", cookie=True).body)


def test_a_replay_lists_the_moves_around_its_step(http: Caller, tables: Tables, longest: Match) -> None:
    game = tables.create(ONE_SCREEN, ME, history=longest).game.id
    page = http.get(f"/game/{game}/replay/1000", cookie=True).text
    listed = [int(number) for number in re.findall(rf'<li[^>]*><a href="/game/{game}/replay/(\d+)">', page)]
    assert listed == list(range(851, 1151))
    assert re.search(rf'aria-current="step"><a href="/game/{game}/replay/1000"', page)


@pytest.mark.parametrize(("method", "path"), [("GET", "/game/{}"), ("GET", "/games"), ("POST", "/me/forget")])
def test_who_has_long_games_read_waits_for_themselves(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, method: str, path: str
) -> None:
    """More at once than there are threads. Loading a match of 2,000 moves takes as long as ten pages."""
    games = [tables.create(ONE_SCREEN, ME).game.id for _ in range(50)]
    tables._kept = KeptTables()
    read, may_read, reading = tables._read, threading.Event(), Counter[str]()
    most = 0

    def slowly(game: str) -> Table:
        nonlocal most
        reading["now"] += 1
        most = max(most, reading["now"])
        assert may_read.wait(PATIENCE)
        reading["now"] -= 1
        return read(game)

    monkeypatch.setattr(tables, "_read", slowly)
    with server(tables, requests_per_second=1000.0) as http:

        async def scene() -> Answer:
            asked = [asyncio.create_task(http.answer(method, path.format(game), cookie=True)) for game in games]
            try:
                await until(lambda: reading["now"] > 0)
                async with asyncio.timeout(PATIENCE):
                    return await http.answer("GET", "/rules")
            finally:
                may_read.set()
                await asyncio.gather(*asked)

        assert http.runner.run(scene()).status == 200
    assert most == 1


def held(begun: threading.Event, may_end: threading.Event) -> bool:
    """A long task: it has begun, and does not end before it may."""
    begun.set()
    return may_end.wait(PATIENCE)


def test_another_address_does_not_wait_for_them() -> None:
    begun, may_end = threading.Event(), threading.Event()

    async def scene() -> None:
        turns = OneEach(2)
        waiting = [asyncio.create_task(turns.run("one", partial(held, begun, may_end))) for _ in range(10)]
        await until(begun.is_set)
        async with asyncio.timeout(PATIENCE):
            assert await turns.run("another", lambda: "done") == "done"
        may_end.set()
        assert await asyncio.gather(*waiting) == [True] * 10
        assert not turns._turns

    asyncio.run(scene())


@pytest.mark.parametrize("waits", [True, False])
def test_nobody_waits_long_for_their_own_turn(monkeypatch: pytest.MonkeyPatch, waits: bool) -> None:
    """A turn may be a write to a locked database: ten of those do not wait for each other at all."""
    monkeypatch.setattr(write_queue, "PATIENCE", 0.1 if waits else PATIENCE)
    begun, may_end = threading.Event(), threading.Event()

    async def scene() -> None:
        turns = OneEach(2)
        first = asyncio.create_task(turns.run("one", partial(held, begun, may_end)))
        await until(begun.is_set)
        async with asyncio.timeout(PATIENCE):
            later = await asyncio.gather(*(turns.run("one", int, waits) for _ in range(10)), return_exceptions=True)
        assert {type(refused) for refused in later} == {Busy}
        may_end.set()
        assert await first
        assert await turns.run("one", int, waits) == 0

    asyncio.run(scene())


def test_a_list_of_long_games_costs_no_more_than_one_of_short_ones(tables: Tables, longest: Match) -> None:
    """Counted in hundreds of SQLite instructions."""
    if tables.store.shared:
        pytest.skip("PostgreSQL does not count its instructions")
    steps = Counter[str]()
    whose = {"long": longest, "short": longest.until(20)}
    for holder, match in whose.items():
        for _ in range(5):
            tables.create(Seating(GameKind.ONE_SCREEN, ("", ""), holders=(holder, holder)), history=match)

    def counting(connection: sqlite3.Connection, *_pool: object) -> None:
        connection.set_progress_handler(lambda: steps.update([asked]), 100)

    engine_event.listen(tables.store.engine, "checkout", counting)
    for asked in whose:
        assert len(tables.store.games_of(asked, 200)) == 5
        assert len(Administration(tables.store).overview(10)) == 10
    assert steps["long"] < steps["short"] + 10
