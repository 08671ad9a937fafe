"""Clocks: computed from the times of events, running for whoever must act, and what happens when time runs out."""

import asyncio
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import update

from jaipur.record import Ended, Loss
from jaipur.server.play.timekeeper import Timekeeper
from jaipur.store import Event
from jaipur.store.schema import events
from jaipur.table import GameKind, GameOver, Seating, Stale, Table, Tables, checks, invite_secret, see
from jaipur.table.cache import KeptTables
from jaipur.table.clock import PACES, Clock, Pace, read_pace
from tests.support.program import PATIENCE
from tests.support.server import FRIEND, ME, PAIR, PEOPLE, Caller, everything, folded, new_tables, play_some

pytestmark = pytest.mark.each_database

MINUTE, DAY = 60_000, 86_400_000
LIVE, SLOW = replace(PEOPLE, pace="5+5"), replace(PEOPLE, pace="1d")


class Watch:
    """A clock that moves only when told to."""

    def __init__(self) -> None:
        self.now = 1_000_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture(name="watch")
def _watch() -> Watch:
    return Watch()


@pytest.fixture(name="timed")
def _timed(watch: Watch) -> Iterator[Tables]:
    with new_tables(clock=watch) as tables:
        yield tables


def one_move(tables: Tables, table: Table) -> Table:
    assert table.turn is not None
    return tables.move(table, table.turn, table.ply, table.match.round.legal_moves()[0])


def clock_of(table: Table) -> Clock:
    assert table.clock is not None
    return table.clock


def test_paces_are_read() -> None:
    assert [read_pace(text) for text in ("", "5+5", "10+10", "3d")] == [
        None,
        Pace(5 * MINUTE, 5000),
        Pace(10 * MINUTE, 10_000),
        Pace(3 * DAY, per_move=True),
    ]
    assert all(read_pace(pace) for pace in PACES)


def test_time_runs_for_whoever_is_to_move_and_a_move_adds_to_it(timed: Tables, watch: Watch) -> None:
    table = timed.create(LIVE)
    first = table.turn or 0
    watch.now += 20_000
    table = one_move(timed, table)
    left = clock_of(table).left
    assert (left[first], left[1 - first]) == (5 * MINUTE - 20_000 + 5000, 5 * MINUTE)
    assert clock_of(table).running == (1 - first,)
    watch.now += 1000
    assert clock_of(table).left_at(watch.now)[1 - first] == 5 * MINUTE - 1000
    assert everything(table) == everything(folded(timed, table.game.id))
    assert folded(timed, table.game.id).clock == table.clock


def test_the_clock_starts_when_the_friend_has_joined(timed: Tables, watch: Watch) -> None:
    waiting = Seating(GameKind.FRIEND, ("Ann", ""), holders=(PAIR[0], None), pace="5+5")
    game = timed.create(waiting, ME).game.id
    assert clock_of(timed.open(game)).running == ()
    watch.now += 10 * DAY
    table = timed.join(invite_secret(ME, game), "Bob", PAIR[1])
    assert (clock_of(table).left, clock_of(table).running) == ((5 * MINUTE, 5 * MINUTE), (table.turn,))
    assert folded(timed, game).clock == table.clock


def test_days_begin_again_with_each_move(timed: Tables, watch: Watch) -> None:
    table = timed.create(SLOW)
    for _ in range(4):
        watch.now += DAY - 1
        table = one_move(timed, table)
        assert clock_of(table).left[table.turn or 0] == DAY
    assert folded(timed, table.game.id).clock == table.clock


def test_a_question_stops_no_clock(timed: Tables, watch: Watch) -> None:
    table = timed.create(SLOW)
    while table.undo_to is None:
        watch.now += 10
        moves = table.match.round.legal_moves()
        exchange = next((move for move in moves if move.take and move.give), moves[0])
        table = timed.move(table, table.turn or 0, table.ply, exchange)
    waits = table.turn or 0
    watch.now += 1000
    table = timed.undo(table, 1 - waits)
    assert (clock_of(table).running, clock_of(table).left[waits]) == ((waits,), DAY - 1000)


def test_between_rounds_time_runs_for_those_who_are_not_ready(timed: Tables, watch: Watch) -> None:
    table = play_some(timed, timed.create(LIVE).game.id)
    assert clock_of(table).running == (0, 1)
    table = timed.ready(table, 0)
    assert clock_of(table).running == (1,)
    left = clock_of(table).left
    watch.now += 7000
    table = timed.ready(table, 1)
    assert clock_of(table).left == (left[0], left[1] - 7000)
    assert clock_of(table).running == (table.turn,)


def test_a_clock_at_zero_ends_the_match_once(timed: Tables, watch: Watch) -> None:
    table = timed.create(LIVE)
    loser = table.turn or 0
    watch.now += 5 * MINUTE - 1
    with pytest.raises(Stale):
        timed.time_out(table)
    watch.now += 1
    after = timed.time_out(table)
    assert (after.ended, after.winner) == (Ended(loser, Loss.TIME), 1 - loser)
    with pytest.raises(GameOver):
        timed.time_out(after)
    again = folded(timed, table.game.id)
    assert (again.winner, everything(again)) == (1 - loser, everything(after))
    listed = timed.store.games_of(PAIR[0], 5)
    assert [line.winner for line in listed] == [1 - loser]
    assert see(after, 0).timed_out == loser


def test_a_move_after_the_end_of_time_is_too_late(timed: Tables, watch: Watch) -> None:
    """Even if no timer has gone off yet."""
    table = timed.create(LIVE)
    loser = table.turn or 0
    watch.now += 5 * MINUTE + 1
    with pytest.raises(GameOver):
        one_move(timed, table)
    after = timed.open(table.game.id)
    assert (after.ended, after.log) == (Ended(loser, Loss.TIME), [])


