"""A real server and a real Chromium for the tests in this folder, and people who sit in front of it."""

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from jaipur.store import Store, open_database
from jaipur.table import Tables, fresh_secret
from tests.browser.player import LONG, Player
from tests.browser.prepared import Games
from tests.support.serving import serving

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
Arrive = Callable[..., Player]
"""Opens another browser, with these options of Playwright."""


def chromium() -> str | None:
    """The path of Chromium, found by the same script that `make test` uses."""
    script = Path(__file__).parent.parent.parent / "tools" / "find-chromium"
    found = subprocess.run([str(script)], capture_output=True, text=True, check=False)
    return found.stdout.strip() or None


# For the package, and not for the session: while Playwright runs, nothing else in its process can run an event loop.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    path = chromium()
    if path is None:
        reason = "no Chromium was found: install one, or name it in JAIPUR_CHROMIUM, to run the browser tests"
        if os.environ.get("JAIPUR_BROWSER") == "required":
            pytest.fail(reason)
        pytest.skip(reason)
    expect.set_options(timeout=LONG)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield launched
        launched.close()


@dataclass(frozen=True)
class Served:
    """A server, its games, and one of them with a very short clock that starts when a friend comes to this host."""

    address: str
    games: Games
    clocked: str
    host: str


@pytest.fixture(scope="package")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder, host = tmp_path_factory.mktemp("server"), fresh_secret()
    store = Store(open_database(str(folder / "jaipur.sqlite3")))
    games = Games(Tables(store))
    clocked = games.waiting_with_a_clock(host)  # a server watches only the clocks that it finds when it starts
    with serving(folder, "--pause", "0", program="tests.support.patient") as url:
        yield Served(url, games, clocked, host)
        store.close()


@pytest.fixture(scope="package")
def address(served: Served) -> str:
    return served.address


@pytest.fixture(scope="package")
def games(served: Served) -> Games:
    return served.games


@pytest.fixture(scope="package", name="_regulars")
def _regulars(browser: Browser, address: str) -> Iterator[list[Player]]:
    """Two people whose browsers stay open: a page that has been seen before takes a third of the time."""
    with browser.new_context(reduced_motion="reduce") as one, browser.new_context(reduced_motion="reduce") as two:
        yield [Player(one, address, 1), Player(two, address, 2)]


@pytest.fixture
def player(_regulars: list[Player]) -> Iterator[Player]:
    _regulars[0].become_somebody_else()
    yield _regulars[0]
    assert _regulars[0].troubles == []


@pytest.fixture
def friend(_regulars: list[Player]) -> Iterator[Player]:
    _regulars[1].become_somebody_else()
    yield _regulars[1]
    assert _regulars[1].troubles == []


@pytest.fixture
def arrive(browser: Browser, address: str) -> Iterator[Arrive]:
    made: list[Player] = []
    with ExitStack() as stack:

        def somebody(url: str = address, **options: object) -> Player:
            wanted = {"locale": "en", "reduced_motion": "reduce"} | options
            made.append(Player(stack.enter_context(browser.new_context(**wanted)), url))  # type: ignore[arg-type]
            return made[-1]

        yield somebody
        assert [trouble for one in made for trouble in one.troubles] == []
