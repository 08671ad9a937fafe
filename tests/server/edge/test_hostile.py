"""Whatever is sent to the pages, the answer is a page with a sentence: never a 5xx, never a traceback."""

import gc
from collections.abc import Iterator
from urllib.parse import quote_from_bytes

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jaipur.table import invite_secret
from tests.support.effort import often
from tests.support.server import (
    BOT,
    GAME_PAGES,
    ME,
    ONE_SCREEN,
    PEOPLE,
    Caller,
    hosted,
    new_tables,
    play_match,
    play_some,
    server,
)

pytestmark = pytest.mark.slow

ACTIONS = ["move", "ready", "undo", "resign", "agree", "decline", "rematch"]
LOOKS = [*GAME_PAGES, "/nothing", "/replay/x"]
FIELDS = [
    "ply",
    "take",
    "give",
    "key",
    "sure",
    "seat",
    "name",
    "name2",
    "kind",
    "level",
    "lang",
    "theme",
    "back",
    "record",
]


@pytest.fixture(name="attacked", scope="module")
def _attacked() -> Iterator[tuple[Caller, list[str]]]:
    with new_tables() as tables, server(tables) as http:
        games = [tables.create(seating).game.id for seating in (PEOPLE, BOT, ONE_SCREEN, BOT)]
        play_some(tables, games[0], 9)
        play_some(tables, games[1])
        play_match(tables, games[3])
        waiting, link = hosted(tables)
        assert link == invite_secret(ME, waiting)
        yield http, [*(f"/game/{game}" for game in (*games, waiting, "nowhere", "%00", "%ff")), f"/invite/{link}"]


texts = (
    st.sampled_from(["", "D", "M", "0", "1", "-1", "on", "bot", "friend", "watch", "fr", "dark", "/x", "//x", "9" * 30])
    | st.text(max_size=40)
    | st.binary(max_size=20)
)


def encoded(value: str | bytes) -> bytes:
    return quote_from_bytes(value if isinstance(value, bytes) else value.encode(errors="surrogatepass")).encode()


forms = st.lists(st.tuples(st.sampled_from(FIELDS), texts), max_size=8).map(
    lambda fields: b"&".join(name.encode() + b"=" + encoded(value) for name, value in fields)
)
parts = st.tuples(st.sampled_from(FIELDS), st.booleans(), st.binary(max_size=60)).map(
    lambda part: (
        b'--x\r\ncontent-disposition: form-data; name="%s"%s\r\n\r\n%s\r\n--x--\r\n'
        % (part[0].encode(), b'; filename="a"' * part[1], part[2])
    )
)
bodies = st.one_of(
    st.tuples(st.just("application/x-www-form-urlencoded"), forms),
    st.tuples(st.just("multipart/form-data; boundary=x"), parts | st.binary(max_size=80)),
    st.tuples(st.sampled_from(["application/json", "multipart/form-data", "text/plain", ""]), st.binary(max_size=80)),
)
hostile = settings(max_examples=often(60, 300), deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.filterwarnings("ignore:.*SpooledTemporaryFile:pytest.PytestUnraisableExceptionWarning")
@hostile
@given(st.sampled_from(["", *ACTIONS]), st.integers(0, 11), bodies, st.booleans())
def test_a_form_of_any_kind(
    attacked: tuple[Caller, list[str]], action: str, where: int, sent: tuple[str, bytes], part: bool
) -> None:
    """A truncated body leaves a file open in starlette's parser, which is not our concern."""
    http, places = attacked
    if where < len(places):
        path = f"{places[where]}/{action}" if action else places[where]
    else:
        path = ["/games", "/settings", "/records"][where % 3]
    headers = {"content-type": sent[0]} | ({"x-fragment": "1"} if part else {})
    answer = http.post(path, body=[sent[1]], headers=headers, cookie=True)
    assert 200 <= answer.status < 500, http.raised
    assert http.raised is None
    assert answer.status < 400 or answer.text


@hostile
@given(
    st.sampled_from(LOOKS),
    st.integers(0, 8),
    st.lists(st.tuples(st.sampled_from(["seat", "take", "give", "after", "back"]), texts), max_size=4),
    st.dictionaries(
        st.sampled_from(["accept-language", "cookie", "authorization", "origin", "sec-fetch-site", "x-fragment"]),
        st.text(st.characters(codec="latin-1", exclude_characters="\r\n\0"), max_size=30),
    ),
)
def test_a_look_of_any_kind(
    attacked: tuple[Caller, list[str]],
    look: str,
    where: int,
    query: list[tuple[str, str | bytes]],
    headers: dict[str, str],
) -> None:
    http, places = attacked
    asked = "&".join(f"{name}={encoded(value).decode()}" for name, value in query)
    answer = http.get(f"{places[where]}{look}?{asked}", headers=headers, cookie=True)
    assert 200 <= answer.status < 500, http.raised
    assert http.raised is None


@pytest.mark.parametrize("path", ["/settings", "/games", "/records"])
def test_a_file_where_none_is_expected_is_put_away(attacked: tuple[Caller, list[str]], path: str) -> None:
    """A file left open would raise a warning, and warnings are errors here."""
    body = b'--x\r\ncontent-disposition: form-data; name="record"; filename="a"\r\n\r\nabc\r\n--x--\r\n'
    answer = attacked[0].post(
        path, body=[body], headers={"content-type": "multipart/form-data; boundary=x"}, cookie=True
    )
    assert answer.status < 500
    gc.collect()
