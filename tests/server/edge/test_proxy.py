"""Who is trusted: a proxy named by an option, a Bearer token, and nobody else."""

from collections.abc import Mapping

import pytest
from starlette.datastructures import Headers

from jaipur.rules.errors import JaipurError
from jaipur.server.edge.client_address import Client, Proxies, address_group
from jaipur.table import Tables
from tests.support.server import ME, PEOPLE, Caller, server

COOKIE = {"cookie": f"jaipur_seat={ME}"}
PROXY = "127.0.0.1"
"""The address that the harness sends requests from."""


def client(named: list[str], headers: Mapping[str, str], address: str = PROXY) -> Client:
    scope = {"type": "http", "client": (address, 1), "scheme": "http"}
    return Proxies(named).client(scope, Headers(headers))


@pytest.mark.parametrize(
    ("named", "headers", "expected"),
    [
        ([], {"x-forwarded-for": "192.0.2.1", "x-forwarded-proto": "https"}, (PROXY, "http")),
        (["10.0.0.1"], {"x-forwarded-for": "192.0.2.1", "x-forwarded-proto": "https"}, (PROXY, "http")),
        ([PROXY], {"x-forwarded-for": "192.0.2.1", "x-forwarded-proto": "https"}, ("192.0.2.1", "https")),
        (["127.0.0.0/8"], {"x-forwarded-for": "6.6.6.6, 192.0.2.1"}, ("192.0.2.1", "http")),
        ([PROXY, "10.0.0.0/8"], {"x-forwarded-for": "6.6.6.6, 192.0.2.1, 10.1.2.3"}, ("192.0.2.1", "http")),
        ([PROXY], {"x-forwarded-for": "nonsense"}, (PROXY, "http")),
        ([PROXY], {"x-forwarded-for": "192.0.2.1", "x-forwarded-proto": "gopher"}, ("192.0.2.1", "http")),
        ([PROXY], {}, (PROXY, "http")),
    ],
)
def test_who_asks(named: list[str], headers: dict[str, str], expected: tuple[str, str]) -> None:
    found = client(named, headers)
    assert (found.address, found.scheme) == expected


def test_only_this_machine_is_local() -> None:
    assert client([], {}).local
    assert client([], {}, "::1").local
    assert client([], {}, "::ffff:127.0.0.1").local
    assert not client([], {}, "192.0.2.1").local
    assert not client([PROXY], {"x-forwarded-for": "192.0.2.1"}).local
    for header in ("forwarded", "via", "x-forwarded-for", "x-forwarded-proto", "x-real-ip"):
        assert not client([], {header: "127.0.0.1"}).local
        assert not client([PROXY], {header: "127.0.0.1"}).local


def test_a_household_is_one() -> None:
    assert address_group("2001:db8:1:2::5") == address_group("2001:db8:1:2:ffff::7") != address_group("2001:db8:1:3::5")
    assert address_group("::ffff:192.0.2.1") == address_group("192.0.2.1") != address_group("192.0.2.2")
    assert address_group("") == ""


def test_what_is_no_address_is_refused_with_a_sentence() -> None:
    with pytest.raises(JaipurError, match="is not an address"):
        Proxies(["proxy.example"])


@pytest.mark.parametrize(("proxies", "let_in"), [((), 3), ((PROXY,), 8)])
def test_rotating_addresses_helps_nobody_but_a_proxy(tables: Tables, proxies: tuple[str, ...], let_in: int) -> None:
    with server(tables, requests_per_second=0.01, proxies=proxies) as http:
        http.app.app.requests.burst = 3  # type: ignore[attr-defined]
        asked = [http.get("/", headers={"x-forwarded-for": f"192.0.2.{n}"}).status for n in range(8)]
        assert asked.count(200) == let_in


@pytest.mark.parametrize("proxies", [(), (PROXY,)])
def test_cookies_are_secure_when_a_proxy_says_https(tables: Tables, proxies: tuple[str, ...]) -> None:
    with server(tables, proxies=proxies) as http:
        answer = http.get("/", token="", cookie=True, headers={"x-forwarded-proto": "https"})
        assert ("Secure" in answer.header("set-cookie")) == bool(proxies)
        assert bool(answer.header("strict-transport-security")) == bool(proxies)


@pytest.mark.parametrize("scheme", ["Basic", "basic", "Bear", "", "Digest"])
def test_only_a_bearer_comes_from_anywhere(http: Caller, tables: Tables, scheme: str) -> None:
    game = tables.create(PEOPLE).game.id
    foreign = {"origin": "https://evil.example", "authorization": f"{scheme} {ME}"}
    assert http.post(f"/api/games/{game}/resign", token="", headers=COOKIE | foreign).status == 403
    assert http.post(f"/api/games/{game}/resign", headers={"origin": "https://evil.example"}).status == 200


@pytest.mark.parametrize(
    ("origin", "https", "status"),
    [
        ("http://localhost", False, 200),
        ("https://localhost", False, 403),
        ("https://localhost", True, 200),
        ("http://localhost", True, 403),
    ],
)
def test_an_origin_has_our_scheme(http: Caller, tables: Tables, origin: str, https: bool, status: int) -> None:
    game = tables.create(PEOPLE).game.id
    answer = http.post(f"/api/games/{game}/resign", token="", headers=COOKIE | {"origin": origin}, https=https)
    assert answer.status == status


@pytest.mark.parametrize(("proto", "status"), [("https", 200), ("http", 403)])
def test_a_proxy_says_the_scheme_of_our_origin(tables: Tables, proto: str, status: int) -> None:
    with server(tables, proxies=(PROXY,)) as http:
        game = tables.create(PEOPLE).game.id
        headers = COOKIE | {"origin": "https://localhost", "x-forwarded-proto": proto}
        assert http.post(f"/api/games/{game}/resign", token="", headers=headers).status == status


@pytest.mark.parametrize(
    "token", ["short", "a" * 24, "abcabcabcabcabcabcabcabc", "", "é" * 10 + "0123456789abcdef", "x" * 200]
)
def test_a_weak_token_is_refused_and_not_replaced(http: Caller, tables: Tables, token: str) -> None:
    game = tables.create(PEOPLE).game.id
    bearer = {"authorization": f"Bearer {token}"}
    for answer in (
        http.post("/api/games", {}, token="", headers=bearer),
        http.get(f"/api/games/{game}", token="", headers=bearer),
        http.get("/", token="", headers=bearer),
    ):
        assert (answer.status, answer.header("www-authenticate")) == (401, "Bearer")
        assert not answer.header("set-cookie")
