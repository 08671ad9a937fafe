"""Three servers on one PostgreSQL behind nginx: what one of them has acknowledged, all of them show."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from endurance import races
from jaipur.table import Tables
from tests.support.server import FRIEND, ME, PEOPLE, STRANGER, Answer, Caller, play_some
from tests.support.several_servers import SERVERS, Sites

pytestmark = [pytest.mark.slow, pytest.mark.parametrize("_database", ["hopping"], indirect=True)]

LOOKS = 4 * SERVERS
"""After this many requests, all servers have been asked."""


def everywhere(http: Caller, path: str, token: str = ME) -> bytes:
    """The answer that all servers give to one request."""
    answers = {http.get(path, token=token).body for _ in range(LOOKS)}
    assert len(answers) == 1
    return answers.pop()


def begun(http: Caller) -> str:
    """A game between two people who took their seats over the network."""
    made = http.post("/api/games", {"kind": "friend", "name": "Ann"}).json
    everywhere(http, f"/api/games/{made['game']}")
    assert http.post(f"/api/invites/{made['invite']}", {"name": "Bob"}, token=FRIEND).status == 200
    return str(made["game"])


def turn(http: Caller, game: str, wanted: str = "") -> Answer:
    """Plays a move for whoever's turn it is, with `wanted` in it if possible: a dash asks for an exchange."""
    path = f"/api/games/{game}"
    token = (ME, FRIEND)[http.get(path).json["turn"]]
    seen = http.get(path, token=token).json
    moves = [move for move in seen["legal"] if wanted in move[1:]] or seen["legal"]
    return http.post(f"{path}/moves", {"move": moves[0], "ply": seen["ply"]}, token=token)


def test_a_race_for_each_ply_fits_one_log(sites: Sites) -> None:
    with sites.site() as site:
        figures = races.run(site.port, site.address, 40, 60)
    assert (figures["plies"], figures["plies_without_one_winner"]) == (40, 0)
    assert figures["faults_of_the_history"] == 0, figures


def test_each_step_is_seen_at_every_server(http: Caller) -> None:
    """Joining, moves, an offer and its answer, the end and the next match; and a stranger, who sees nothing."""
    game = begun(http)
    path = f"/api/games/{game}"
    for number in range(2, 8):
        assert turn(http, game).json["number"] == number
        assert json.loads(everywhere(http, path))["number"] == number
    assert http.post(f"{path}/resign").status == 200
    assert json.loads(everywhere(http, path, FRIEND))["status"] == "over"
    assert http.post(f"{path}/rematch").status == 200
    assert json.loads(everywhere(http, path, FRIEND))["asked"] == {"seat": 0, "what": "rematch"}
    new = http.post(f"{path}/agree", token=FRIEND).json["view"]["rematch"]
    assert json.loads(everywhere(http, f"/api/games/{new}"))["status"] == "playing"
    assert {http.get(path, token=STRANGER).status for _ in range(LOOKS)} == {403}


def test_a_move_is_taken_back_by_consent_wherever_it_is_asked(http: Caller) -> None:
    game = begun(http)
    path = f"/api/games/{game}"
    while "-" not in (played := turn(http, game, "-").json["view"]["log"][-1])["move"][1:]:
        pass
    before = json.loads(everywhere(http, path))
    asks, answers = (ME, FRIEND) if played["seat"] == 0 else (FRIEND, ME)
    key = {"idempotency-key": "back"}
    assert {http.post(f"{path}/undo", token=asks, headers=key).status for _ in range(LOOKS)} == {200}
    assert http.post(f"{path}/agree", token=asks).status == 409
    assert http.post(f"{path}/agree", token=answers).status == 200
    after = json.loads(everywhere(http, path))
    assert len(after["log"]) == len(before["log"]) - 1
    assert after["number"] == before["number"] + 2


def test_one_key_counts_once_at_all_servers(http: Caller, tables: Tables) -> None:
    """The same request many times at once, to any of them: one event, and the same answer for all."""
    game = tables.create(PEOPLE).game.id
    for number in range(1, 6):
        table = tables.open(game)
        wish = {"move": str(table.match.round.legal_moves()[0]), "ply": table.ply}

        def send(_racer: int, wish: object = wish, token: str = (ME, FRIEND)[table.turn or 0]) -> Answer:
            with http.another(token) as racer:
                return racer.post(f"/api/games/{game}/moves", wish, headers={"idempotency-key": f"key {wish}"})

        with ThreadPoolExecutor(LOOKS) as pool:
            answers = list(pool.map(send, range(LOOKS)))
        assert {(answer.status, answer.body) for answer in answers} == {(200, answers[0].body)}
        assert len(tables.store.events(game)) == number


def test_one_key_sets_up_one_game(http: Caller, tables: Tables) -> None:
    wish, key = {"kind": "bot", "level": "pedlar"}, {"idempotency-key": "new"}
    assert len({http.post("/api/games", wish, headers=key).json["game"] for _ in range(LOOKS)}) == 1
    assert len(tables.store.game_ids()) == 1


def test_a_stream_resumes_at_another_server(http: Caller, tables: Tables) -> None:
    """It continues after the last number heard: each event once and in order, however often the stream breaks."""
    game = tables.create(PEOPLE).game.id
    heard: list[str] = []
    for number in range(1, LOOKS + 1):
        last = {"last-event-id": str(number - 1)}
        stream = http.listen(f"/api/games/{game}/events", lambda: play_some(tables, game, 1), headers=last)
        heard += [line for line in stream.text.splitlines() if line.startswith("id:")]
    assert heard == [f"id: {number}" for number in range(1, LOOKS + 1)]
    whole = http.get(f"/api/games/{game}/events", until=LOOKS).text
    assert [line for line in whole.splitlines() if line.startswith("id:")] == heard


def test_an_emote_with_one_key_is_heard_once(http: Caller, tables: Tables) -> None:
    game = tables.create(PEOPLE).game.id

    def say_again_and_again() -> None:
        with http.another(ME) as other:
            wish = {"emote": "hello", "key": "same"}
            assert {other.post(f"/game/{game}/emote", wish, cookie=True).status for _ in range(LOOKS)} == {303}
        play_some(tables, game, 1)

    told = http.listen(f"/api/games/{game}/events", say_again_and_again, until=2, token=FRIEND)
    assert told.text.count("event: emote") == 1
