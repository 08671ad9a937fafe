"""The pages as used by a browser without scripts: forms, their answers, and where they lead."""

import re

import pytest
from sqlalchemy import select

from jaipur import Match, Record, Rng
from jaipur.language import LANGUAGES
from jaipur.record import Ended, Loss
from jaipur.store.schema import results
from jaipur.table import GameKind, Seating, Tables, hashed, invite_secret, see
from tests.support.digest import pick, random_match
from tests.support.server import (
    BOT,
    FRIEND,
    GAME_PAGES,
    ME,
    ONE_SCREEN,
    PEOPLE,
    STRANGER,
    Answer,
    Caller,
    everything,
    folded,
    hosted,
    multipart,
    my_turn,
    play_match,
    play_some,
    server,
)


def form(tables: Tables, game: str, choice: int = 0, **fields: object) -> dict[str, object]:
    """The form of a legal move, as the table's page sends it."""
    table = tables.open(game)
    text = str(pick(table.match.round.legal_moves(), choice))
    take, _minus, give = text.removeprefix("+").partition("-") if text[0] == "+" else ("", "", text[1:])
    return {"ply": table.ply, "take": list(take), "give": list(give), "key": f"key {table.ply}"} | fields


def send(http: Caller, path: str, fields: dict[str, object], **options: object) -> Answer:
    return http.post(path, fields, cookie=True, **options)


def test_nobody_takes_the_name_of_a_program(http: Caller) -> None:
    answer = send(http, "/games", {"kind": "friend", "name": " bot:vizier", "key": "mine"})
    assert answer.status == 400
    assert "stands for a program" in answer.text


def test_a_game_is_set_up_and_played_with_forms(http: Caller, tables: Tables) -> None:
    start = send(http, "/games", {"kind": "bot", "level": "pedlar", "name": "Ann", "key": "once"})
    again = send(http, "/games", {"kind": "bot", "level": "pedlar", "name": "Ann", "key": "once"})
    assert (start.status, again.header("location")) == (303, start.header("location"))
    game = start.header("location").removeprefix("/game/")
    rng = Rng(1)
    while not tables.open(game).match.round.over:
        if tables.open(game).turn == 0:
            answer = send(http, f"/game/{game}/move", form(tables, game, rng.below(1 << 20)))
            assert (answer.status, answer.header("location")) == (303, f"/game/{game}")
        else:
            play_some(tables, game, 1, rng)
        assert http.get(f"/game/{game}", cookie=True).status == 200
    assert send(http, f"/game/{game}/ready", {"key": "r"}).status == 303
    assert len(tables.open(game).match.rounds) == 2
    assert everything(tables.open(game)) == everything(folded(tables, game))


def test_a_form_that_is_sent_twice_counts_once(http: Caller, tables: Tables) -> None:
    game = my_turn(tables)
    fields = form(tables, game)
    answers = [send(http, f"/game/{game}/move", fields) for _ in range(2)]
    assert [answer.status for answer in answers] == [303, 303]
    assert sum(event.key == fields["key"] for event in tables.store.events(game)) == 1


def test_an_illegal_selection_comes_back_with_the_reason(http: Caller, tables: Tables) -> None:
    """R12, and the cards stay selected."""
    game = my_turn(tables)
    good = next(card for card in see(tables.open(game), 0).market if card not in {None, "M"})
    fields = {"ply": tables.open(game).ply, "take": [good], "give": ["M"], "key": "k"}
    for headers in ({}, {"x-fragment": "1"}):
        answer = send(http, f"/game/{game}/move", fields, headers=headers)
        assert answer.status == 422
        assert "R12" in answer.text
        assert ("<html" in answer.text) == (not headers)
    assert tables.open(game).turn == 0


def test_a_stale_form_is_refused_with_the_fresh_table(http: Caller, tables: Tables) -> None:
    game = my_turn(tables)
    stale = form(tables, game) | {"ply": 999}
    answer = send(http, f"/game/{game}/move", stale)
    assert answer.status == 409
    assert "has changed" in answer.text


