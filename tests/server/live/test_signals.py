"""What a page tells somebody in another tab or with only its link; controlling two bots; the way back."""

import re

import pytest

from jaipur.table import NotAllowed, Seating, Speed, Tables
from tests.support.server import (
    BOTS,
    FRIEND,
    ME,
    PEOPLE,
    STRANGER,
    Caller,
    everything,
    folded,
    hosted,
    multipart,
    my_turn,
    play_match,
    play_some,
)

pytestmark = pytest.mark.each_database

WATCHED = Seating(PEOPLE.kind, PEOPLE.names, holders=PEOPLE.holders, watchable=True)


def page(http: Caller, path: str, token: str, settings: str = "") -> str:
    return http.get(path, token="", headers={"cookie": f"jaipur_seat={token}; jaipur_settings={settings}"}).text


def title(text: str) -> str:
    return str(re.findall("<title>(.*?)</title>", text)[0])


def preview(text: str) -> dict[str, str]:
    return dict(re.findall(r'<meta property="og:(.*?)" content="(.*?)">', text))


def test_the_title_and_the_icon_call_whoever_is_waited_for(http: Caller, tables: Tables) -> None:
    game = my_turn(tables, PEOPLE)
    mine, other = page(http, f"/game/{game}", ME), page(http, f"/game/{game}", FRIEND)
    assert title(mine) == "● Your turn – Jaipur"
    assert title(page(http, f"/game/{game}", ME, "lang=fr")) == "● À vous – Jaipur"
    assert title(other) == "Ann and Bob at the market – Jaipur"
    assert re.search('rel="icon" href="/static/art/logo-turn.svg', mine)
    assert re.search('rel="icon" href="/static/art/logo.svg', other)
    tables.resign(tables.open(game), 1)
    tables.rematch(tables.open(game), 1)
    assert title(page(http, f"/game/{game}", ME)) == "● A question for you – Jaipur"
    assert title(page(http, f"/game/{game}", FRIEND)) == "Result of Ann and Bob – Jaipur"


def test_at_the_score_sheet_it_calls_until_the_sheet_was_seen(http: Caller, tables: Tables) -> None:
    game = tables.create(PEOPLE).game.id
    play_some(tables, game)
    assert title(page(http, f"/game/{game}", ME)) == "● The round is over – Jaipur"
    tables.ready(tables.open(game), 0)
    assert "●" not in title(page(http, f"/game/{game}", ME))


def test_a_link_shows_who_invites_and_how_a_game_ended(http: Caller, tables: Tables) -> None:
    _game, link = hosted(tables)
    shown = preview(page(http, f"/invite/{link}", STRANGER))
    assert shown["title"] == "Ann invites you to Jaipur"
    picture = http.get(shown["image"].removeprefix("http://localhost"))
    assert (picture.status, picture.header("content-type")) == (200, "image/jpeg")
    assert len(picture.body) < 60_000
    game = tables.create(WATCHED).game.id
    before = preview(page(http, f"/game/{game}", STRANGER))
    play_some(tables, game, 12)
    assert preview(page(http, f"/game/{game}", STRANGER)) == before
    table = play_match(tables, game)
    shown = preview(page(http, f"/game/{game}", STRANGER))
    assert shown["title"] == f"{PEOPLE.names[table.winner or 0]} wins the match!"
    assert "seals {} to {}".format(*table.match.seals) in shown["description"]
    assert "result.jpg" in shown["image"]


def test_links_to_watch_and_to_share_are_given_where_they_lead_somewhere(http: Caller, tables: Tables) -> None:
    open_game, private = tables.create(WATCHED).game.id, tables.create(PEOPLE).game.id
    assert f'value="http://localhost/game/{open_game}"' in page(http, f"/game/{open_game}", ME)
    assert f'value="http://localhost/game/{private}"' not in page(http, f"/game/{private}", ME)


def test_a_finished_game_is_private_until_a_player_shares_it(http: Caller, tables: Tables) -> None:
    game = tables.create(PEOPLE).game.id
    address, link = f"/game/{game}", f'value="http://localhost/game/{game}"'
    assert http.post(f"{address}/share", {"key": "a"}, cookie=True).status == 409
    play_match(tables, game)
    assert link not in page(http, address, ME)
    assert http.get(address, token=STRANGER, cookie=True).status == 403
    assert http.post(f"{address}/share", {"key": "b"}, token=STRANGER, cookie=True).status == 403
    assert http.post(f"{address}/share", {"key": "c"}, cookie=True).status == 303
    assert link in page(http, address, FRIEND)
    assert http.get(address, token=STRANGER, cookie=True).status == 200
    assert http.get(f"{address}/replay/3", token=STRANGER, cookie=True).status == 200
    assert everything(tables.open(game)) == everything(folded(tables, game))


