"""A real server and a real Chromium for the tests in this folder."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.serving import end_server, start_server

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium() -> str | None:
    """The path of Chromium, found by the same script that `make test` uses."""
    script = Path(__file__).parent.parent.parent / "tools" / "find-chromium"
    found = subprocess.run([str(script)], capture_output=True, text=True, check=False)
    return found.stdout.strip() or None


# Not for the whole session: while Playwright is running, no other test in its process can run an event loop.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = chromium()
    if path is None:
        reason = "no Chromium was found: install one, or name it in JAIPUR_CHROMIUM, to run the browser tests"
        if os.environ.get("JAIPUR_BROWSER") == "required":
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server, url = start_server(tmp_path_factory.mktemp("server"), "--pause", "0")
    yield url
    end_server(server)
