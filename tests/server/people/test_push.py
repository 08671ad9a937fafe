"""Web push: who is notified, with what, and how often."""

import asyncio
import random
from functools import partial
from pathlib import Path

import pytest

from jaipur import Match, Move, Rng
from jaipur.server.live.hub import Hub
from jaipur.server.live.messages import Called, Message, Present
from jaipur.server.live.presence import Presence
from jaipur.server.people.push.keys import Keys, make_keys
from jaipur.server.people.push.sender import PushSender
from jaipur.table import Seating, Tables
from tests.support.push_service import PushService, from_base64url
from tests.support.pushing import BROWSER, CONTACT, after, calls_made, pushing, subscribe, to_move, told
from tests.support.server import BOT, FRIEND, ME, ONE_SCREEN, PAIR, PEOPLE, Caller, my_turn, play_some, server
from tests.support.twins import make_twins


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
            await asyncio.sleep(0)
            await calls_made(sender)

    http.runner.run(looking())
    assert service.got == []
    after(http, lambda: play_some(tables, game, 2))
    assert len(service.got) == 1


def test_nobody_is_called_whose_page_is_open_at_another_process(
    http: Caller, tables: Tables, service: PushService, sender: PushSender, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And whoever closes it just after a move, of which this process hears a little later, is called."""
    game, presence = to_move(tables, 1), sender.presence
    subscribe(http, service.endpoint())
    presence.on_present(Present(game, 0, "another", here=True))
    for _turn in range(2):
        after(http, lambda: play_some(tables, game, 1))
    assert service.got == []
    listens = presence.listens_elsewhere

    def closed_now(place: tuple[str, int]) -> bool:
        found = listens(place)
        presence.on_present(Present(game, 0, "another", here=False))
        return found

    monkeypatch.setattr(presence, "listens_elsewhere", closed_now)
    after(http, lambda: play_some(tables, game, 1))
    assert len(service.got) == 1


def _called(presence: Presence, message: Message) -> None:
    assert isinstance(message, Called)
    presence.on_called(message)


def test_two_processes_call_once(http: Caller, tables: Tables, service: PushService, sender: PushSender) -> None:
    """Both hear of every event here, and each tells the other what it does."""
    game = to_move(tables, 1)
    subscribe(http, service.endpoint())
    other = PushSender(tables, Presence(Hub(tables), 0.0), sender.keys, sender.delivery)
    for here, there in ((sender, other), (other, sender)):
        here.presence.tellers.append(partial(_called, there.presence))
    http.runner.run(other.start())
    after(http, lambda: play_some(tables, game, 1))
    http.runner.run(calls_made(other))
    http.runner.run(other.stop())
    assert len(service.got) == 1


def test_one_message_for_a_turn(http: Caller, tables: Tables, service: PushService, sender: PushSender) -> None:
    game = to_move(tables, 1)
    subscribe(http, service.endpoint())
    after(http, lambda: play_some(tables, game, 1))
    event = tables.store.events(game)[-1]
    after(http, lambda: sender.on_event(tables.open(game), event))
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
    with pytest.MonkeyPatch.context() as patch, make_twins(patch) as pair:
        seat = 1 - match.round.turn
        game = pair.create(PEOPLE, match, [seat], chance)
        legal = [set(map(str, one.legal_moves())) for one in pair.rounds(game)]
        move = min(legal[0] & legal[1])

        def called(which: int) -> list[bytes]:
            service.got.clear()
            http, tables = pair.callers[which], pair.tables[which]
            with pushing(http, service):
                for token in (ME, FRIEND):
                    subscribe(http, service.endpoint(token), token)
                table = tables.open(game)
                after(http, lambda: tables.move(table, 1 - seat, table.ply, Move.parse(move)))
            return [BROWSER.read(got.body) for got in service.got]

        first, second = pair.both(called)
        assert first == second
        assert len(first) == 1


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
