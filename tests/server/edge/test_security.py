"""What a hostile page, program or name can try, and what every answer tells the browser."""

import logging
import re
from pathlib import Path

import pytest

from jaipur import Match, Record
from jaipur.server.edge.guard import HEADERS
from jaipur.server.play.viewer import Viewer
from jaipur.table import GameKind, Seating, Tables, hashed
from tests.support.digest import random_match
from tests.support.server import (
    FRIEND,
    GAME_PAGES,
    ME,
    PEOPLE,
    STRANGER,
    Answer,
    Caller,
    hosted,
    multipart,
    play_some,
    server,
)

OWN = {"origin": "http://localhost"}
FOREIGN = [
    {"origin": "https://evil.example"},
    {"origin": "http://localhost:9999"},
    {"origin": "null"},
    {"origin": "http://localhost.evil.example"},
    {"origin": "http://["},
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"sec-fetch-site": "cross-site", "origin": "http://localhost"},
    {},
]


def assert_guarded(answer: Answer) -> None:
    for name, value in HEADERS.items():
        assert answer.header(name) == value
    assert answer.header("cache-control")


@pytest.mark.parametrize("area", ["/api/games", "/game"])
def test_every_answer_has_the_headers(http: Caller, tables: Tables, monkeypatch: pytest.MonkeyPatch, area: str) -> None:
    game = tables.create(PEOPLE).game.id
    large = [b"x" * 40_000] * 2
    kind = {"content-type": "application/json" if "api" in area else "application/x-www-form-urlencoded"}
    answers = [
        http.get(f"{area}/{game}"),
        http.get(f"{area}/{game}", token=STRANGER),
        http.get(f"{area}/nowhere"),
        http.ask("DELETE", f"{area}/{game}"),
        http.post("/api/games" if "api" in area else "/games", body=large, headers=kind),
        http.get(f"{area}/{game}", headers={"host": "evil.example"}),
        http.get(f"{area}/{game}?seat=7"),
        http.post(f"{area}/{game}/resign", token="", headers={"origin": "https://evil.example"}),
    ]
    assert [answer.status for answer in answers] == [200, 403, 404, 405, 413, 421, 422, 403]

    def broken(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(Viewer, "look", broken)
    answers.append(http.get(f"{area}/{game}"))
    assert (answers[-1].status, type(http.raised)) == (500, RuntimeError)
    assert "RuntimeError" not in answers[-1].text
    for answer in [*answers, http.get("/static/art/logo.svg"), http.get("/"), http.get("/rules")]:
        assert_guarded(answer)


def test_scripts_and_styles_come_from_here_only() -> None:
    policy = HEADERS["content-security-policy"]
    assert "default-src 'none'" in policy
    assert not re.search(r"unsafe|\*|https?:|data:", policy)


@pytest.mark.parametrize("page", ["/", "/games", "/rules", "/settings", "/game/{game}", "/invite/{link}", "/api"])
def test_no_page_has_scripts_or_styles_of_its_own(http: Caller, tables: Tables, page: str) -> None:
    """The content security policy forbids them, so they would not work."""
    game, link = hosted(tables)
    text = http.get(page.format(game=game, link=link), token=FRIEND if "link" in page else ME, cookie=True).text
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|javascript:", text)


def test_a_browser_gets_a_cookie_that_scripts_and_other_sites_do_not(http: Caller) -> None:
    for https in (False, True):
        (cookie,) = [
            value.decode()
            for name, value in http.get("/", token="", cookie=True, https=https).headers
            if name == b"set-cookie"
        ]
        token = cookie.partition("=")[2].partition(";")[0]
        assert cookie.startswith("jaipur_seat=")
        assert len(token) >= 32
        attributes = {part.strip() for part in cookie.split(";")[1:]}
        assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= attributes
        assert ("Secure" in attributes) == https
        assert not any(part.startswith("Domain") for part in attributes)


def test_settings_are_kept_as_safely(http: Caller) -> None:
    for https in (False, True):
        cookie = http.post("/settings", {"lang": "fr"}, cookie=True, https=https).header("set-cookie")
        assert "HttpOnly; SameSite=Lax" in cookie
        assert ("Secure" in cookie) == https


def test_who_has_a_cookie_gets_no_other(http: Caller) -> None:
    assert not http.get("/", cookie=True).header("set-cookie")
    assert not http.get("/api/games/x", token="").header("set-cookie")


def test_https_is_remembered(http: Caller) -> None:
    assert http.get("/", https=True).header("strict-transport-security")
    assert not http.get("/").header("strict-transport-security")


def test_tokens_are_not_in_the_database(http: Caller, tables: Tables, tmp_path: Path) -> None:
    """A stolen file gives nobody a seat: it holds only hashes, and an invitation is derived from the host's token."""
    seated = http.post("/api/games", {"kind": "friend"}).json
    link = seated["invite"]
    assert http.post(f"/api/invites/{link}", {"name": "Bob"}, token=FRIEND).status == 200
    tables.store.engine.dispose()
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert hashed(ME).encode() in stored
    assert hashed(link).encode() in stored
    for secret in (ME, FRIEND, link):
        assert secret.encode() not in stored


@pytest.mark.parametrize(
    "path", ["/games", "/settings", "/api/games", "/game/{game}/resign", "/api/games/{game}/resign"]
)
@pytest.mark.parametrize("headers", FOREIGN)
def test_a_form_of_another_site_is_refused(http: Caller, tables: Tables, path: str, headers: dict[str, str]) -> None:
    game = tables.create(PEOPLE).game.id
    cookie = {"cookie": f"jaipur_seat={ME}"}
    answer = http.post(path.format(game=game), {}, token="", headers=cookie | headers)
    assert answer.status == 403
    assert not tables.open(game).over
    assert len(tables.store.games_of(hashed(ME), 10)) == 1


@pytest.mark.parametrize("headers", [OWN, {"sec-fetch-site": "same-origin"}, OWN | {"sec-fetch-site": "same-origin"}])
def test_a_form_of_our_own_is_accepted(http: Caller, tables: Tables, headers: dict[str, str]) -> None:
    game = tables.create(PEOPLE).game.id
    answer = http.post(f"/game/{game}/resign", {}, token="", headers={"cookie": f"jaipur_seat={ME}"} | headers)
    assert answer.status == 303
    assert tables.open(game).over


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "10.0.0.1:8000", "", "[", "[::1"])
def test_a_server_for_this_machine_answers_to_its_own_name_only(http: Caller, host: str) -> None:
    """So that another site's name cannot be pointed here (DNS rebinding)."""
    assert http.get("/", headers={"host": host}).status == 421
    assert http.get("/api/openapi.json", headers={"host": host}).status == 421