def test_who_wants_to_be_asked_is_asked(http: Caller, tables: Tables) -> None:
    kept = send(http, "/settings", {"theme": "auto", "confirm": "on"}).header("set-cookie").partition(";")[0]
    headers = {"cookie": f"jaipur_seat={ME}; {kept}"}
    game = my_turn(tables)
    asked = send(http, f"/game/{game}/move", form(tables, game), headers=headers)
    assert (asked.status, tables.open(game).turn) == (200, 0)
    assert 'name="sure"' in asked.text
    assert send(http, f"/game/{game}/move", form(tables, game, sure="on"), headers=headers).status == 303
    assert tables.open(game).turn == 1


def test_an_invitation_from_the_link_to_the_table(http: Caller, tables: Tables) -> None:
    game, link = hosted(tables)
    assert f"/invite/{link}" in http.get(f"/game/{game}", cookie=True).text
    code = http.get(f"/game/{game}/invite.svg", cookie=True)
    assert (code.status, code.header("content-type")) == (200, "image/svg+xml")
    assert "Ann" in http.get(f"/invite/{link}", token=FRIEND, cookie=True).text
    assert http.get(f"/invite/{link}", cookie=True).header("location") == f"/game/{game}"
    joined = send(http, f"/invite/{link}", {"name": "Bob"}, token=FRIEND)
    assert joined.header("location") == f"/game/{game}"
    assert send(http, f"/invite/{link}", {"name": "Eve"}, token=STRANGER).status == 409
    assert http.get(f"/invite/{link}", token=STRANGER, cookie=True).status == 200
    assert http.get(f"/game/{game}/invite.svg", cookie=True).status == 409
    assert f"/invite/{link}" not in http.get(f"/game/{game}", cookie=True).text
    assert http.get("/invite/nothing", cookie=True).status == 404


@pytest.mark.parametrize(("host", "told"), [("localhost:8000", True), ("127.0.0.1", True), ("jaipur.example", False)])
def test_a_link_that_works_on_this_machine_only_says_so(tables: Tables, host: str, told: bool) -> None:
    game, _link = hosted(tables)
    with server(tables, public=True) as http:
        page = http.get(f"/game/{game}", token=ME, cookie=True, headers={"host": host}).text
    assert ("works on this machine only" in page) == told


def test_undo_is_asked_and_answered(http: Caller, tables: Tables) -> None:
    game = tables.create(PEOPLE).game.id
    while not ((table := tables.open(game)).log and re.match(r"\+.*-", table.log[-1].move)):
        moves = table.match.round.legal_moves()
        exchanges = [move for move in moves if move.take and move.give]
        tables.move(tables.open(game), table.turn or 0, table.ply, (exchanges or moves)[0])
    asker, other = (ME, FRIEND) if table.log[-1].seat == 0 else (FRIEND, ME)
    assert send(http, f"/game/{game}/undo", {"key": "u"}, token=other).status == 409
    assert send(http, f"/game/{game}/undo", {"key": "u"}, token=asker).status == 303
    assert f"/game/{game}/agree" in http.get(f"/game/{game}", token=other, cookie=True).text
    assert f"/game/{game}/agree" not in http.get(f"/game/{game}", token=asker, cookie=True).text
    assert send(http, f"/game/{game}/decline", {"key": "d"}, token=other).status == 303
    assert send(http, f"/game/{game}/undo", {"key": "u2"}, token=asker).status == 303
    assert send(http, f"/game/{game}/agree", {"key": "a"}, token=other).status == 303
    assert tables.open(game).log == table.log[:-1]


def test_a_rematch_leads_to_the_new_table(http: Caller, tables: Tables) -> None:
    game = my_turn(tables)
    assert send(http, f"/game/{game}/resign", {"key": "r"}).status == 303
    first = send(http, f"/game/{game}/rematch", {"key": "k"})
    assert first.status == 303
    assert first.header("location") == f"/game/{tables.open(game).rematch}"
    assert send(http, f"/game/{game}/rematch", {"key": "k"}).header("location") == first.header("location")


