"""Actions through the API and through forms take the same path: the table is opened at most once, a move is parsed
once, the rules are asked once whether it is legal, and one event is written."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from unittest.mock import patch

import pytest

from jaipur.rules.errors import JaipurError
from jaipur.rules.move import Move
from jaipur.rules.view import View
from jaipur.server.play.viewer import Viewer
from jaipur.table import Tables, see
from tests.support.server import BOT, FRIEND, ME, PEOPLE, Caller, everything, folded, my_turn, play_some

pytestmark = pytest.mark.each_database


def letters(move: Move) -> dict[str, list[str]]:
    """The cards of a move as the fields of a form."""
    take, _dash, give = str(move).partition("-")
    return {"take": list(take[1:]), "give": list(give)}


class Asked:
    """A view that counts how often it is asked whether a move is legal."""

    def __init__(self, view: View, counts: dict[str, int]) -> None:
        self.view = view
        self.counts = counts

    def why_illegal(self, move: Move) -> JaipurError | None:
        self.counts["ask"] += 1
        return self.view.why_illegal(move)

    def __getattr__(self, name: str) -> object:
        return getattr(self.view, name)


@contextmanager
def counted(tables: Tables, of: str) -> Iterator[dict[str, int]]:
    """Counts how often a game is opened, events are written, moves parsed, and views asked whether a move is legal.

    The views are asked besides the one time when a move is played.
    """
    counts = {"open": 0, "write": 0, "parse": 0, "ask": 0}
    open_table, at_hand, append = tables.open, tables.at_hand, tables.store.append

    def opened(game: str) -> object:
        counts["open"] += game == of
        return open_table(game)

    async def found(game: str) -> object:
        table = await at_hand(game)
        counts["open"] += table is not None and game == of
        return table

    def written(*what: object) -> None:
        counts["write"] += 1
        append(*what)  # type: ignore[arg-type]

    def parsed(text: str) -> Move:
        counts["parse"] += 1
        return Move.parse(text)

    with (
        patch("jaipur.server.play.api.Move", SimpleNamespace(parse=parsed)),
        patch("jaipur.server.play.selection.Move", SimpleNamespace(parse=parsed)),
        patch("jaipur.table.table.Move", SimpleNamespace(parse=parsed)),
        patch.object(Viewer, "view_to_move", lambda viewer: Asked(viewer.table.view(viewer.seat), counts)),
        patch.object(tables, "open", opened),
        patch.object(tables, "at_hand", found),
        patch.object(tables.store, "append", written),
    ):
        yield counts


@pytest.mark.one_process
def test_a_move_through_the_api_takes_the_table_in_memory_and_writes_once(http: Caller, tables: Tables) -> None:
    game = my_turn(tables)
    move = {"move": str(tables.open(game).match.round.legal_moves()[0]), "ply": tables.open(game).ply}
    with counted(tables, game) as counts:
        answer = http.post(f"/api/games/{game}/moves", move)
    assert answer.status == 200
    assert counts == {"open": 0, "write": 1, "parse": 1, "ask": 0}


@pytest.mark.one_process
@pytest.mark.parametrize("part", [{}, {"x-fragment": "1"}])
def test_a_move_through_a_form_opens_the_table_once_and_writes_once(
    http: Caller, tables: Tables, part: dict[str, str]
) -> None:
    game = my_turn(tables)
    table = tables.open(game)
    fields = {"ply": table.ply, **letters(table.match.round.legal_moves()[0])}
    with counted(tables, game) as counts:
        answer = http.post(f"/game/{game}/move", fields, headers=part, cookie=True)
    assert answer.status == (200 if part else 303)
    assert counts == {"open": 1, "write": 1, "parse": 1, "ask": 0}


@pytest.mark.one_process
def test_a_player_who_confirms_moves_asks_the_rules_once_more(http: Caller, tables: Tables) -> None:
    game = my_turn(tables)
    table = tables.open(game)
    fields = {"ply": table.ply, **letters(table.match.round.legal_moves()[0])}
    confirms = {"cookie": f"jaipur_seat={ME}; jaipur_settings=confirm=on"}
    with counted(tables, game) as counts:
        asked = http.post(f"/game/{game}/move", fields, headers=confirms | {"sec-fetch-site": "same-origin"}, token="")
        assert asked.status == 200
    assert counts == {"open": 1, "write": 0, "parse": 1, "ask": 1}


@pytest.mark.one_process
def test_a_rematch_opens_the_table_once(http: Caller, tables: Tables) -> None:
    game = tables.create(BOT).game.id
    tables.resign(tables.open(game), 0)
    with counted(tables, game) as counts:
        answer = http.post(f"/game/{game}/rematch", {}, cookie=True)
    assert (answer.status, counts["open"]) == (303, 1)
    assert answer.header("location") == f"/game/{tables.open(game).rematch}"


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


def test_a_rematch_is_written_as_one(tables: Tables) -> None:
    """A server killed midway leaves no orphaned game: the new game and the event that leads to it are one write."""
    game = tables.create(BOT).game.id
    tables.resign(tables.open(game), 0)
    with counted(tables, game) as counts:
        tables.rematch(tables.open(game), 0)
    assert counts["write"] == 1
    assert len(tables.store.unfinished_with_bots()) == 1


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
