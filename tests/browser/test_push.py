"""Push in a real Chromium, with a stand-in for the vendor's push service; the page and the worker are real."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from jaipur.store import Store, open_database
from jaipur.store.subscriptions import Subscription, Subscriptions
from jaipur.table import hashed
from tests.browser.guest import LONG, Guest
from tests.server.push_service import Browser as Receiver
from tests.serving import end_server, start_server

pytestmark = pytest.mark.slow

ENDPOINT = "https://push.example/send/me"
# All that the vendor's service would do: hand out an address, and keep it.
PUSH_SERVICE = """
const kept = {};
PushManager.prototype.getSubscription = async () => kept.subscription ?? null;
PushManager.prototype.subscribe = async (options) => {
  window.asked = options;
  kept.subscription = {
    endpoint: ENDPOINT,
    options: { applicationServerKey: Uint8Array.from(atob(options.applicationServerKey.replaceAll("-", "+")
      .replaceAll("_", "/")), (letter) => letter.charCodeAt(0)).buffer },
    toJSON: () => ({ endpoint: ENDPOINT, keys: KEYS }),
    unsubscribe: async () => { delete kept.subscription; },
  };
  return kept.subscription;
};
""".replace("ENDPOINT", json.dumps(ENDPOINT)).replace("KEYS", json.dumps(Receiver().keys))


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture(name="pushing")
def _pushing(folder: Path) -> Iterator[str]:
    """A server with push."""
    keys = folder / "push.pem"
    subprocess.run([sys.executable, "-m", "jaipur", "push-keys", str(keys)], check=True, capture_output=True)
    server, url = start_server(
        folder, "--pause", "0", "--push-keys", str(keys), "--push-contact", "mailto:operator@example.org"
    )
    yield url
    end_server(server)


def kept(folder: Path, context: BrowserContext) -> list[Subscription]:
    secret = next(str(cookie["value"]) for cookie in context.cookies() if cookie["name"] == "jaipur_seat")
    engine = open_database(str(folder / "jaipur.sqlite3"))
    try:
        return Subscriptions(Store(engine)).of(hashed(secret))
    finally:
        engine.dispose()


def first_shown(page: Page) -> list[list[str]]:
    """The worker's notifications, as soon as the browser has any."""
    for _look in range(LONG // 100):
        found: list[list[str]] = page.evaluate(
            """async () => (await (await navigator.serviceWorker.ready).getNotifications())
               .map(({ title, body, tag }) => [title, body, tag])"""
        )
        if found:
            return found
        page.wait_for_timeout(100)
    return []


def test_the_setting_subscribes_and_the_worker_shows_what_comes(browser: Browser, pushing: str, folder: Path) -> None:
    with browser.new_context(locale="en") as context:
        context.grant_permissions(["notifications"], origin=pushing.rstrip("/"))
        guest = Guest(context, pushing)
        guest.page.add_init_script(PUSH_SERVICE)
        guest.go()
        guest.page.locator('form:has(input[value="friend"]) button').click()
        with guest.page.expect_response("**/push") as answered:
            guest.page.locator("#offer [data-set=notify]").click()
        assert answered.value.status == 204
        (row,) = kept(folder, context)
        assert (row.endpoint, row.language) == (ENDPOINT, "en")
        asked = guest.page.evaluate("asked")
        assert asked["userVisibleOnly"] is True
        expect(guest.page.locator("html")).to_have_attribute("data-push", asked["applicationServerKey"])
        deliver(guest, {"title": "Your turn", "body": "In your game with Bob.", "game": guest.game})
        assert first_shown(guest.page) == [["Your turn", "In your game with Bob.", guest.game]]
        # Pages load without the worker's help: it caches nothing.
        assert guest.page.evaluate("caches.keys()") == []
        # Each table page subscribes again; once turned off, the subscription is gone from the server and the browser.
        with guest.page.expect_response("**/push"):
            guest.page.reload()
        guest.go("/settings")
        guest.page.evaluate("() => PushManager.prototype.subscribe({ applicationServerKey: 'AAAA' })")
        guest.page.locator("[name=notify]").uncheck()
        guest.page.locator("main button.primary").click()
        guest.page.wait_for_url(re.compile("/$"))
        assert kept(folder, context) == []
        assert guest.page.evaluate("async () => (await navigator.serviceWorker.getRegistrations()).length") == 0
        assert guest.troubles == []


def deliver(guest: Guest, message: dict[str, str]) -> None:
    """Hands a message to the worker, as the browser does when one arrives."""
    devtools = guest.context.new_cdp_session(guest.page)
    found: list[str] = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: found.extend(one["registrationId"] for one in told["registrations"]),
    )
    devtools.send("ServiceWorker.enable")
    guest.page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    while not found:
        guest.page.wait_for_timeout(20)
    devtools.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": guest.address, "registrationId": found[0], "data": json.dumps(message)},
    )


def test_without_a_push_service_the_page_plays_on(browser: Browser, pushing: str, folder: Path) -> None:
    """As this Chromium behaves by itself: it cannot subscribe, and nobody notices."""
    with browser.new_context(locale="en") as context:
        context.grant_permissions(["notifications"], origin=pushing.rstrip("/"))
        guest = Guest(context, pushing)
        guest.go("/settings")
        guest.page.locator("[name=notify]").check()
        guest.page.locator("main button.primary").click()
        guest.page.wait_for_url(re.compile("/$"))
        expect(guest.page.locator("html")).to_have_attribute("data-notify", "on")
        guest.against("pedlar")
        guest.one_move()
        assert kept(folder, context) == []
        assert [trouble for trouble in guest.troubles if "incognito" not in trouble] == []


def test_a_server_without_push_registers_no_worker(browser: Browser, address: str) -> None:
    with browser.new_context(locale="en") as context:
        context.grant_permissions(["notifications"], origin=address.rstrip("/"))
        guest = Guest(context, address)
        guest.go("/settings")
        guest.page.locator("[name=notify]").check()
        guest.page.locator("main button.primary").click()
        guest.page.wait_for_url(re.compile("/$"))
        guest.against("pedlar")
        guest.await_turn()
        assert guest.page.evaluate("async () => (await navigator.serviceWorker.getRegistrations()).length") == 0
        assert guest.troubles == []
