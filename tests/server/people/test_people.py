"""People without accounts: names and pictures, one's own page, another device, being forgotten."""

import contextlib
import re
import sqlite3
from dataclasses import asdict
from pathlib import Path

import pytest
from sqlalchemy import insert, select

from jaipur import Rng
from jaipur.art import AVATARS
from jaipur.coach.style import Style, style_from_text, style_of
from jaipur.server.coach.style_table import style_table
from jaipur.server.config import Log
from jaipur.store import DeviceLink, Event, FinishedGame, MatchFigures, People, Person, Store, open_database
from jaipur.store.schema import events, metadata
from jaipur.table import GameKind, Seating, Tables, hashed, invite_secret, see
from jaipur.table.cache import KeptTables
from jaipur.table.past.career import statistics_of
from jaipur.table.secrets import sealed, unsealed
from tests.support.server import BOT, FRIEND, ME, ONE_SCREEN, PAIR, PEOPLE, STRANGER, Answer, Caller, play_match, server

pytestmark = pytest.mark.each_database

OTHER = "other-device-other-devic"


def send(http: Caller, path: str, fields: dict[str, object], **options: object) -> Answer:
    return http.post(path, fields, cookie=True, **options)


def introduce(http: Caller, name: str, avatar: str = "", **options: object) -> Answer:
    return send(http, "/settings", {"theme": "auto", "name": name, "avatar": avatar}, **options)


def set_up(http: Caller, kind: str = "bot", **options: object) -> str:
    return send(http, "/games", {"kind": kind}, **options).header("location").removeprefix("/game/")


def device_link(http: Caller, **options: object) -> str:
    page = send(http, "/me/device", {}, **options).text
    found = re.search(r"/device/([\w-]+)", page)
    assert found is not None
    return found[1]


# Names and pictures.


def test_a_name_is_set_once_and_used_everywhere(http: Caller, tables: Tables) -> None:
    assert introduce(http, "Asha", "tiger").status == 303
    game = set_up(http)
    assert tables.open(game).seats[0] is not None
    side = http.get(f"/api/games/{game}").json["sides"][0]
    assert (side["name"], side["avatar"]) == ("Asha", "tiger")
    assert "avatar-tiger" in http.get(f"/game/{game}", cookie=True).text
    hosted = set_up(http, "friend")
    invitation = http.get(f"/invite/{invite_secret(ME, hosted)}", token=FRIEND, cookie=True).text
    assert "Asha invites you" in invitation
    assert "avatar-tiger" in invitation


def test_a_new_name_reaches_the_tables_that_had_the_old_one(http: Caller, tables: Tables) -> None:
    introduce(http, "Asha")
    game, together = set_up(http), set_up(http, "one-screen")
    send(http, "/games", {"kind": "one-screen", "name": "Asha", "name2": "Bo", "key": "k"})
    given = http.post("/api/games", {"name": "My bot"}).json["game"]
    introduce(http, "Ravi", "lotus")
    seats = [tables.open(one).seats[0] for one in (game, together, given)]
    assert [(seat.name, seat.avatar) for seat in seats if seat] == [("Ravi", "lotus"), ("Asha", ""), ("My bot", "")]


def test_a_friend_is_asked_once_and_known_then(http: Caller, tables: Tables) -> None:
    first, second = set_up(http, "friend"), send(http, "/games", {"kind": "friend", "key": "2"}).header("location")
    send(http, f"/invite/{invite_secret(ME, first)}", {"name": "Bo", "avatar": "kite"}, token=FRIEND)
    link = f"/invite/{invite_secret(ME, second.removeprefix('/game/'))}"
    page = http.get(link, token=FRIEND, cookie=True).text
    assert 'name="avatar"' not in page
    assert "You play as Bo." in page
    send(http, link, {}, token=FRIEND)
    side = see(tables.open(second.removeprefix("/game/")), None).sides[1]
    assert (side.name, side.avatar) == ("Bo", "kite")


@pytest.mark.parametrize(("name", "avatar"), [("x" * 31, ""), ("a\nb\x00", ""), ("bot:vizier", ""), ("Ann", "dragon")])
def test_a_bad_name_or_picture_changes_nothing(http: Caller, tables: Tables, name: str, avatar: str) -> None:
    introduce(http, "Asha", "tiger")
    assert introduce(http, name, avatar).status == 400
    assert People(tables.store).person(hashed(ME)) == Person("Asha", "tiger")