def test_a_game_that_waits_can_be_cancelled(http: Caller, tables: Tables) -> None:
    game, link = hosted(tables)
    assert "Cancel this game" in page(http, f"/game/{game}", ME)
    assert http.post(f"/game/{game}/resign", {"key": "k"}, cookie=True).status == 303
    assert "called off" in page(http, f"/game/{game}", ME)
    invited = page(http, f"/invite/{link}", FRIEND)
    assert "This game was called off" in invited
    assert "<form" not in invited.partition("<main")[2]


def test_whoever_watches_holds_the_remote(http: Caller, tables: Tables) -> None:
    game = tables.create(BOTS).game.id

    def press(speed: str) -> int:
        return http.post(f"/game/{game}/speed", {"speed": speed}, token=STRANGER, cookie=True).status

    assert press("pause") == 303
    with pytest.raises(NotAllowed):
        play_some(tables, game, 1)
    assert "http-equiv" not in page(http, f"/game/{game}", STRANGER)
    assert press("step") == 303
    play_some(tables, game, 1)
    assert tables.open(game).speed is Speed.PAUSE
    assert press("pause") == 409
    assert (press("fast"), press("at once")) == (303, 422)
    assert play_some(tables, game, 3).speed is Speed.FAST
    assert everything(tables.open(game)) == everything(folded(tables, game))
    people = tables.create(WATCHED).game.id
    for token in (ME, STRANGER):
        assert http.post(f"/game/{people}/speed", {"speed": "pause"}, token=token, cookie=True).status == 409


def test_hands_are_opened_only_where_bots_play_among_themselves(http: Caller, tables: Tables) -> None:
    def face_down(game: str, token: str, settings: str) -> int:
        return sum(
            page(http, f"/game/{game}{part}", token, settings).count(">face down<") for part in ("", "/replay/0")
        )

    bots, people = tables.create(BOTS).game.id, tables.create(WATCHED).game.id
    assert face_down(bots, STRANGER, "")
    assert not face_down(bots, STRANGER, "open_hands=on")
    for token in (ME, STRANGER):
        assert face_down(people, token, "") == face_down(people, token, "open_hands=on") > 0
    kept = http.post("/settings", {"open_hands": "on", "back": f"/game/{bots}"}, cookie=True)
    assert kept.header("location") == f"/game/{bots}"
    assert "open_hands=on" in kept.header("set-cookie")
    assert "memory=on" in kept.header("set-cookie")


def test_sold_cards_are_listed_by_kind_and_a_low_deck_says_what_ends_the_round(http: Caller, tables: Tables) -> None:
    game = tables.create(PEOPLE).game.id
    while (table := play_some(tables, game, 1)).turn is not None:
        text = page(http, f"/game/{game}", ME)
        seen = http.get(f"/api/games/{game}", token=ME).json
        if sum(seen["discard"]):
            listed = [int(number) for number in re.findall(r"<b>(\d+) of \d+</b>", text)]
            assert listed == seen["discard"]
        if 0 < seen["deck"] < seen["market"].count("M"):
            assert "camels now ends the round" in text
    assert table.match.round.over


def test_an_error_leads_back(http: Caller) -> None:
    answer = http.post("/records", **multipart("nothing"), cookie=True)
    assert answer.status == 422
    assert 'href="/games#upload"' in answer.text
    for came, back in (("http://localhost/rules", True), ("http://evil.example/rules", False), ("http://[", False)):
        answer = http.get("/nowhere", cookie=True, headers={"referer": came})
        assert ('href="/rules"' in answer.text.partition("<main")[2]) is back
    large = http.post("/games", {"name": "x" * 70_000}, cookie=True)
    assert large.status == 413
    assert 'href="/"' in large.text.partition("<main")[2]


@pytest.mark.one_process  # the clock of its tables starts in 1970
def test_a_past_game_keeps_the_time_of_its_end(http: Caller, tables: Tables) -> None:
    game = tables.create(PEOPLE).game.id
    play_match(tables, game)
    ended = tables.store.games_of(PEOPLE.holders[0] or "", 10)[0].at
    tables.rematch(tables.open(game), 0)
    assert tables.store.games_of(PEOPLE.holders[0] or "", 10)[0].at == ended
    assert '<time datetime="1970-01-01T00:00:0' in page(http, "/games", ME)


@pytest.mark.parametrize("path", ["/favicon.ico", "/apple-touch-icon.png", "/manifest.webmanifest"])
def test_what_browsers_ask_for_besides_pages_seats_nobody(http: Caller, path: str) -> None:
    answer = http.get(path, token="")
    assert (answer.status, answer.header("set-cookie")) == (200, "")
    if path.endswith("webmanifest"):
        icons = [http.get(icon["src"]).status for icon in answer.json["icons"]]
        assert icons == [200] * len(icons)
