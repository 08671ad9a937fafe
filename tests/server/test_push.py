"""Web push: who is called, with what, how often, and to where nothing is sent."""

import asyncio
import json
import logging
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from jaipur import Match, Move, Rng
from jaipur.server.app import call_by_push, make_app
from jaipur.server.push import sender as postman_module
from jaipur.server.push.delivery import BadEndpoint, Delivery, Target, is_public
from jaipur.server.push.encryption import encrypted
from jaipur.server.push.keys import Keys, make_keys
from jaipur.server.push.sender import PushSender
from jaipur.store.subscriptions import MOST_EACH, Subscription, Subscriptions
from jaipur.table import Seating, Tables, hashed
from tests.server.harness import (
    BOT,
    FRIEND,
    ME,
    ONE_SCREEN,
    PAIR,
    PEOPLE,
    STRANGER,
    Answer,
    Caller,
    my_turn,
    play_some,
    server,
)
from tests.server.push_service import Browser, Got, PushService, from_base64url, push_service
from tests.server.test_people import device_link, send
from tests.server.twins import twins

CONTACT = "mailto:operator@example.org"
BROWSER = Browser()


@pytest.fixture(name="service")
def _service() -> Iterator[PushService]:
    with push_service() as service:
        yield service


@contextmanager
def pushing(http: Caller, service: PushService) -> Iterator[PushSender]:
    """A server with push, whose messages wait for nobody and can go to this machine."""
    assert http.services is not None
    services = http.services
    services.presence.away_seconds = 0.0
    keys = Keys(ec.generate_private_key(ec.SECP256R1()), CONTACT)
    delivery = Delivery(frozenset({service.host}), service.tls)
    call_by_push(services, PushSender(services.tables, services.presence, keys, delivery))
    assert services.push is not None
    http.app = make_app(services)
    http.runner.run(services.push.start())
    yield services.push
    http.runner.run(services.push.stop())


@pytest.fixture(name="sender")
def _sender(http: Caller, service: PushService) -> Iterator[PushSender]:
    with pushing(http, service) as sender:
        yield sender


def subscribe(http: Caller, endpoint: str, token: str = ME, lang: str = "en") -> Answer:
    return http.post(
        "/push", {"endpoint": endpoint, **BROWSER.keys}, token=token, cookie=True, headers={"accept-language": lang}
    )


def after(http: Caller, do: Callable[[], object]) -> None:
    """Does something, and waits until everybody was called who is to be called."""
    assert http.services is not None
    assert http.services.push is not None
    sender = http.services.push

    async def settled() -> None:
        await asyncio.to_thread(do)
        await asyncio.sleep(0)
        while sender._timers:
            await asyncio.sleep(0.005)
        await sender._queue.join()

    http.runner.run(settled())


def told(got: Got) -> dict[str, str]:
    """What a browser shows."""
    words: dict[str, str] = json.loads(BROWSER.read(got.body).rstrip(b"\x00"))
    return words


def rows(tables: Tables, holder: str = PAIR[0]) -> list[str]:
    return [found.endpoint for found in Subscriptions(tables.store).of(holder)]


def to_move(tables: Tables, seat: int) -> str:
    """A game of two people in which it is the turn of this seat."""
    game = tables.create(PEOPLE).game.id
    while tables.open(game).turn != seat:
        play_some(tables, game, 1)
    return game


# What is sent.