def test_programs_bring_a_picture_along(http: Caller) -> None:
    game = http.post("/api/games", {"name": "Bot", "avatar": AVATARS[0]}).json["game"]
    assert http.get(f"/api/games/{game}").json["sides"][0]["avatar"] == AVATARS[0]
    assert http.post("/api/games", {"avatar": "dragon"}).status == 400


# One's own page.


def test_figures_are_written_with_the_result(http: Caller, tables: Tables) -> None:
    game = tables.create(PEOPLE).game.id
    table = play_match(tables, game)
    rows = People(tables.store).played(PAIR[0], 10), People(tables.store).played(PAIR[1], 10)
    assert [len(row) for row in rows] == [1, 1]
    assert (rows[0][0].won, rows[1][0].won) == (table.winner == 0, table.winner == 1)
    first, second = rows[0][0].figures, rows[1][0].figures
    assert (first.rounds_won, second.rounds_won) == table.match.seals
    sheets = see(table, None).sheets
    assert first.rupees == sum(sheet.sides[0].rupees for sheet in sheets)
    last = see(table, None)
    assert sum(map(int, first.sold.split())) + sum(map(int, second.sold.split())) >= sum(last.discard)
    assert first.best_rupees >= 5
    assert style_from_text(second.style) == style_of(table.match.rounds, 1)
    page = http.get("/me", cookie=True).text
    assert "Bob" in page
    assert "Your best sale" in page


def test_goods_of_the_best_sale_are_worth_what_the_table_paid(tables: Tables) -> None:
    """Checked against the rules' own count: each round's sales add up to the goods rupees on the score sheet."""
    from jaipur.table.past.match_figures import _sales  # noqa: PLC0415 - the part under test

    table = play_match(tables, tables.create(PEOPLE).game.id, Rng(5))
    for played, sheet in zip(table.match.rounds, see(table, None).sheets, strict=True):
        for seat in (0, 1):
            assert sum(value for _cards, value in _sales(played, seat)) == sheet.sides[seat].goods


@pytest.mark.parametrize(
    "seating", [ONE_SCREEN, Seating(GameKind.GUIDED, ("Ann", ""), (None, "pedlar"), (PAIR[0], None))]
)
def test_some_games_are_not_counted(http: Caller, tables: Tables, seating: Seating) -> None:
    play_match(tables, tables.create(seating).game.id)
    assert "once you have finished a match" in http.get("/me", cookie=True).text


def played(won: bool, rival: str = "a", sale: tuple[str, int] = ("D", 7), style: str = "") -> FinishedGame:
    done = MatchFigures("game", 0, 3, 2 if won else 1, 200, "1 0 0 2 0 0", *sale, style)
    return FinishedGame(done, "friend", None, rival, rival, "", won, 1)


def test_statistics_count_by_opponent_with_streaks() -> None:
    games = [played(True), played(True, "b", ("GGG", 17)), played(False), *[played(True)] * 3]
    told = statistics_of(games)
    assert (told.streak, told.longest, told.all.won, told.all.matches) == (2, 3, 5, 6)
    assert [(line.name, line.won, line.matches, line.few) for line in told.opponents] == [
        ("a", 4, 5, True),
        ("b", 1, 1, True),
    ]
    assert (told.best_sale, told.sold, told.rupees_per_round) == ("GGG", [("C", 12), ("D", 6)], 67)
    assert not statistics_of([played(True)] * 10).opponents[0].few
    assert statistics_of([]).streak == statistics_of([played(False)]).longest == 0


def test_a_style_stands_beside_those_of_the_levels(http: Caller, tables: Tables) -> None:
    play_match(tables, tables.create(BOT).game.id)
    page = http.get("/me", cookie=True).text
    table = page[page.index('<table class="style">') : page.index("</table>", page.index('<table class="style">'))]
    assert table.count('scope="row"') == table.count('class="own"') == 12
    assert [name for name in ("Pedlar", "Trader", "Broker", "Merchant", "Vizier") if name not in table] == []
    assert "Pale figures come from few moves, sales or rounds." in page


