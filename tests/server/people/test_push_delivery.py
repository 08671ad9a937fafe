"""Web push: which addresses are sent to, and what happens when a message does not arrive."""

import asyncio
import logging
from urllib.parse import urlsplit

import pytest

from jaipur.server.people.push import sender as sender_module
from jaipur.server.people.push.delivery import BadEndpoint, Delivery, is_public
from jaipur.server.people.push.sender import PushSender
from jaipur.table import Tables
from tests.support.push_service import PushService
from tests.support.pushing import after, rows, subscribe, to_move
from tests.support.server import Caller, play_some


def test_a_browser_that_is_gone_is_forgotten(
    http: Caller, tables: Tables, service: PushService, sender: PushSender, caplog: pytest.LogCaptureFixture
) -> None:
    game = to_move(tables, 1)
    subscribe(http, service.endpoint("secret-address"))
    for status, kept in ((503, 1), (302, 1), (410, 0)):
        service.status = status
        while tables.open(game).turn != 1:
            play_some(tables, game, 1)
        after(http, lambda: play_some(tables, game, 1))
        assert len(rows(tables)) == kept, status
    assert len(service.got) == 3  # redirects were not followed
    logged = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert len(logged) == 2
    assert "503" in logged[0]
    assert not [line for line in logged if "secret-address" in line or str(service.port) in line]


def test_a_service_that_cannot_be_reached_is_one_line(
    http: Caller, tables: Tables, service: PushService, sender: PushSender, caplog: pytest.LogCaptureFixture
) -> None:
    game = to_move(tables, 1)
    subscribe(http, service.endpoint("secret-address"))
    sender.delivery = Delivery(frozenset({service.host}))  # it does not trust the service's certificate
    after(http, lambda: play_some(tables, game, 1))
    (line,) = [record.getMessage() for record in caplog.records if record.name.startswith("jaipur.server.people.push")]
    assert "did not arrive" in line
    assert "secret" not in line
    assert "localhost" not in line
    assert service.got == []


@pytest.mark.parametrize(
    "endpoint",
    [
        "",
        "nonsense",
        "http://push.example/send",
        "https://push.example:8443/send",
        "https://push.example:99999/send",
        "https://user@push.example/send",
        "https://push.example/send#part",
        "https://push.example/se nd",
        "https://push.example/send\r\nX: y",
        "https://push.example/é",
        "https://localhost/send",
        "https://localhost./send",
        "https://127.0.0.1/send",
        "https://127.1/send",
        "https://2130706433/send",
        "https://0x7f.0.0.1/send",
        "https://10.0.0.1/send",
        "https://169.254.169.254/latest",
        "https://[::1]/send",
        "https://[::ffff:127.0.0.1]/send",
        "https://[fe80::1%25eth0]/send",
        "https://[/send",
        "https://push.example/" + "x" * 1000,
    ],
)
def test_an_address_that_is_no_push_service_is_refused(endpoint: str) -> None:
    with pytest.raises(BadEndpoint):
        Delivery().target(endpoint)


def test_the_address_of_a_push_service_is_taken_apart() -> None:
    target = Delivery().target("https://push.example/send/abc?d=e")
    assert (target.hostname, target.path, target.query) == ("push.example", "/send/abc", "d=e")


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("8.8.8.8", True),
        ("2606:4700::1111", True),
        ("127.0.0.1", False),
        ("0.0.0.0", False),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("100.64.0.1", False),
        ("169.254.169.254", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::", False),
        ("::1", False),
        ("::ffff:10.0.0.1", False),
        ("64:ff9b::7f00:1", False),
        ("2002:7f00:1::", False),
        ("fc00::1", False),
        ("fe80::1%eth0", False),
        ("ff02::1", False),
        ("nonsense", False),
    ],
)
def test_which_addresses_are_public(address: str, public: bool) -> None:
    assert is_public(address) is public


def test_a_name_that_leads_to_this_machine_is_not_followed() -> None:
    """Whatever a host name resolved to when it was given, what counts is where it leads when a message is sent."""
    with pytest.raises(BadEndpoint):
        asyncio.run(Delivery().post(urlsplit("https://localhost/"), {}, b""))


@pytest.mark.parametrize("said", [b"", b"HTTP/1.1 2", b"x" * 5000, b"SSH-2.0-hello\r\n", b"HTTP/1.1 abc\r\n"])
def test_a_service_that_talks_nonsense_or_nothing_is_left(service: PushService, said: bytes) -> None:
    """A server that speaks TLS but then does not answer, or not as a web server would."""

    async def posted() -> None:
        async def answer(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(said)
            await asyncio.sleep(5 if said in {b"", b"HTTP/1.1 2"} else 0)
            writer.close()

        listening = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=service.serving)
        port = listening.sockets[0].getsockname()[1]
        delivery = Delivery(frozenset({f"localhost:{port}"}), service.tls, seconds=0.3)
        try:
            await delivery.post(delivery.target(f"https://localhost:{port}/send"), {}, b"hello")
        finally:
            await delivery.close()
            listening.close()

    with pytest.raises(OSError):  # noqa: PT011 - the end of time, or what is no answer
        asyncio.run(posted())


def test_what_waits_is_bounded(
    http: Caller, tables: Tables, service: PushService, sender: PushSender, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [to_move(tables, 1) for _game in range(3)]
    subscribe(http, service.endpoint())
    monkeypatch.setattr(sender_module, "_MOST_CALLS", 2)
    sender.presence.away_seconds = 0.1
    after(http, lambda: [play_some(tables, game, 1) for game in games])
    assert len(service.got) == 2
