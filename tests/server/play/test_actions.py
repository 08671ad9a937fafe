"""Actions through the API and through forms take the same path: the table is opened at most once, and one event is
written."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import pytest

from jaipur.table import Tables, see
from tests.support.server import BOT, FRIEND, ME, PEOPLE, Caller, everything, folded, my_turn, play_some

pytestmark = pytest.mark.each_database


@contextmanager
def counted(tables: Tables) -> Iterator[dict[str, int]]:
    """Counts how often tables are opened and events are written."""
    counts = {"open": 0, "write": 0}
    open_table, at_hand, append = tables.open, tables.at_hand, tables.store.append

    def opened(game: str) -> object:
        counts["open"] += 1
        return open_table(game)

    async def found(game: str) -> object:
        table = await at_hand(game)
        counts["open"] += table is not None
        return table

    def written(*what: object) -> None:
        counts["write"] += 1
        append(*what)  # type: ignore[arg-type]

    with (
        patch.object(tables, "open", opened),
        patch.object(tables, "at_hand", found),
        patch.object(tables.store, "append", written),
    ):
        yield counts


@pytest.mark.one_process
def test_a_move_through_the_api_takes_the_table_in_memory_and_writes_once(http: Caller, tables: Tables) -> None:
    game = my_turn(tables)
    move = {"move": str(tables.open(game).match.round.legal_moves()[0]), "ply": tables.open(game).ply}
    with counted(tables) as counts:
        answer = http.post(f"/api/games/{game}/moves", move)
    assert answer.status == 200
    assert (counts["open"], counts["write"]) == (0, 1)


@pytest.mark.one_process
@pytest.mark.parametrize("part", [{}, {"x-fragment": "1"}])
def test_a_move_through_a_form_opens_the_table_once_and_writes_once(
    http: Caller, tables: Tables, part: dict[str, str]
) -> None:
    game = my_turn(tables)
    table = tables.open(game)
    move = table.match.round.legal_moves()[0]
    letters = {"take": list(str(move).partition("-")[0][1:]), "give": list(str(move).partition("-")[2])}
    with counted(tables) as counts:
        answer = http.post(f"/game/{game}/move", {"ply": table.ply, **letters}, headers=part, cookie=True)
    assert answer.status == (200 if part else 303)
    assert (counts["open"], counts["write"]) == (1, 1)


def test_the_answer_is_the_table_right_after_the_move(http: Caller, tables: Tables) -> None:
    """Even when the same request comes again later: it counts once and gets the same answer."""
    game = my_turn(tables)
    table = tables.open(game)
    move = {"move": str(table.match.round.legal_moves()[0]), "ply": table.ply}
    first = http.post(f"/api/games/{game}/moves", move, headers={"idempotency-key": "once"})
    assert first.json["number"] == first.json["view"]["number"] == table.number + 1
    play_some(tables, game, 3)
    again = http.post(f"/api/games/{game}/moves", move, headers={"idempotency-key": "once"})
    assert (again.status, again.body) == (200, first.body)


def test_undo_against_a_bot_through_the_api(http: Caller, tables: Tables) -> None:
    game = my_turn(tables)
    before = see(tables.open(game), 0)
    play_some(tables, game, 2)
    answer = http.post(f"/api/games/{game}/undo")
    assert answer.status == 200
    view = answer.json["view"]
    assert (view["market"], view["sides"][0]["hand"]) == (before.market, before.sides[0].hand)
    assert everything(tables.open(game)) == everything(folded(tables, game))


def test_a_question_between_people_through_the_api(http: Caller, tables: Tables) -> None:
    """A rematch is offered, declined, offered again and accepted; both players are then led to the new game."""
    game = tables.create(PEOPLE).game.id
    path = f"/api/games/{game}"
    assert http.post(f"{path}/rematch").status == 409
    assert http.post(f"{path}/agree", token=FRIEND).status == 409
    assert http.post(f"{path}/resign").status == 200
    asked = http.post(f"{path}/rematch").json["view"]
    assert asked["asked"] == {"seat": 0, "what": "rematch"}
    assert http.post(f"{path}/agree").status == 409
    assert http.post(f"{path}/decline", token=FRIEND).json["view"]["asked"] is None
    assert http.post(f"{path}/rematch").status == 200
    agreed = http.post(f"{path}/agree", token=FRIEND).json["view"]
    new = agreed["rematch"]
    assert http.get(path).json["rematch"] == new
    assert {http.get(f"/api/games/{new}", token=token).json["seat"] for token in (ME, FRIEND)} == {0, 1}


def test_a_rematch_against_a_bot_through_the_api(http: Caller, tables: Tables) -> None:
    game = tables.create(BOT).game.id
    http.post(f"/api/games/{game}/resign")
    new = http.post(f"/api/games/{game}/rematch").json["view"]["rematch"]
    assert http.get(f"/api/games/{new}").json["status"] == "playing"


def test_a_rematch_is_written_as_one(tables: Tables) -> None:
    """A server killed midway leaves no orphaned game: the new game and the event that leads to it are one write."""
    game = tables.create(BOT).game.id
    tables.resign(tables.open(game), 0)
    with counted(tables) as counts:
        tables.rematch(tables.open(game), 0)
    assert counts["write"] == 1
    assert len(tables.store.unfinished_with_bots()) == 1


@pytest.mark.parametrize("body", [{"lvel": "vizier"}, {"kind": "bot", "level": "pedlar", "foo": 1}])
def test_a_field_that_nobody_knows_is_refused_by_its_name(http: Caller, body: dict[str, object]) -> None:
    answer = http.post("/api/games", body)
    assert answer.status == 422
    assert answer.json["error"] == f"The request cannot be read: check {'lvel' if 'lvel' in body else 'foo'}."


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        (b'{"name": "\xff"}', 400, "The body of the request cannot be read: "),
        (b"no JSON", 422, "The request cannot be read: check body."),
    ],
)
def test_a_body_that_is_no_json_is_refused_with_a_sentence(http: Caller, body: bytes, status: int, says: str) -> None:
    answer = http.post("/api/games", body=[body], headers={"content-type": "application/json"})
    assert answer.status == status
    assert answer.json["error"].startswith(says)