def cards_shown(text: str, tables: Tables, game: str, seat: int) -> bool:
    """Whether a page lets cards be chosen from this hand."""
    hand = see(tables.open(game), seat).sides[seat].hand
    return bool(hand) and len(re.findall(r'name="give"', text)) >= len(hand or "")


def test_two_at_one_screen_uncover_one_hand_at_a_time(http: Caller, tables: Tables) -> None:
    """R18."""
    game = tables.create(ONE_SCREEN).game.id
    turn = tables.open(game).turn or 0
    assert not cards_shown(http.get(f"/game/{game}", cookie=True).text, tables, game, turn)
    assert not cards_shown(http.get(f"/game/{game}?seat={1 - turn}", cookie=True).text, tables, game, 1 - turn)
    assert cards_shown(http.get(f"/game/{game}?seat={turn}", cookie=True).text, tables, game, turn)
    for query, shown in (("", []), (f"?seat={1 - turn}", []), (f"?seat={turn}", [turn])):
        sides = http.get(f"/api/games/{game}{query}").json["sides"]
        assert [seat for seat in (0, 1) if sides[seat]["hand"] is not None] == shown
    assert http.get(f"/game/{game}?seat={turn}", token=STRANGER, cookie=True).status == 403
    assert send(http, f"/game/{game}/move", form(tables, game, seat=turn)).status == 303
    assert tables.open(game).turn == 1 - turn