def test_a_row_of_a_style_is_pale_by_its_own_sample() -> None:
    style = str(Style(rounds=10, takes=60, exchanges=30, sales_of_1=20, sales_of_2=20, cards_sold=60, rupees=210))
    shown = style_table(statistics_of([played(True, style=style), played(False)]).style)
    assert shown is not None
    traits = [trait for group in shown.groups.values() for trait in group]
    rows = {trait.name: (shown.cell(trait, shown.own), trait.few(shown.own)) for trait in traits}
    assert rows["take a single card"] == ("46%", False)
    assert rows["2 cards"] == ("50%", True)
    assert rows["rupees per card sold"] == ("3.5", True)
    assert (shown.own.rounds, shown.few, style_table(Style())) == (10, True, None)


def test_games_from_before_styles_were_counted_have_none(tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite3"
    engine = open_database(str(path))
    play_match(tables := Tables(Store(engine)), tables.create(BOT).game.id)
    engine.dispose()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("ALTER TABLE figures DROP COLUMN style")
        connection.execute("UPDATE alembic_version SET version_num = '0006'")
        connection.commit()
    engine = open_database(str(path))
    told = statistics_of(People(Store(engine)).played(PAIR[0], 5))
    assert (told.all.matches, told.style) == (1, Style())
    engine.dispose()


@pytest.mark.one_process
def test_ones_own_page_replays_nothing(http: Caller, tables: Tables) -> None:
    """So it stays fast with thousands of games: their tables are never opened."""
    for _ in range(3):
        game = play_match(tables, tables.create(BOT).game.id).game.id
    tables._kept = KeptTables()
    assert http.get("/me", cookie=True).status == 200
    assert tables.kept(game) is None


# Another device.


def test_a_link_carries_somebody_to_another_device(http: Caller, tables: Tables) -> None:
    introduce(http, "Asha", "lamp")
    mine, brought = set_up(http), set_up(http, token=OTHER)
    token = device_link(http)
    page = http.get(f"/device/{token}", token=OTHER, cookie=True).text
    assert "Continue as Asha" in page
    assert "1 game played on this device is kept too." in page
    answer = send(http, f"/device/{token}", {}, token=OTHER)
    assert (answer.status, answer.header("location")) == (303, "/me")
    assert answer.header("set-cookie").startswith(f"jaipur_seat={ME}; ")
    assert "HttpOnly" in answer.header("set-cookie")
    games = http.get("/games", cookie=True).text
    assert f"/game/{mine}" in games
    assert f"/game/{brought}" in games
    assert tables.open(brought).held_by(hashed(ME)) == [0]
    assert see(tables.open(brought), 0).sides[0].name == "Asha"


def test_a_link_works_once(http: Caller) -> None:
    token = device_link(http)
    assert send(http, f"/device/{token}", {}, token=OTHER).status == 303
    again = send(http, f"/device/{token}", {}, token=STRANGER)
    assert again.status == 404
    assert "create a new one" in again.text
    assert ME not in again.text + str(again.headers)


@pytest.mark.one_process
def test_a_link_grows_old_and_a_new_one_takes_its_place(http: Caller, tables: Tables) -> None:
    old = device_link(http)
    token = device_link(http)
    assert http.get(f"/device/{old}", token=OTHER, cookie=True).status == 404
    assert http.get(f"/device/{token}", token=OTHER, cookie=True).status == 200
    later = tables.clock() + 11 * 60_000
    tables.clock = lambda: later
    assert send(http, f"/device/{token}", {}, token=OTHER).status == 404


def test_looking_at_a_link_does_not_use_it(http: Caller) -> None:
    token = device_link(http)
    for _ in range(3):
        assert http.get(f"/device/{token}", token=OTHER, cookie=True).status == 200
    assert "You are here already" in http.get(f"/device/{token}", cookie=True).text


def test_who_plays_against_oneself_finishes_that_first(http: Caller, tables: Tables) -> None:
    game = tables.create(Seating(GameKind.FRIEND, ("A", "B"), holders=(hashed(ME), hashed(OTHER)))).game.id
    token = device_link(http)
    assert send(http, f"/device/{token}", {}, token=OTHER).status == 409
    tables.resign(tables.open(game), 0)
    assert send(http, f"/device/{token}", {}, token=OTHER).status == 303
    assert tables.open(game).held_by(hashed(ME)) == [0]


def test_the_database_alone_does_not_tell_the_secret(http: Caller, tables: Tables) -> None:
    token = device_link(http)
    link = People(tables.store).linked(hashed(token), 0)
    assert isinstance(link, DeviceLink)
    assert (unsealed(link.sealed, token), sealed(ME, token)) == (ME, link.sealed)
    assert ME not in str(link)
    assert token not in str(link)


def test_a_host_from_another_device_shows_no_dead_link(http: Caller) -> None:
    game = set_up(http, "friend", token=OTHER)
    send(http, f"/device/{device_link(http)}", {}, token=OTHER)
    page = http.get(f"/game/{game}", cookie=True).text
    assert "/invite/" not in page
    assert http.get(f"/invite/{invite_secret(OTHER, game)}", token=FRIEND, cookie=True).status == 200


# Being forgotten.


def everything_stored(tables: Tables) -> str:
    with tables.store.engine.begin() as connection:
        return str([connection.execute(select(table)).all() for table in metadata.sorted_tables])


def test_forget_me_removes_name_holder_and_figures(http: Caller, tables: Tables) -> None:
    introduce(http, "Asha", "lamp")
    introduce(http, "Bo", "kite", token=FRIEND)
    seating = Seating(GameKind.FRIEND, ("Asha", "Bo"), holders=PAIR, avatars=("lamp", "kite"))
    done = tables.create(seating).game.id
    before = play_match(tables, done)
    going, bots = tables.create(seating).game.id, set_up(http)
    device_link(http)
    assert "forget" in http.get("/me/forget", cookie=True).text
    answer = send(http, "/me/forget", {})
    assert answer.status == 200
    assert "jaipur_seat=; Max-Age=0" in answer.header("set-cookie")
    stored = everything_stored(tables)
    assert not [trace for trace in ("Asha", "lamp", hashed(ME)) if trace in stored]
    assert "Bo" in stored
    assert [tables.open(game).winner for game in (going, bots)] == [1, 1]
    page = http.get(f"/game/{done}", token=FRIEND, cookie=True).text
    assert "Guest" in page
    assert tables.open(done).log == before.log
    friend = People(tables.store).played(hashed(FRIEND), 10)
    assert [row.won for row in friend] == [True, before.winner == 1]
    assert "Guest" in http.get("/me", token=FRIEND, cookie=True).text
    assert http.get("/games", cookie=True).text.count("/replay/") == 0


def test_forget_me_forgets_also_where_a_game_is_damaged(http: Caller, tables: Tables) -> None:
    """Nobody can resign there; the name and the holder are removed all the same."""
    introduce(http, "Asha")
    damaged, going = set_up(http), set_up(http)
    with tables.store.writing() as connection:
        connection.execute(insert(events), asdict(Event(damaged, 99, 0, "move", "-DDDDD", None, 0)))
    tables._kept = KeptTables()
    assert send(http, "/me/forget", {}).status == 200
    assert not [trace for trace in ("Asha", hashed(ME)) if trace in everything_stored(tables)]
    assert tables.open(going).winner == 1


def test_being_forgotten_twice_or_unknown_is_fine(http: Caller) -> None:
    for _ in range(2):
        assert send(http, "/me/forget", {}).status == 200


def test_a_stranger_gets_no_page_of_somebody_else(http: Caller, tables: Tables) -> None:
    introduce(http, "Asha")
    play_match(tables, tables.create(BOT).game.id)
    page = http.get("/me", token=STRANGER, cookie=True).text
    assert "Asha" not in page
    assert "once you have finished a match" in page


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_privacy_is_told_in_both_languages(http: Caller, lang: str) -> None:
    page = http.get("/privacy", cookie=True, headers={"accept-language": lang}).text
    assert ("SHA-256" in page, f'lang="{lang}"' in page) == (True, True)
    assert 'href="/privacy"' in http.get("/", cookie=True).text


@pytest.mark.one_process
@pytest.mark.parametrize(("log", "told"), [(Log.FAULTS, "writes no list"), (Log.JSON, "has a line for each request")])
def test_privacy_tells_of_a_log_of_requests(tables: Tables, log: Log, told: str) -> None:
    with server(tables, log=log) as http:
        assert told in http.get("/privacy", cookie=True).text
