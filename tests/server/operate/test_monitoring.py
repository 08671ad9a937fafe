"""What an operator sees and nobody else does, and what no log may contain."""

import json
import logging
import re
import socket
from contextlib import ExitStack
from functools import partial
from typing import Any

import pytest

from jaipur.server.config import Log
from jaipur.server.edge.request_log import set_up_logging
from jaipur.server.play.viewer import Viewer
from jaipur.store import StoreError
from jaipur.table import Tables, hashed
from tests.support.served import Served
from tests.support.server import ME, PEOPLE, Caller, hosted, play_some, server

PAGES = ["/health", "/health/live", "/metrics"]
TOKEN = {"authorization": "Bearer operators-token"}
FORWARDED = {"x-forwarded-for": "192.0.2.1"}


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("proxies", [(), ("127.0.0.1",)])
def test_this_machine_or_the_token(tables: Tables, path: str, proxies: tuple[str, ...]) -> None:
    """A proxy on this machine forwards strangers' requests, so whatever was forwarded needs the token."""
    with server(tables, public=True, operator_token="operators-token", proxies=proxies) as http:
        allowed: list[dict[str, str]] = [{}, TOKEN | FORWARDED, {"host": "127.0.0.1:8000"}]
        refused = [FORWARDED, {"via": "1.1 x"}, {"host": "jaipur.example"}, FORWARDED | {"authorization": "Bearer x"}]
        for headers in allowed:
            assert http.get(path, token="", headers=headers).status in {200, 503}
        for headers in refused:
            assert http.get(path, token="", headers=headers).status == 404


@pytest.mark.parametrize("path", PAGES)
def test_no_token_opens_nothing(http: Caller, path: str) -> None:
    for token in ("", "x", ME):
        assert http.get(path, token="", headers=FORWARDED | {"authorization": f"Bearer {token}"}).status == 404