def test_who_lost_the_round_loses_when_both_let_the_time_run_out(timed: Tables, watch: Watch) -> None:
    table = play_some(timed, timed.create(SLOW).game.id)
    winner = table.match.round.score().winner
    watch.now += DAY
    assert timed.time_out(table).ended == Ended(1 if winner == 0 else 0, Loss.TIME)


def test_a_running_clock_begins_again_when_a_server_starts(timed: Tables, watch: Watch) -> None:
    """Nobody loses time while the server is down, and what was thought before is given back."""
    table = timed.create(LIVE)
    watch.now += 20_000
    table = one_move(timed, table)
    before = clock_of(table).left_at(watch.now)
    watch.now += 3 * DAY
    Timekeeper(timed)._begin_again()
    after = timed.open(table.game.id)
    assert (clock_of(after).left_at(watch.now), after.over) == (before, False)
    assert clock_of(after).running == clock_of(table).running
    assert folded(timed, table.game.id).clock == after.clock
    watch.now += max(before)
    assert after.turn is not None
    assert timed.time_out(after).ended == Ended(after.turn, Loss.TIME)


def test_a_clock_that_an_earlier_version_resumed_charges_the_time_before(timed: Tables, watch: Watch) -> None:
    table = timed.create(LIVE)
    begun = watch.now
    watch.now += 3 * DAY
    timed.store.append(Event(table.game.id, 1, 0, "resume", str(begun + 1000), None, watch.now))
    left = clock_of(folded(timed, table.game.id)).left_at(watch.now)
    assert left[table.turn or 0] == 5 * MINUTE - 1000


def test_the_timekeeper_rings_by_itself(tmp_path: Path) -> None:
    """In real time, with a clock too short for anybody to choose; also for a game left by the previous server."""
    with new_tables(tmp_path, clock=lambda: time.time_ns() // 1_000_000) as tables:
        left = tables.create(replace(PEOPLE, pace="0.002+0")).game.id

        async def scene() -> None:
            keeper = Timekeeper(tables)
            await keeper.start()
            new = await asyncio.to_thread(tables.create, replace(PEOPLE, pace="0.002+0"))
            while not all((end := tables.open(game).ended) and end.by is Loss.TIME for game in (left, new.game.id)):
                await asyncio.sleep(0.02)
            await keeper.stop()

        asyncio.run(asyncio.wait_for(scene(), PATIENCE))


def test_people_choose_among_the_paces(http: Caller, tables: Tables) -> None:
    for pace in ("", *PACES):
        made = http.post("/games", {"kind": "friend", "pace": pace, "key": f"k{pace}"}, cookie=True)
        game = made.header("location").removeprefix("/game/")
        assert tables.open(game).game.pace == pace
        assert ("How the clock works" in http.get(f"/invite/{invite_secret(ME, game)}", token=FRIEND).text) == bool(
            pace
        )
    for bad in ("0.001+0", "1+1", "0d", "x"):
        assert http.post("/games", {"kind": "friend", "pace": bad}, cookie=True).status == 400
        assert http.post("/api/games", {"kind": "friend", "pace": bad}).status == 400
    assert "/clock" in http.get("/", cookie=True).text
    assert "Nobody has to claim the win" in http.get("/clock", cookie=True).text


def test_pages_and_programs_see_the_clock(http: Caller, tables: Tables) -> None:
    game = tables.create(LIVE).game.id
    told = http.get(f"/api/games/{game}").json
    assert (told["pace"], told["clock"]["left"], told["timed_out"]) == ("5+5", [300_000, 300_000], None)
    page = http.get(f"/game/{game}", cookie=True).text
    assert 'class="clock running"' in page
    assert "5:00" in page
    table = tables.open(game)
    tables.clock = lambda: table.changed + 5 * MINUTE
    tables.time_out(table)
    assert "ran out of time" in http.get(f"/game/{game}", cookie=True).text
    assert 'class="clock' not in http.get(f"/game/{game}", cookie=True).text


def test_a_rematch_keeps_the_pace(timed: Tables) -> None:
    table = timed.resign(timed.create(LIVE), 0)
    after = timed.answer(timed.rematch(table, 0), 1, True)
    assert timed.open(after.rematch or "").game.pace == "5+5"


def test_a_full_game_with_a_clock_does_not_stop_the_next_server(
    timed: Tables, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "MOST_EVENTS", 3)
    full, other = (timed.create(LIVE).game.id for _ in range(2))
    before = clock_of(play_some(timed, full, 3)).left_at(watch.now)
    watch.now += 3 * DAY
    Timekeeper(timed)._begin_again()
    assert [timed.store.events(game)[-1].kind for game in (full, other)] == ["resume", "resume"]
    assert clock_of(timed.open(full)).left_at(watch.now) == before


def test_a_damaged_game_with_a_clock_does_not_stop_the_next_server(
    timed: Tables, watch: Watch, caplog: pytest.LogCaptureFixture
) -> None:
    """The log quotes no message from the rules: it could give away a hand."""
    damaged, other = (timed.create(LIVE).game.id for _ in range(2))
    play_some(timed, damaged, 3)
    with timed.store.writing() as connection:
        connection.execute(update(events).where(events.c.game == damaged).values(text="-DDDDD"))
    timed._kept = KeptTables()
    watch.now += 3 * DAY
    Timekeeper(timed)._begin_again()
    assert timed.store.events(other)[-1].kind == "resume"
    assert f"game {damaged} could not be wound (Damaged)" in caplog.text
    assert "Traceback" not in caplog.text
    keeper = Timekeeper(timed)
    keeper._for_each(keeper.on_event)