@pytest.mark.parametrize("host", ["localhost", "localhost:8123", "127.0.0.1:8000", "[::1]:8000"])
def test_its_own_names_are_let_in(http: Caller, host: str) -> None:
    assert http.get("/", headers={"host": host}).status == 200


def test_a_public_server_has_any_name(tables: Tables) -> None:
    with server(tables, public=True) as http:
        assert http.get("/", headers={"host": "jaipur.example"}).status == 200
        assert http.get("/", headers={"host": "["}).status in {200, 400, 421}


@pytest.mark.parametrize("host", ["", "["])
def test_no_name_is_nobodys_own_origin(tables: Tables, host: str) -> None:
    """`Origin: null` names no host either: it comes from a sandboxed frame of any site."""
    game = tables.create(PEOPLE).game.id
    headers = {"cookie": f"jaipur_seat={ME}", "host": host, "origin": "null"}
    with server(tables, public=True) as http:
        assert http.post(f"/game/{game}/resign", {}, token="", headers=headers).status == 403
    assert not tables.open(game).over


@pytest.mark.parametrize("path", ["/api/games", "/games", "/settings"])
@pytest.mark.parametrize("told", [True, False])
def test_a_large_body_is_refused(http: Caller, tables: Tables, path: str, told: bool) -> None:
    kind = "application/json" if path.startswith("/api") else "application/x-www-form-urlencoded"
    headers = {"content-type": kind} | ({"content-length": "80000"} if told else {})
    body = [b"name=" + b"x" * 19_995, *[b"x" * 20_000] * 3]
    answer = http.post(path, body=body, headers=headers)
    assert answer.status == 413
    assert "too large" in answer.text
    assert not tables.store.games_of(hashed(ME), 10)