def test_health_says_what_is_wrong(http: Caller, tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    assert http.get("/health/live", token="").json == {"live": True}
    assert (http.get("/health", token="").status, http.get("/health", token="").json["bots"]) == (503, False)

    def locked(_game: str) -> None:
        raise StoreError("locked")

    monkeypatch.setattr(tables.store, "game", locked)
    assert http.get("/health", token="").json["database"] is False


def test_a_server_that_leaves_the_bots_to_others_is_ready(tables: Tables) -> None:
    with server(tables, bot_workers=0) as http:
        assert (http.get("/health", token="").status, http.get("/health", token="").json["ready"]) == (200, True)


def figures(text: str) -> dict[str, float]:
    """The figures by name; every line must be valid in the metrics format."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    pattern = r'^[a-z_]+(\{([a-z]+="[^"]*",?)*\})? [0-9.e+-]+$'
    assert [line for line in lines if not re.match(pattern, line)] == []
    return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines}


def test_metrics_count(http: Caller, tables: Tables) -> None:
    game = tables.create(PEOPLE).game.id
    play_some(tables, game, 4)
    for _ in range(3):
        http.get(f"/game/{game}", cookie=True)
    http.get("/nowhere")
    for path in (f"/game/{game}", "/nowhere", "/static/art/logo.svg"):
        http.ask("HEAD", path, cookie=True)
    found = figures(http.get("/metrics", token="").text)
    assert found['jaipur_requests_total{method="GET",route="/game/{game}",status="200"}'] == 3
    assert found['jaipur_requests_total{method="GET",route="none",status="404"}'] == 1
    assert found['jaipur_requests_total{method="HEAD",route="/game/{game}",status="200"}'] == 1
    assert found['jaipur_requests_total{method="HEAD",route="none",status="404"}'] == 1
    assert found['jaipur_requests_total{method="HEAD",route="/static",status="200"}'] == 1
    assert found['jaipur_request_seconds_count{route="/game/{game}"}'] == 4
    assert found['jaipur_request_seconds_bucket{le="+Inf",route="/game/{game}"}'] == 4
    assert found['jaipur_events_total{kind="move"}'] == 4
    assert found["jaipur_database_seconds_count"] > 4
    assert {"jaipur_streams", "jaipur_connections", "jaipur_bot_wait_seconds_count"} <= found.keys()


def logged(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().err


@pytest.mark.parametrize("kind", [Log.TEXT, Log.JSON])
def test_a_line_per_request_and_no_secret(
    tables: Tables, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, kind: Log
) -> None:
    before = {
        name: (logging.getLogger(name).handlers, logging.getLogger(name).propagate) for name in ("jaipur", "uvicorn")
    }
    try:
        set_up_logging(kind)
        with server(tables) as http:
            waiting, link = hosted(tables)
            seated = http.post("/api/games", {"kind": "bot", "name": "Annabella"}, token="").json
            table = tables.open(seated["game"])
            answers = [
                http.get(f"/invite/{link}", cookie=True),
                http.get(f"/game/{seated['game']}?seat=secretquery", token=seated["token"], cookie=True),
                http.get(f"/api/games/{seated['game']}", token=seated["token"]),
                http.post(f"/invite/{link}", {"name": "Balthazar"}, cookie=True),
                http.get("/invite/some-secret/deeper"),
            ]
            monkeypatch.setattr(Viewer, "look", lambda _viewer: 1 / 0)
            answers.append(http.get(f"/api/games/{waiting}"))
            text = logged(capsys)
    finally:
        for name, (handlers, propagate) in before.items():
            logging.getLogger(name).handlers, logging.getLogger(name).propagate = handlers, propagate
    lines = [line for line in text.splitlines() if "/invite/{token}" in line or '"route"' in line or " ms" in line]
    assert len(lines) == 1 + len(answers)
    secrets = [seated["token"], hashed(seated["token"]), link, table.match.seed.hex(), "Annabella", "Balthazar"]
    secrets += ["secretquery", "some-secret", ME]
    assert [secret for secret in secrets if secret in text] == []
    assert answers[-1].status == 500
    shown = answers[-1].json["request"]
    assert shown == answers[-1].header("x-request-id")
    assert [line for line in lines if shown in line and "500" in line]
    if kind is Log.JSON:
        first: dict[str, Any] = json.loads(lines[1])
        assert first.keys() == {"time", "level", "logger", "request", "method", "route", "status", "ms", "address"}
        assert first["route"] == "/invite/{token}"


def test_an_error_page_shows_the_id(http: Caller) -> None:
    answer = http.get("/nowhere", cookie=True)
    assert answer.header("x-request-id")
    assert answer.header("x-request-id") in answer.text


@pytest.mark.parametrize(
    "path", ["/", "/rules", "/api/openapi.json", "/game/{game}", "/api/games/{game}", "/static/art/logo.svg"]
)
def test_head_is_get_without_a_body(http: Caller, tables: Tables, path: str) -> None:
    where = path.format(game=tables.create(PEOPLE).game.id)
    looked, got = http.ask("HEAD", where), http.get(where)
    assert (looked.status, looked.body) == (200, b"")
    assert looked.header("content-type") == got.header("content-type")
    assert bool(looked.header("content-length")) == bool(got.header("content-length"))


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/games", "GET, HEAD, POST"),
        ("/api/games", "POST"),
        ("/api/games/x/moves", "GET, HEAD, POST"),
        ("/game/x/move", "POST"),
        ("/rules", "GET, HEAD"),
        ("/static/art/logo.svg", "GET, HEAD"),
    ],
)
def test_what_an_address_accepts_is_told(http: Caller, path: str, allowed: str) -> None:
    answer = http.ask("DELETE", path)
    assert (answer.status, answer.header("allow")) == (405, allowed)


def test_head_of_a_stream_ends(http: Caller, tables: Tables) -> None:
    game = tables.create(PEOPLE).game.id
    assert http.ask("HEAD", f"/api/games/{game}/events").status == 200
    assert not http.services.hub._queues


def test_so_many_streams_for_one_address(tables: Tables) -> None:
    """When one ends, there is room for another."""
    with server(tables, requests_per_second=1000.0, streams_per_address=0) as http:
        game = tables.create(PEOPLE).game.id
        answer = http.get(f"/api/games/{game}/events", until=1)
        assert (answer.status, answer.header("retry-after")) == (429, "5")
    with server(tables, requests_per_second=1000.0, streams_per_address=1) as http:
        play_some(tables, game, 1)
        for _ in range(3):
            assert http.get(f"/api/games/{game}/events", until=1).status == 200


@pytest.mark.slow
def test_an_operator_says_how_many_may_listen(tmp_path: Any) -> None:
    """A third more connections than streams are accepted, so that listeners can also send requests."""
    with Served(tmp_path / "games.sqlite3", "--streams", "3", "--rate", "0") as served, ExitStack() as stack:
        made = served.client.post("/api/games", json={"kind": "friend"}).json()
        headers = {"authorization": f"Bearer {made['token']}"}
        events = partial(served.client.stream, "GET", f"/api/games/{made['game']}/events", headers=headers)
        assert [stack.enter_context(events()).status_code for _ in range(4)] == [200, 200, 200, 429]
        with socket.create_connection(("127.0.0.1", served.client.base_url.port or 0)) as late:
            assert b" 503 " in late.recv(100)


@pytest.mark.slow
def test_a_real_server_tells_its_health_and_logs_its_requests(tmp_path: Any) -> None:
    with Served(tmp_path / "games.sqlite3", "--log", "json") as served:
        assert served.client.get("/health").json()["ready"] is True
        found = figures(served.client.get("/metrics").text)
        assert found["jaipur_connections"] == 1
        assert served.client.get("/rules").headers["x-request-id"] in served.errors.read_text()
    assert {json.loads(line)["route"] for line in served.errors.read_text().splitlines()} >= {"/health", "/rules"}