@pytest.mark.parametrize("seating", [BOT, PEOPLE, ONE_SCREEN])
def test_a_finished_game_can_be_replayed_checked_and_taken_home(http: Caller, tables: Tables, seating: Seating) -> None:
    game = tables.create(seating).game.id
    table = play_match(tables, game)
    for ply in (0, 1, len(table.log) // 2, len(table.log)):
        assert http.get(f"/game/{game}/replay/{ply}", cookie=True).status == 200
    assert http.get(f"/game/{game}/replay/{len(table.log) + 1}").status == 404
    assert http.get(f"/game/{game}/replay/-1").status == 404
    assert table.match.seed.hex() in http.get(f"/game/{game}/verify", cookie=True).text
    record = Record.parse(http.get(f"/game/{game}/record").text)
    assert (record.match.seed, record.match.winner) == (table.match.seed, table.winner)
    assert http.get(f"/game/{game}", cookie=True).status == 200
    for page in (*GAME_PAGES, f"/replay/{len(table.log)}", "/events"):
        assert http.get(f"/game/{game}{page}", token=STRANGER, cookie=True, until=1).status == 403
    assert http.get(f"/api/games/{game}", token=STRANGER).status == 403


def test_a_game_that_was_given_up_has_pages_too(http: Caller, tables: Tables) -> None:
    """Even if nobody ever took the other seat. What was played can be reviewed; exercises come after a review."""
    played = my_turn(tables)
    play_some(tables, played, 2)
    for game in (played, hosted(tables)[0]):
        table = tables.resign(tables.open(game), 0)
        for path in GAME_PAGES:
            refused = (
                path.startswith("/exercise")
                or (path.startswith("/review") and not table.log)
                or (path == "/invite.svg" and table.full)
            )
            expected = 303 if path == "/replay" else 409 if refused else 200
            assert http.get(f"/game/{game}{path}", cookie=True).status == expected, path


def test_a_rematch_needs_somebody_who_came(http: Caller, tables: Tables) -> None:
    game, _token = hosted(tables)
    tables.resign(tables.open(game), 0)
    page = http.get(f"/game/{game}", cookie=True).text
    assert f"/game/{game}/rematch" not in page
    assert "Ann left before anyone joined." in page
    assert "called off" in http.get("/games", cookie=True).text
    answer = send(http, f"/game/{game}/rematch", {"key": "r"})
    assert answer.status == 409
    assert "Nobody joined this game" in answer.text


def test_lists_show_who_plays_whose_turn_it_is_and_the_seals(http: Caller, tables: Tables) -> None:
    mine, done, played = my_turn(tables), my_turn(tables), tables.create(BOT).game.id
    tables.resign(tables.open(done), 0)
    first, second = play_match(tables, played).match.seals
    others = tables.create(Seating(GameKind.BOT, ("Eve", "T"), (None, "trader"), (hashed(STRANGER), None))).game.id
    for path in ("/", "/games"):
        text = http.get(path, cookie=True).text
        assert f"/game/{mine}" in text
        assert f"/game/{done}" in text
        assert f"/game/{others}" not in text
        assert re.findall(r"Seals: \d to \d", text) == [f"Seals: {first} to {second}", "Seals: 0 to 0"]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("kind", ["bot", "guided", "friend", "one-screen", "watch"])
def test_every_moment_of_every_kind_of_game_has_a_page(http: Caller, tables: Tables, kind: str, lang: str) -> None:
    start = send(http, "/games", {"kind": kind, "level2": "pedlar"})
    game = start.header("location").removeprefix("/game/")
    if kind == "friend":
        tables.join(invite_secret(ME, game), "Bob", hashed(FRIEND))
    rng = Rng(7)
    while True:
        for path in (f"/game/{game}", f"/game/{game}/table?seat={tables.open(game).turn or 0}"):
            answer = http.get(path, cookie=True, headers={"accept-language": lang})
            assert answer.status == 200, http.raised
        assert f'lang="{lang}"' in http.get(f"/game/{game}", cookie=True, headers={"accept-language": lang}).text
        if tables.open(game).match.round.over:
            break
        play_some(tables, game, 7, rng)


def upload(http: Caller, record: Record) -> str:
    """Uploads a record as a file, and returns the id of its game."""
    answer = http.post("/records", **multipart(str(record)), cookie=True)
    assert answer.status == 303
    return answer.header("location").split("/")[2]


@pytest.mark.parametrize("ended", [Ended(seat, by) for seat in (0, 1) for by in Loss])
def test_a_record_that_was_taken_in_is_given_out_again(http: Caller, tables: Tables, ended: Ended) -> None:
    asked = {("Ann", "bot:pedlar"): (9999, 0), ("bot:trader", "bot:pedlar"): (0, 0), ("Ann", "Bob"): (3, 1)}
    for players, hints in asked.items():
        record = Record(random_match(7, 40), players, hints=hints, ended=ended)
        game = upload(http, record)
        assert (tables.open(game).over, tables.open(game).winner) == (True, 1 - ended.seat)
        assert everything(tables.open(game)) == everything(folded(tables, game))
        assert http.get(f"/game/{game}/record", cookie=True).text == str(record)
        for page in ("", "/replay/3"):
            assert http.get(f"/game/{game}{page}", cookie=True).status == 200


def test_a_record_of_a_match_that_was_played_out_keeps_its_hints(http: Caller) -> None:
    record = Record(random_match(7, 10_000), ("Ann", "bot:pedlar"), hints=(2, 0))
    assert http.get(f"/game/{upload(http, record)}/record", cookie=True).text == str(record)


def test_a_match_that_was_given_up_elsewhere_has_a_result(http: Caller, tables: Tables) -> None:
    game = upload(http, Record(random_match(7, 40), ("Ann", "bot:pedlar"), ended=Ended(0, Loss.RESIGNED)))
    with tables.store.engine.connect() as connection:
        row = connection.execute(select(results).where(results.c.game == game)).one()
    assert (row.winner, row.seals) == (1, "0-0")


def test_a_record_of_a_match_that_goes_on_is_played_on(http: Caller, tables: Tables) -> None:
    match = Match(3)
    match.play(match.round.legal_moves()[0])
    game = upload(http, Record(match, ("Ann", "bot:pedlar"), hints=(1, 0)))
    assert (tables.open(game).ply, tables.open(game).hints) == (1, (1, 0))
    assert tables.open(game).held_by(hashed(ME)) == [0]
    assert "Ann and Pedlar" in http.get("/games", cookie=True).text
    tables.resign(tables.open(game), 0)
    assert Record.parse(http.get(f"/game/{game}/record").text).players == ("Ann", "bot:pedlar")
