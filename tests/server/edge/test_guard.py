"""What a request may cost before it is let in."""

import time

import pytest

from jaipur.server.edge import rates
from jaipur.server.people.settings import Settings
from jaipur.table import Tables
from tests.support.server import ME, Caller, hosted, server


@pytest.mark.parametrize("mark", ["\\", ";", "=", '"', ","])
def test_no_cookie_takes_long_to_read(http: Caller, mark: str) -> None:
    """The cookie is as long as headers may be. Processor time, so that other load on the machine does not matter."""
    http.get("/api/games/x")
    began = time.thread_time()
    assert http.get("/api/games/x", token="", headers={"cookie": f'a="{mark * 15_900}"'}).status == 404
    assert time.thread_time() - began < 0.3


@pytest.mark.parametrize("others", ["", 'a="x;y"; ', "a; =; ;; ", "jaipur_settings_old=lang=en; "])
def test_our_own_cookies_are_found_among_others(http: Caller, others: str) -> None:
    cookies = f"{others}jaipur_settings={Settings(lang='fr').cookie()}; jaipur_seat={ME};z=1"
    page = http.get("/", token="", headers={"cookie": cookies})
    assert '<html lang="fr"' in page.text
    assert not page.header("set-cookie")


def test_who_asks_too_often_is_refused_before_anything_is_read(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    with server(tables, requests_per_second=0.01) as http:
        http.app.app.requests.burst = 1  # type: ignore[attr-defined]
        assert http.get("/rules", cookie=True).status == 200
        monkeypatch.setattr("jaipur.server.edge.guard._cookies", lambda _headers: 1 / 0)
        answer = http.get("/rules", cookie=True, headers={"accept-language": "fr"})
        assert (answer.status, answer.header("set-cookie")) == (429, "")
        assert "Trop de requêtes" in answer.text


def test_only_so_many_addresses_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "_REMEMBERED", 3)
    limit = rates.Limit(1, 1)
    for client in "abcde":
        limit.seconds_to_wait(client)
    assert len(limit._buckets) == 3


def test_a_page_of_another_site_does_not_use_up_somebodys_new_games(tables: Tables) -> None:
    with server(tables, games_per_minute=2.0) as http:
        foreign = {"origin": "https://evil.example", "sec-fetch-site": "cross-site"}
        assert {http.post("/games", {}, cookie=True, headers=foreign).status for _ in range(5)} == {403}
        assert [http.post("/games", {}, cookie=True).status for _ in range(3)] == [303, 303, 429]


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/"), ("GET", "/game/{game}"), ("GET", "/game/{game}/invite.svg"), ("POST", "/me/device")],
)
def test_a_host_has_no_longer_name_than_there_are(tables: Tables, method: str, path: str) -> None:
    """A link with a host name of 4,000 bytes would fit into no QR code."""
    game, _link = hosted(tables)
    with server(tables, public=True) as http:
        for length, status in ((255, 200), (256, 400), (4000, 400)):
            answer = http.ask(method, path.format(game=game), headers={"host": "a" * length}, cookie=True)
            assert (answer.status, http.raised) == (status, None)


@pytest.mark.parametrize(
    ("language", "said"), [("en", "Send exactly one Host header."), ("fr", "Envoyez exactement un en-tête Host.")]
)
@pytest.mark.parametrize("second", ["localhost", "elsewhere.example", ""])
@pytest.mark.parametrize("public", [True, False])
def test_a_request_names_its_host_once(tables: Tables, public: bool, second: str, language: str, said: str) -> None:
    with server(tables, public=public) as http:
        answer = http.get("/api/games/x", headers={"Host": second, "accept-language": language})
        assert (answer.status, answer.json["error"]) == (400, said)
        assert http.get("/", headers={"Host": second}).status == 400


@pytest.mark.parametrize("host", ["localhost:8471, elsewhere.example", "localhost,localhost", "localhost elsewhere"])
def test_several_names_in_one_header_are_refused(http: Caller, host: str) -> None:
    assert http.get("/", headers={"host": host}).status == 400


def test_files_are_limited_too_and_there_are_more_of_them_than_of_pages(tables: Tables) -> None:
    """A missing file costs as much as a page, since the answer is an error page."""
    with server(tables, requests_per_second=0.001) as http:
        guard = http.app.app  # type: ignore[attr-defined]
        assert guard.downloads.burst == 4 * guard.requests.burst
        guard.requests.burst, guard.downloads.burst = 2, 4
        assert [http.get(f"/static/nope{n}").status for n in range(3)] == [404, 404, 429]
        assert http.get("/static/art/../nope").status == 429
        found = [http.get(f"/static/{name}").status for name in ("art/logo.svg?v=1", "table/table.js") * 3]
        assert found == [200, 200, 200, 200, 429, 429]
