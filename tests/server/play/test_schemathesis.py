"""The API does what its OpenAPI document promises, whatever is sent: no 5xx, only documented statuses and bodies."""

import gc
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.core import NOT_SET
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from jaipur.table import Tables, invite_secret
from tests.support.effort import often
from tests.support.server import BOT, FRIEND, ME, PEOPLE, STRANGER, hosted, new_tables, play_match, play_some, server

pytestmark = pytest.mark.slow

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


def games(tables: Tables) -> list[str]:
    """Games at the start, in the middle, between rounds and at the end; one against a bot, one waiting for a friend."""
    found = [tables.create(PEOPLE).game.id for _ in range(4)]
    play_some(tables, found[1], 12)
    play_some(tables, found[2])
    play_match(tables, found[3])
    return [*found, tables.create(BOT).game.id, hosted(tables)[0]]


@dataclass
class Documented:
    """A server's OpenAPI document, and some of its games."""

    api: BaseSchema
    tables: Tables
    games: list[str]


@pytest.fixture(autouse=True)
def _no_collection_while_parsing() -> Iterator[None]:
    """Hypothesis parses sources; up to Python 3.11.7 that can fail if the garbage collector lets another thread in.

    That is python/cpython#106905, and a server has many threads.
    """
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(name="served", scope="module")
def _served() -> Iterator[Documented]:
    with new_tables() as tables, server(tables, public=True) as caller:
        yield Documented(schemathesis.openapi.from_asgi("/api/openapi.json", caller.app), tables, games(tables))


OPERATIONS = [
    "POST /api/games",
    "POST /api/invites/{token}",
    "GET /api/games/{game}",
    "GET /api/games/{game}/moves",
    "GET /api/games/{game}/moves/{move}",
    "POST /api/games/{game}/moves",
    "POST /api/games/{game}/ready",
    "POST /api/games/{game}/resign",
    "POST /api/games/{game}/undo",
    "POST /api/games/{game}/redo",
    "POST /api/games/{game}/rematch",
    "POST /api/games/{game}/share",
    "POST /api/games/{game}/agree",
    "POST /api/games/{game}/decline",
    "POST /api/games/{game}/emote",
    "GET /api/games/{game}/presence",
]
STREAM = "GET /api/games/{game}/events"
tokens = st.sampled_from(["", ME, FRIEND, STRANGER, "short"])


def test_everything_in_the_document_is_tried(served: Documented) -> None:
    """Except the stream, which never ends."""
    found = {
        f"{method.upper()} {path}" for path, methods in served.api.raw_schema["paths"].items() for method in methods
    }
    assert found == {*OPERATIONS, STREAM}


@pytest.mark.parametrize("mode", list(schemathesis.GenerationMode))
@pytest.mark.parametrize("operation", OPERATIONS)
def test_the_api_is_as_documented(served: Documented, operation: str, mode: schemathesis.GenerationMode) -> None:
    """Half of the requests are about games that exist."""
    method, path = operation.split()
    cases = served.api[path][method].as_strategy(generation_mode=mode)

    @settings(max_examples=often(12, 40), deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(case=cases, number=st.integers(0, 11), token=tokens)
    def ask(case: schemathesis.Case[Any], number: int, token: str) -> None:
        if number < len(served.games):
            if "{game}" in path:
                case.path_parameters["game"] = served.games[number]
            elif "{token}" in path:
                case.path_parameters["token"] = invite_secret(ME, served.games[-1])
        headers = {"authorization": f"Bearer {token}"} if token else {}
        case.call_and_validate(headers=headers, checks=CHECKS)

    ask()


def ready_for(tables: Tables, action: str) -> tuple[str, str]:
    """A game in which this can be done, and who can do it."""
    alone = action in {"undo", "redo"}
    game = tables.create(BOT if alone else PEOPLE).game.id
    if alone or action == "ready":
        play_some(tables, game, 4 if alone else 10_000)
    if action == "redo":
        tables.undo(tables.open(game), 0)
    if action in {"rematch", "agree", "decline", "share"}:
        tables.resign(tables.open(game), 0)
    if action in {"agree", "decline"}:
        tables.rematch(tables.open(game), 1)
    return game, ME if alone else (ME, FRIEND)[tables.open(game).turn or 0]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_what_is_done_is_answered_as_documented(served: Documented, operation: str) -> None:
    """A successful request for each operation."""
    method, path = operation.split()
    game, token = ready_for(served.tables, path.rpartition("/")[2])
    where = {"game": game, "move": "+M", "token": hosted(served.tables)[1]}
    bodies: dict[str, Any] = {
        "/api/games": {"kind": "friend"},
        "/api/invites/{token}": {"name": "Bob"},
        "/api/games/{game}/emote": {"emote": "hello"},
    }
    body = bodies.get(path, {"move": "+M", "ply": 0} if path.endswith("/moves") and method == "POST" else NOT_SET)
    case = served.api[path][method].Case(
        path_parameters={name: value for name, value in where.items() if f"{{{name}}}" in path}, body=body
    )
    holder = FRIEND if "invites" in path else token
    answer = case.call_and_validate(headers={"authorization": f"Bearer {holder}"}, checks=CHECKS)
    assert answer.status_code == (201 if path == "/api/games" else 200)
