"""The values that the OpenAPI document lists are accepted, and no others."""

from jaipur.art import AVATARS
from jaipur.bots import LEVELS
from jaipur.server.presence import EMOTES
from jaipur.table.clock import PACES
from tests.server.harness import Caller


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


def test_what_is_listed_can_be_chosen_and_nothing_else(http: Caller) -> None:
    kinds = {"pace": "friend", "level2": "watch"}
    for field, values in listed(http, "NewGameBody").items():
        wanted = [{"kind": kinds.get(field, "bot"), field: value} for value in [*values, "nothing"]]
        assert [http.post("/api/games", body).status for body in wanted] == [201] * len(values) + [400]