def test_a_message_is_encrypted_as_the_standard_shows() -> None:
    """The example of RFC 8291, appendix A."""
    browser = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    scalar = int.from_bytes(from_base64url("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big")
    body = encrypted(
        b"When I grow up, I want to be a watermelon",
        browser,
        "BTBZMqHH6r4Tts7J_aSIgg",
        ec.derive_private_key(scalar, ec.SECP256R1()),
        from_base64url("DGv6ra1nlYgDCS1FRnbzlw"),
        padded=0,
    )
    assert body == from_base64url(
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6Tlz"
        "AC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_whoever_is_away_is_called_to_their_turn(
    http: Caller, tables: Tables, service: PushService, sender: PushSender
) -> None:
    game = to_move(tables, 1)
    assert subscribe(http, service.endpoint("ann")).status == 204
    assert subscribe(http, service.endpoint("anne"), lang="fr").status == 204
    after(http, lambda: play_some(tables, game, 1))
    english, french = sorted(service.got, key=lambda got: got.path)
    assert told(english) == {"title": "Your turn", "body": "In your game with Bob.", "game": game}
    assert told(french) == {"title": "À vous", "body": "Dans votre partie avec Bob.", "game": game}
    claims = english.claims()
    assert (claims["aud"], claims["sub"]) == (f"https://{service.host}", CONTACT)
    assert claims["k"] == sender.keys.public
    assert 0 < claims["exp"] - tables.clock() / 1000 <= 24 * 3600
    assert english.headers["ttl"] == "86400"
    assert game not in english.headers["topic"]
    assert len(from_base64url(english.headers["topic"])) <= 24
    assert len(english.body) == len(french.body)


def test_a_newer_message_of_a_game_takes_the_place_of_an_older_one(
    http: Caller, tables: Tables, service: PushService, sender: PushSender
) -> None:
    first, second = to_move(tables, 1), to_move(tables, 1)
    subscribe(http, service.endpoint())
    for game, turns in ((first, 1), (first, 2), (second, 1)):
        after(http, lambda game=game, turns=turns: play_some(tables, game, turns))  # type: ignore[misc]
    topics = [got.headers["topic"] for got in service.got]
    assert len(topics) == 3
    assert topics[0] == topics[1] != topics[2]


def test_nobody_is_called_who_looks(http: Caller, tables: Tables, service: PushService, sender: PushSender) -> None:
    game = to_move(tables, 1)
    subscribe(http, service.endpoint())

    async def looking() -> None:
        with sender.presence.present(tables.open(game), 0):
            await asyncio.to_thread(play_some, tables, game, 1)
            await asyncio.sleep(0.05)
            await sender._queue.join()

    http.runner.run(looking())
    assert service.got == []
    after(http, lambda: play_some(tables, game, 2))
    assert len(service.got) == 1


def test_one_message_for_a_turn(http: Caller, tables: Tables, service: PushService, sender: PushSender) -> None:
    game = to_move(tables, 1)
    subscribe(http, service.endpoint())
    after(http, lambda: play_some(tables, game, 1))
    event = tables.store.events(game)[-1]
    after(http, lambda: sender._told(game, event))
    assert len(service.got) == 1


def test_a_question_calls(http: Caller, tables: Tables, service: PushService, sender: PushSender) -> None:
    game = tables.create(PEOPLE).game.id
    subscribe(http, service.endpoint())
    tables.resign(tables.open(game), 1)
    after(http, lambda: tables.rematch(tables.open(game), 1))
    assert [told(got)["title"] for got in service.got] == ["A question for you"]


def test_a_score_sheet_calls_the_one_who_did_not_end_the_round(
    http: Caller, tables: Tables, service: PushService, sender: PushSender
) -> None:
    game = tables.create(PEOPLE).game.id
    subscribe(http, service.endpoint("ann"))
    subscribe(http, service.endpoint("bob"), FRIEND)
    after(http, lambda: play_some(tables, game))
    ended_by = tables.store.events(game)[-1].seat
    sheets = [got.path for got in service.got if told(got)["title"] == "The round is over"]
    assert sheets == ["/send/bob" if ended_by == 0 else "/send/ann"]


@pytest.mark.parametrize("seating", [BOT, ONE_SCREEN], ids=lambda seating: seating.kind)
def test_only_games_with_a_friend_call(
    http: Caller, tables: Tables, service: PushService, sender: PushSender, seating: Seating
) -> None:
    game = my_turn(tables, seating)
    subscribe(http, service.endpoint())
    after(http, lambda: play_some(tables, game, 4))
    assert service.got == []


def test_a_rematch_calls_whoever_starts(http: Caller, tables: Tables, service: PushService, sender: PushSender) -> None:
    game = tables.create(PEOPLE).game.id
    tables.resign(tables.open(game), 0)
    tables.rematch(tables.open(game), 0)
    subscribe(http, service.endpoint("ann"))
    subscribe(http, service.endpoint("bob"), FRIEND)
    after(http, lambda: tables.answer(tables.open(game), 1, agreed=True))
    new = tables.open(tables.open(game).rematch or "")
    starter = new.held_by(PAIR[0]) == [new.turn]
    called = [(got.path, told(got)["game"]) for got in service.got]
    assert called == [("/send/ann" if starter else "/send/bob", new.game.id)]


@pytest.mark.parametrize("seed", range(3))
def test_games_that_differ_in_secrets_send_the_same(service: PushService, seed: int) -> None:
    chance = random.Random(seed)
    match = Match(chance.randbytes(32))
    rng = Rng(seed + 1)
    for _turn in range(8 + seed):
        moves = match.round.legal_moves()
        match.play(moves[rng.below(len(moves))])
    with pytest.MonkeyPatch.context() as patch, twins(patch) as pair:
        seat = 1 - match.round.turn
        game = pair.create(PEOPLE, match, [seat], chance)
        legal = [set(map(str, one.legal_moves())) for one in pair.rounds(game)]
        move = min(legal[0] & legal[1])

        def called(house: int) -> list[bytes]:
            service.got.clear()
            http, tables = pair.callers[house], pair.rooms[house]
            with pushing(http, service):
                for token in (ME, FRIEND):
                    subscribe(http, service.endpoint(token), token)
                table = tables.open(game)
                after(http, lambda: tables.move(table, 1 - seat, table.ply, Move.parse(move)))
            return [BROWSER.read(got.body) for got in service.got]

        first, second = pair.both(called)
        assert first == second
        assert len(first) == 1


# Where it is sent, and what is kept.


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
    assert len(service.got) == 3  # nobody went where the answer pointed
    logged = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert len(logged) == 2
    assert "503" in logged[0]
    assert not [line for line in logged if "secret-address" in line or str(service.port) in line]


def test_a_service_that_cannot_be_reached_is_one_line(
    http: Caller, tables: Tables, service: PushService, sender: PushSender, caplog: pytest.LogCaptureFixture
) -> None:
    game = to_move(tables, 1)
    subscribe(http, service.endpoint("secret-address"))
    sender.delivery = Delivery(frozenset({service.host}))  # which does not know its certificate
    after(http, lambda: play_some(tables, game, 1))
    (line,) = [record.getMessage() for record in caplog.records if record.name.startswith("jaipur.server.push")]
    assert "did not arrive" in line
    assert "secret" not in line
    assert "localhost" not in line
    assert service.got == []


def test_the_life_of_a_subscription(http: Caller, tables: Tables, service: PushService, sender: PushSender) -> None:
    subscribe(http, service.endpoint())
    assert rows(tables) == []  # nobody calls whoever sits nowhere
    tables.create(PEOPLE)
    subscribe(http, service.endpoint())
    subscribe(http, service.endpoint())
    assert rows(tables) == [service.endpoint()]
    subscribe(http, service.endpoint(), FRIEND)  # the same browser, and somebody else now
    assert (rows(tables), rows(tables, PAIR[1])) == ([], [service.endpoint()])
    assert http.post("/push/stop", {"endpoint": service.endpoint()}, cookie=True).status == 204
    assert rows(tables, PAIR[1]) == []
    for number in range(MOST_EACH + 3):
        subscribe(http, service.endpoint(str(number)))
    assert rows(tables) == [service.endpoint(str(number)) for number in range(MOST_EACH + 2, 2, -1)]
    http.post("/push/stop", {"endpoint": service.endpoint(str(MOST_EACH + 2))}, cookie=True)
    assert len(rows(tables)) == MOST_EACH - 1  # older ones do not come back


def test_forget_me_and_another_device(http: Caller, tables: Tables, service: PushService, sender: PushSender) -> None:
    tables.create(PEOPLE)
    send(http, "/games", {"kind": "friend"}, token=STRANGER)
    subscribe(http, service.endpoint("phone"), STRANGER)
    link = device_link(http)
    assert send(http, f"/device/{link}", {}, token=STRANGER).status == 303
    assert rows(tables, hashed(STRANGER)) == []
    assert rows(tables) == [service.endpoint("phone")]
    assert send(http, "/me/forget", {}).status == 200
    assert rows(tables) == []


def test_old_subscriptions_are_cleared_out(http: Caller, tables: Tables, service: PushService) -> None:
    assert http.services is not None
    kept = Subscriptions(tables.store)
    day = 24 * 3600 * 1000
    now = 800 * day
    tables.clock = lambda: now
    for age in (731, 729):
        kept.keep(Subscription(PAIR[0], service.endpoint(str(age)), "", "", "en", now - age * day))
    http.services.housekeeping.sweep()
    assert rows(tables) == [service.endpoint("729")]


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
    assert (target.host, target.port, target.path) == ("push.example", 443, "/send/abc?d=e")
    assert target.origin == "https://push.example"


_BAD_FIELDS: list[dict[str, str]] = [
    {"endpoint": ""},
    {"endpoint": "https://127.0.0.1/send"},
    {"endpoint": "https://push.example/" + "x" * 3000},
    {"p256dh": "", "auth": ""},
    {"p256dh": "AAAA"},
    {"p256dh": "B" * 87},
    {"p256dh": "é" * 20},
    {"auth": "AAAA"},
    {"auth": "!" * 22},
    {"auth": "x" * 3000},
]


def test_nothing_is_kept_of_a_bad_subscription(
    http: Caller, tables: Tables, service: PushService, sender: PushSender
) -> None:
    tables.create(PEOPLE)
    good = {"endpoint": service.endpoint(), **BROWSER.keys}
    for bad in _BAD_FIELDS:
        answer = http.post("/push", good | bad, cookie=True)
        assert answer.status in {400, 422}, bad
        assert http.raised is None
        assert rows(tables) == []
    assert http.post("/push", good, cookie=True).status == 204


def test_other_sites_cannot_subscribe(http: Caller, tables: Tables, service: PushService, sender: PushSender) -> None:
    tables.create(PEOPLE)
    wanted = {"endpoint": service.endpoint(), **BROWSER.keys}
    assert http.post("/push", wanted, cookie=True, headers={"sec-fetch-site": "cross-site"}).status == 403
    assert rows(tables) == []


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
    """Whatever a name said when it was given, what counts is where it leads when something is sent."""
    target = Target("localhost", 443, "localhost", "/")
    delivery = Delivery()
    with pytest.raises(BadEndpoint):
        asyncio.run(delivery.post(target, {}, b""))
    delivery.close()


@pytest.mark.parametrize("said", [b"", b"HTTP/1.1 2", b"x" * 5000, b"SSH-2.0-hello\r\n", b"HTTP/1.1 abc\r\n"])
def test_a_service_that_talks_nonsense_or_nothing_is_left(service: PushService, said: bytes) -> None:
    """A server that speaks TLS and then does not answer, or not as a web server would."""

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
            delivery.close()
            listening.close()

    with pytest.raises(OSError):  # noqa: PT011 - the end of time, or what is no answer
        asyncio.run(posted())


def test_what_waits_is_bounded(
    http: Caller, tables: Tables, service: PushService, sender: PushSender, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [to_move(tables, 1) for _game in range(3)]
    subscribe(http, service.endpoint())
    monkeypatch.setattr(postman_module, "_MOST_WAITING", 2)
    sender.presence.away_seconds = 0.1
    after(http, lambda: [play_some(tables, game, 1) for game in games])
    assert len(service.got) == 2


# Off, and how to turn it on.


def test_without_keys_there_is_nothing(http: Caller) -> None:
    assert http.get("/sw.js").status == 404
    assert http.post("/push", {"endpoint": "https://push.example/"}, cookie=True).status == 404
    assert "data-push" not in http.get("/", cookie=True).text
    assert "push service" not in http.get("/privacy", cookie=True).text


def test_with_keys_pages_offer_it(http: Caller, sender: PushSender) -> None:
    assert f'data-push="{sender.keys.public}"' in http.get("/", cookie=True).text
    assert "push service" in http.get("/privacy", cookie=True).text
    worker = http.get("/sw.js", token="")
    assert worker.header("content-type").startswith("text/javascript")
    assert worker.header("set-cookie") == ""
    assert "worker-src 'self'" in worker.header("content-security-policy")


def test_keys_are_kept_and_read_again(tmp_path: Path, tables: Tables) -> None:
    path = tmp_path / "push.pem"
    make_keys(path)
    assert path.stat().st_mode & 0o777 == 0o600
    with server(tables, push_keys=str(path), push_contact=CONTACT) as http:
        assert http.services is not None
        assert http.services.push is not None
        assert http.services.push.keys.public == Keys.read(str(path), CONTACT).public
        assert http.get("/sw.js").status == 200
