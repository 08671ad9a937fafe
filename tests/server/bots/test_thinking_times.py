"""Whoever plays decides how long the bot thinks; whoever only watches does not."""

import asyncio
from urllib.parse import urlencode

import pytest

from jaipur.bots import DEFAULT_BUDGET
from jaipur.server.bots.table_service import ThinkingTimes
from jaipur.server.people.settings import SWITCHES, Settings, read_settings
from jaipur.table import GameKind, Seating, Tables, hashed
from tests.support.bot_workers import HeldBotWorkers, HeldEngine, with_bot_workers
from tests.support.served import until
from tests.support.server import BOTS, ME, STRANGER, Caller, my_turn

USUAL = DEFAULT_BUDGET.seconds


@pytest.fixture(name="times")
def _times(http: Caller) -> ThinkingTimes:
    """What the server knows about thinking times."""
    return http.services.bot_workers.thinking


def act(http: Caller, game: str, secret: str, **settings: str) -> int:
    """Sends "ready" as a browser with these settings would; here that is refused or has no effect."""
    cookies = f"jaipur_seat={secret}; jaipur_settings={urlencode(settings)}"
    return http.post(f"/game/{game}/ready", {"key": "k"}, cookie=True, headers={"cookie": cookies}).status


def test_a_game_has_the_time_of_whoever_plays_it(http: Caller, times: ThinkingTimes, tables: Tables) -> None:
    game = my_turn(tables)
    assert times.seconds(game) == USUAL
    for setting, seconds in (("2", 2.0), ("5", 2.0), ("0.2", 0.2), ("", USUAL), ("1", 1.0), ("9999", USUAL)):
        act(http, game, ME, think=setting)
        assert times.seconds(game) == seconds


def test_who_watches_does_not_choose_the_time(http: Caller, times: ThinkingTimes, tables: Tables) -> None:
    game = my_turn(tables, Seating(GameKind.BOT, ("Ann", ""), (None, "vizier"), (hashed(ME), None), watchable=True))
    act(http, game, ME, think="0.2")
    act(http, game, STRANGER, think="2")
    assert times.seconds(game) == 0.2


def test_a_new_game_begins_with_the_time_that_was_set(http: Caller, times: ThinkingTimes) -> None:
    cookies = f"jaipur_seat={ME}; jaipur_settings=think=2"
    made = http.post("/games", {"kind": "bot", "level": "vizier"}, cookie=True, headers={"cookie": cookies})
    assert times.seconds(made.header("location").removeprefix("/game/")) == 2.0


def test_who_lets_bots_play_does_not_choose_their_time(http: Caller, times: ThinkingTimes) -> None:
    cookies = f"jaipur_seat={ME}; jaipur_settings=think=2"
    wanted = {"kind": "watch", "level": "vizier", "level2": "vizier"}
    made = http.post("/games", wanted, cookie=True, headers={"cookie": cookies})
    assert times.seconds(made.header("location").removeprefix("/game/")) == USUAL


def test_the_setting_is_kept_and_shown(http: Caller) -> None:
    kept = http.post("/settings", {"theme": "auto", "think": "2"}, cookie=True).header("set-cookie").partition(";")[0]
    off = dict.fromkeys(SWITCHES, False) | {"offered": True}  # a form sends a switch only when it is on
    assert read_settings(kept.removeprefix("jaipur_settings=")) == Settings(think="2", **off)  # type: ignore[arg-type]  # all switches are bools
    assert '<option value="2" selected>' in http.get("/settings", headers={"cookie": kept}).text


def test_the_oldest_times_are_forgotten() -> None:
    times = ThinkingTimes()
    for number in range(2001):
        times.remember(f"game{number}", 2.0)
    assert times.seconds("game0") == USUAL
    assert times.seconds("game1") == times.seconds("game2000") == 2.0


def given(tables: Tables, game: str) -> float:
    """The time that a bot gets in a game whose player or watcher has set two seconds."""
    engine = HeldEngine()

    async def play(workers: HeldBotWorkers) -> None:
        workers.thinking.remember(game, 2.0)
        workers.service.hub.looked(game)
        await asyncio.to_thread(play_until_bot, tables, game)
        await until(lambda: bool(engine.seconds))

    with_bot_workers(tables, play, engine)
    return engine.seconds[0]


def play_until_bot(tables: Tables, game: str) -> None:
    while (table := tables.open(game)).bot_to_move is None:
        tables.move(table, 0, table.ply, table.match.round.legal_moves()[0])


def test_the_bot_of_a_player_has_the_time_that_they_set(tables: Tables) -> None:
    assert given(tables, my_turn(tables)) == 2.0


def test_a_match_of_bots_has_the_usual_time_whatever_is_remembered(tables: Tables) -> None:
    assert given(tables, tables.create(BOTS).game.id) == USUAL