def test_who_asks_too_often_waits(tables: Tables) -> None:
    with server(tables, requests_per_second=0.01) as http:
        http.app.app.requests.burst = 3  # type: ignore[attr-defined]
        assert [http.get("/").status for _ in range(5)] == [200, 200, 200, 429, 429]
        answer = http.get("/api/openapi.json")
        assert answer.status == 429
        assert 1 <= int(answer.header("retry-after")) <= 100
        assert "error" in answer.json
        assert_guarded(answer)


def test_games_are_limited_more_tightly(tables: Tables) -> None:
    with server(tables, games_per_minute=2.0) as http:
        assert [http.post("/api/games", {}).status for _ in range(4)] == [201, 201, 429, 429]
        assert http.post("/games", {}).status == 429
        assert http.get("/").status == 200


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", '"><img src=x>', "&lt;b&gt;"])
def test_a_name_is_only_text(http: Caller, name: str) -> None:
    game = http.post("/api/games", {"kind": "friend", "name": name, "watchable": True}).json["game"]
    for path in ("/", "/games", *(f"/game/{game}{page}" for page in GAME_PAGES)):
        text = http.get(path, cookie=True).text
        assert name not in text
    settings = http.post("/games", {"kind": "friend", "name": name}, cookie=True)
    kept = settings.header("set-cookie").partition(";")[0]
    assert name not in http.get("/", token="", headers={"cookie": f"jaipur_seat={ME}; {kept}"}).text


@pytest.mark.parametrize(
    "back", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)", "/\t/evil.example", ""]
)
def test_no_form_sends_people_elsewhere(http: Caller, back: str) -> None:
    answer = http.post("/settings", {"lang": "en", "back": back}, cookie=True)
    assert (answer.status, answer.header("location")) == (303, "/")


def test_a_form_goes_back_to_where_it_was(http: Caller) -> None:
    assert http.post("/settings", {"lang": "en", "back": "/rules"}, cookie=True).header("location") == "/rules"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"", "Line 1"),
        (b"nonsense", "Line 1"),
        (str(Record(Match(1), ("a", "b"))).replace("Seed: 0", "Seed: 1").encode(), "commitment"),
        (str(Record(random_match(1, 5), ("a", "b"))).replace("1. +", "1. -").encode(), "Line"),
        (b"\xff\xfe", "not a text file"),
    ],
)
def test_a_bad_record_is_refused_with_a_sentence(http: Caller, tables: Tables, text: bytes, says: str) -> None:
    answer = http.post("/records", **multipart(text))
    assert answer.status in ({400} if b"\xff" in text else {422})
    assert says in answer.text
    assert not tables.store.games_of(hashed(ME), 10)


def test_a_good_record_is_taken_in(http: Caller) -> None:
    answer = http.post("/records", **multipart(str(Record(random_match(1, 400), ("Ann", "bot:trader")))))
    assert answer.status == 303
    assert http.get(answer.header("location")).status == 200


def test_the_seed_is_told_nowhere_before_the_end(
    http: Caller, tables: Tables, caplog: pytest.LogCaptureFixture
) -> None:
    """R21: not in a page, an event, an error or a log; only the commitment is shown. After the end all may see it."""
    caplog.set_level(logging.DEBUG)
    game = tables.create(Seating(GameKind.BOT, ("Ann", "T"), (None, "trader"), (hashed(ME), None), True)).game.id
    table = play_some(tables, game, 20)
    seed = table.match.seed.hex()
    deck = "".join("DGSCPLM"[kind] for kind in table.match.round.deck.kinds())
    paths = [f"/game/{game}{page}" for page in (*GAME_PAGES, "/replay/20", "/words?take=D")]
    paths += [f"/api/games/{game}", f"/api/games/{game}/moves", "/", "/games"]
    answers = [http.get(path, token=token, cookie=True) for path in paths for token in (ME, STRANGER)]
    answers.append(http.get(f"/api/games/{game}/events", until=20))
    answers += [
        http.post(f"/api/games/{game}/moves", {"move": move, "ply": 20}) for move in ("-DDDDDDD", "?", "+DD-MM")
    ]
    told = "".join(answer.text for answer in answers) + caplog.text
    assert table.match.commitment in told
    assert seed not in told
    assert deck[:6] not in told
    tables.resign(tables.open(game), 0)
    assert seed in http.get(f"/api/games/{game}", token=STRANGER).text
