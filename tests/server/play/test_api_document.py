"""What the OpenAPI document says is so: the values that it lists, the fields of a body, and where a token is needed."""

from dataclasses import replace

import pytest

from jaipur.art import AVATARS
from jaipur.bots import LEVELS
from jaipur.server.live.presence import EMOTES
from jaipur.server.play.table_actions import ACTIONS
from jaipur.table import GameKind, Tables
from jaipur.table.clock import PACES
from tests.support.server import BOT, PEOPLE, Caller, hosted, play_some, server


def listed(http: Caller, body: str) -> dict[str, list[str]]:
    """The fields of a request body that have a list of allowed values."""
    fields = http.get("/api/openapi.json").json["components"]["schemas"][body]["properties"]
    return {name: field["enum"] for name, field in fields.items() if "enum" in field}


def test_programs_are_told_what_they_can_choose(http: Caller) -> None:
    levels, avatars = list(LEVELS), ["", *AVATARS]
    assert listed(http, "NewGameBody") == {
        "level": levels,
        "level2": levels,
        "avatar": avatars,
        "pace": ["", *PACES],
    }
    assert listed(http, "Joining") == {"avatar": avatars}
    assert listed(http, "Saying") == {"emote": list(EMOTES)}


SENT: dict[str, object] = {
    "level": "pedlar",
    "level2": "pedlar",
    "name": "Ann",
    "name2": "Bob",
    "watchable": True,
    "avatar": AVATARS[0],
    "pace": "5+5",
}
USED = {
    "bot": {"level", "name", "watchable", "avatar"},
    "guided": {"name", "watchable", "avatar"},
    "friend": {"name", "watchable", "avatar", "pace"},
    "one-screen": {"name", "name2"},
    "watch": {"level", "level2"},
}


@pytest.mark.parametrize("kind", GameKind)
def test_a_field_that_the_kind_does_not_use_is_refused_by_name(http: Caller, kind: str) -> None:
    assert {"kind", *SENT} == http.get("/api/openapi.json").json["components"]["schemas"]["NewGameBody"][
        "properties"
    ].keys()
    used = {field: value for field, value in SENT.items() if field in USED[kind]}
    assert http.post("/api/games", {"kind": kind} | used).status == 201
    for field in SENT.keys() - USED[kind]:
        for value in (SENT[field], "" if isinstance(SENT[field], str) else False):
            answer = http.post("/api/games", {"kind": kind} | used | {field: value})
            said = f"Leave out what a game of the kind “{kind}” does not use: {field}."
            assert (answer.status, answer.json["error"]) == (400, said)


def test_the_refusal_of_a_field_is_translated(http: Caller) -> None:
    answer = http.post("/api/games", {"level2": "nobody", "pace": "1d"}, headers={"accept-language": "fr"})
    said = "Retirez ce qu’une partie du type « bot » n’utilise pas : level2, pace."
    assert (answer.status, answer.json["error"].replace("\u00a0", " ")) == (400, said)


def test_an_emote_with_an_unknown_field_is_refused(tables: Tables) -> None:
    game = tables.create(PEOPLE).game.id
    with server(tables) as http:
        where = f"/api/games/{game}/emote"
        answer = http.post(where, {"emote": "hello", "volume": 11})
        assert (answer.status, answer.json["error"]) == (422, "The request cannot be read: check volume.")
        assert http.post(where, {"emote": "hello"}).status == 200
        bodies = http.get("/api/openapi.json").json["components"]["schemas"]
        sent = {name: body for name, body in bodies.items() if name in {"NewGameBody", "Joining", "Playing", "Saying"}}
        assert {body["additionalProperties"] for body in sent.values()} == {False}
        assert len(sent) == 4


def test_a_token_is_optional_exactly_where_the_document_says_so(tables: Tables) -> None:
    """A game that everybody may watch, and one that waits for a friend."""
    game = tables.create(replace(BOT, watchable=True)).game.id
    play_some(tables, game, 1)
    bodies = {"/games": {}, "/{token}": {}, "/moves": {"move": "+M", "ply": 0}, "/emote": {"emote": "hello"}}
    with server(tables) as http:
        paths = http.get("/api/openapi.json").json["paths"]
        for path, methods in paths.items():
            for method, operation in methods.items():
                where = path.format(game=game, move="+M", token=hosted(tables)[1])
                body = bodies.get(path[path.rindex("/") :]) if method == "post" else None
                status = http.ask(method.upper(), where, body, token="", until=1).status
                assert ({} in operation["security"]) == (status < 400), (method, path, status)
                assert {"HTTPBearer": []} in operation["security"]


def test_what_is_listed_can_be_chosen_and_nothing_else(http: Caller) -> None:
    kinds = {"pace": "friend", "level2": "watch"}
    for field, values in listed(http, "NewGameBody").items():
        wanted = [{"kind": kinds.get(field, "bot"), field: value} for value in [*values, "nothing"]]
        assert [http.post("/api/games", body).status for body in wanted] == [201] * len(values) + [400]


def test_the_document_has_the_sentence_of_each_action(http: Caller) -> None:
    paths = http.get("/api/openapi.json").json["paths"]
    for name, action in ACTIONS.items():
        assert paths[f"/api/games/{{game}}/{name}"]["post"]["description"] == action.about


@pytest.mark.parametrize(
    ("path", "body", "headers", "field"),
    [
        ("/resign?seat=7", None, {}, "seat"),
        ("/resign", None, {"idempotency-key": "k" * 65}, "Idempotency-Key"),
        ("/moves", {"move": "+D"}, {}, "ply"),
        ("/moves", {"move": "+D", "ply": 0}, {"content-type": "text/plain"}, "body"),
    ],
)
def test_an_action_refuses_what_the_document_excludes(
    http: Caller, tables: Tables, path: str, body: object, headers: dict[str, str], field: str
) -> None:
    answer = http.post(f"/api/games/{tables.create(PEOPLE).game.id}{path}", body, headers=headers)
    assert (answer.status, answer.json["error"]) == (422, f"The request cannot be read: check {field}.")
