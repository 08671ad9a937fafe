"""A request sent twice with one key counts once and gets the same answer; reusing a key for another is refused."""

import pytest

from jaipur import Match, Record
from jaipur.table import KeyUsed, Tables
from tests.support.server import BOTS, FRIEND, ME, ONE_SCREEN, PEOPLE, Answer, Caller, multipart, my_turn

pytestmark = [pytest.mark.each_database, pytest.mark.both_databases]

KEY = {"idempotency-key": "one key"}


def move_of(tables: Tables, game: str) -> dict[str, object]:
    table = tables.open(game)
    return {"move": str(table.match.round.legal_moves()[0]), "ply": table.ply}


def test_a_move_at_one_screen_repeats(http: Caller, tables: Tables) -> None:
    """In between, the turn has passed to the other seat, which belongs to the same person."""
    game = tables.create(ONE_SCREEN).game.id
    wish = move_of(tables, game)
    first, second = (http.post(f"/api/games/{game}/moves", wish, headers=KEY) for _ in range(2))
    assert (first.status, second.status) == (200, 200)
    assert first.body == second.body
    assert len(tables.store.events(game)) == 1


def test_two_players_may_use_the_same_key(http: Caller, tables: Tables) -> None:
    game = tables.create(PEOPLE).game.id
    tokens = (ME, FRIEND) if tables.open(game).turn == 0 else (FRIEND, ME)
    wishes = []
    for token in tokens:
        wishes.append(move_of(tables, game))
        assert http.post(f"/api/games/{game}/moves", wishes[-1], token=token, headers=KEY).status == 200
    again = http.post(f"/api/games/{game}/moves", wishes[0], token=tokens[0], headers=KEY)
    assert (again.status, again.json["number"]) == (200, 1)


@pytest.mark.parametrize("change", [{"ply": 7}, {"move": "-DDDDD"}])
def test_the_same_key_with_another_move_or_ply_is_refused(
    http: Caller, tables: Tables, change: dict[str, object]
) -> None:
    game = tables.create(ONE_SCREEN).game.id
    wish = move_of(tables, game)
    assert http.post(f"/api/games/{game}/moves", wish, headers=KEY).status == 200
    refused = http.post(f"/api/games/{game}/moves", wish | change, headers=KEY)
    assert (refused.status, "key" in refused.json["error"]) == (422, True)
    assert len(tables.store.events(game)) == 1


def new_game(http: Caller, token: str = ME, /, **wish: object) -> Answer:
    return http.post("/api/games", {"kind": "bot", "name": "Ann"} | wish, token=token, headers=KEY)


def test_a_game_is_set_up_once(http: Caller, tables: Tables) -> None:
    first, second = new_game(http), new_game(http)
    assert first.lasting == second.lasting
    assert first.status == 201
    assert len(tables.store.game_ids()) == 1
    assert new_game(http, FRIEND).json["game"] != first.json["game"]


@pytest.mark.parametrize(
    "change", [{"kind": "friend"}, {"level": "pedlar"}, {"name": "Bob"}, {"watchable": True}, {"kind": "one-screen"}]
)
def test_the_same_key_for_another_game_is_refused(http: Caller, tables: Tables, change: dict[str, object]) -> None:
    assert new_game(http).status == 201
    assert new_game(http, ME, **change).status == 422
    assert len(tables.store.game_ids()) == 1


def test_the_same_key_for_another_pace_is_refused(http: Caller, tables: Tables) -> None:
    paces = [{"pace": "5+5"}, {"pace": "5+5"}, {"pace": "10+10"}, {}]
    assert [new_game(http, ME, kind="friend", **pace).status for pace in paces] == [201, 201, 422, 422]
    assert len(tables.store.game_ids()) == 1


def test_the_same_key_for_a_hint_at_another_ply_is_refused(tables: Tables) -> None:
    game = my_turn(tables)
    ply = tables.open(game).ply
    for _ in range(2):
        assert tables.hint(tables.open(game), 0, ply, "one key").hint_step == 1
    with pytest.raises(KeyUsed):
        tables.hint(tables.open(game), 0, ply + 2, "one key")


def test_those_who_watch_two_bots_may_use_the_same_key(http: Caller, tables: Tables) -> None:
    """Nobody holds a seat there."""
    game = tables.create(BOTS).game.id
    for token, speed in ((ME, "slow"), (FRIEND, "fast"), (ME, "slow")):
        wish = {"speed": speed, "key": "one key"}
        assert http.post(f"/game/{game}/speed", wish, token=token, cookie=True).status == 303
    assert [event.text for event in tables.store.events(game)] == ["slow", "fast"]
    other = http.post(f"/game/{game}/speed", {"speed": "normal", "key": "one key"}, cookie=True)
    assert "key was used" in other.text


def test_a_game_repeats_after_the_friend_has_come(http: Caller) -> None:
    first = new_game(http, kind="friend")
    assert http.post(f"/api/invites/{first.json['invite']}", {"name": "Bob"}, token=FRIEND).status == 200
    again = new_game(http, kind="friend")
    assert (again.status, again.json["game"]) == (201, first.json["game"])


def test_a_key_without_a_token_is_refused(http: Caller, tables: Tables) -> None:
    """Without a token the repeated request would come from somebody new, and would set up another game."""
    refused = new_game(http, "")
    assert refused.status == 400
    assert "token" in refused.json["error"]
    assert tables.store.game_ids() == []


def upload(http: Caller, match: Match) -> Answer:
    return http.post("/records", **multipart(str(Record(match, ("Ann", "Bob"))), "one key"), cookie=True)


def test_another_record_with_the_same_key_is_refused(http: Caller, tables: Tables) -> None:
    match = Match(1)
    match.play(match.round.legal_moves()[0])
    assert upload(http, match).status == upload(http, match).status == 303
    match.play(match.round.legal_moves()[0])
    assert upload(http, match).status == 422
    assert upload(http, Match(2)).status == 422
    assert len(tables.store.game_ids()) == 1
