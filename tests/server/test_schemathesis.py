"""The API keeps what its OpenAPI document promises, whatever is sent: no 5xx, documented statuses and bodies."""

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

from jaipur.table import Tables, invite_token
from tests.server.houses import BOT, FRIEND, ME, PEOPLE, STRANGER, hosted, play_match, play_some, room, server

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


def games(tables: Tables) -> list[str]:
    """One at its beginning, in the middle, between rounds and at its end; and one that waits for a friend."""
    found = [tables.create(PEOPLE) for _ in range(4)]
    play_some(tables, found[1], 12)
    play_some(tables, found[2])
    play_match(tables, found[3])
    return [*found, tables.create(BOT), hosted(tables)[0]]


@dataclass
class Documented:
    """The document of a server, and games that it has."""

    api: BaseSchema
    tables: Tables
    games: list[str]


@pytest.fixture(name="served", scope="module")
def _served() -> Iterator[Documented]:
    with room() as tables, server(tables, public=True) as caller:
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
]
STREAM = "GET /api/games/{game}/events"
tokens = st.sampled_from(["", ME, FRIEND, STRANGER, "short"])


def test_everything_in_the_document_is_tried(served: Documented) -> None:
    """But the stream, which does not end."""
    found = {
        f"{method.upper()} {path}" for path, methods in served.api.raw_schema["paths"].items() for method in methods
    }
    assert found == {*OPERATIONS, STREAM}


@pytest.mark.parametrize("mode", list(schemathesis.GenerationMode))
@pytest.mark.parametrize("operation", OPERATIONS)
def test_the_api_is_as_documented(served: Documented, operation: str, mode: schemathesis.GenerationMode) -> None:
    """Half of the requests are about games that there are."""
    method, path = operation.split()
    cases = served.api[path][method].as_strategy(generation_mode=mode)

    @settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(case=cases, number=st.integers(0, 11), token=tokens)
    def ask(case: schemathesis.Case[Any], number: int, token: str) -> None:
        if number < len(served.games):
            if "{game}" in path:
                case.path_parameters["game"] = served.games[number]
            elif "{token}" in path:
                case.path_parameters["token"] = invite_token(ME, served.games[-1])
        headers = {"authorization": f"Bearer {token}"} if token else {}
        case.call_and_validate(headers=headers, checks=CHECKS)

    ask()


@pytest.mark.parametrize("operation", OPERATIONS)
def test_what_is_done_is_answered_as_documented(served: Documented, operation: str) -> None:
    """A request that is granted, for each operation."""
    beginning, sheet, waiting = served.tables.create(PEOPLE), served.tables.create(PEOPLE), hosted(served.tables)
    play_some(served.tables, sheet)
    token = (ME, FRIEND)[served.tables.open(beginning).turn or 0]
    where = {"game": sheet if "ready" in operation else beginning, "move": "+M", "token": waiting[1]}
    method, path = operation.split()
    bodies: dict[str, Any] = {"/api/games": {"kind": "friend"}, "/api/invites/{token}": {"name": "Bob"}}
    body = bodies.get(path, {"move": "+M", "ply": 0} if path.endswith("/moves") and method == "POST" else NOT_SET)
    case = served.api[path][method].Case(
        path_parameters={name: value for name, value in where.items() if f"{{{name}}}" in path}, body=body
    )
    holder = FRIEND if "invites" in path else token
    answer = case.call_and_validate(headers={"authorization": f"Bearer {holder}"}, checks=CHECKS)
    assert answer.status_code == (201 if path == "/api/games" else 200)
