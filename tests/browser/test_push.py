"""Push in a real Chromium, with a stand-in for the vendor's push service; the page and the worker are real."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from jaipur.server.people.push.keys import make_keys
from jaipur.store import Store, open_database
from jaipur.store.subscriptions import Subscription, Subscriptions
from jaipur.table import hashed
from tests.browser.conftest import Arrive
from tests.browser.player import Player, tries
from tests.support.push_service import Browser as Receiver
from tests.support.serving import serving

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


@pytest.fixture(scope="module", name="folder")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("push")


@pytest.fixture(scope="module", name="pushing")
def _pushing(folder: Path) -> Iterator[str]:
    """A server with push."""
    keys = folder / "push.pem"
    make_keys(keys)
    with serving(
        folder, "--pause", "0", "--push-keys", str(keys), "--push-contact", "mailto:operator@example.org"
    ) as url:
        yield url


def kept(folder: Path, context: BrowserContext) -> list[Subscription]:
    secret = next(str(cookie["value"]) for cookie in context.cookies() if cookie["name"] == "jaipur_seat")
    engine = open_database(str(folder / "jaipur.sqlite3"))
    try:
        return Subscriptions(Store(engine)).of(hashed(secret))
    finally:
        engine.dispose()


# A look at the notifications deletes one that is just being displayed, so the worker says when that is done.
REPORT_SHOWN = """
self.shown = new Promise((resolve) => {
  const show = self.registration.showNotification.bind(self.registration);
  self.registration.showNotification = (...what) => show(...what).then(resolve);
}); 0
"""


def shown(page: Page) -> list[list[str]]:
    """The worker's notifications."""
    titles: list[list[str]] = page.evaluate(
        """async () => (await (await navigator.serviceWorker.ready).getNotifications())
           .map(({ title, body, tag }) => [title, body, tag])"""
    )
    return titles


def wants_to_be_notified(player: Player) -> None:
    player.context.grant_permissions(["notifications"], origin=player.address)
    player.go("/settings")
    player.page.locator("[name=notify]").check()
    player.page.locator("main button.primary").click()
    player.page.wait_for_url(re.compile("/$"))
    expect(player.page.locator("html")).to_have_attribute("data-notify", "on")


def test_the_setting_subscribes_and_the_worker_shows_what_comes(arrive: Arrive, pushing: str, folder: Path) -> None:
    player = arrive(pushing)
    page, context = player.page, player.context
    context.grant_permissions(["notifications"], origin=player.address)
    page.add_init_script(PUSH_SERVICE)
    player.invite()
    with page.expect_response("**/push") as answered:
        page.locator("#offer [data-set=notify]").click()
    assert answered.value.status == 204
    (row,) = kept(folder, context)
    assert (row.endpoint, row.language) == (ENDPOINT, "en")
    asked = page.evaluate("asked")
    assert asked["userVisibleOnly"] is True
    expect(page.locator("html")).to_have_attribute("data-push", asked["applicationServerKey"])
    worker = next(iter(context.service_workers), None) or context.wait_for_event("serviceworker")
    worker.evaluate(REPORT_SHOWN)
    deliver(player, {"title": "Your turn", "body": "In your game with Bob.", "game": player.game})
    worker.evaluate("self.shown")
    assert shown(page) == [["Your turn", "In your game with Bob.", player.game]]
    # Pages load without the worker's help: it caches nothing.
    assert page.evaluate("caches.keys()") == []
    # Each table page subscribes again; once turned off, the subscription is gone from the server and the browser.
    with page.expect_response("**/push"):
        page.reload()
    player.go("/settings")
    page.evaluate("() => PushManager.prototype.subscribe({ applicationServerKey: 'AAAA' })")
    page.locator("[name=notify]").uncheck()
    page.locator("main button.primary").click()
    page.wait_for_url(re.compile("/$"))
    assert kept(folder, context) == []
    assert page.evaluate("async () => (await navigator.serviceWorker.getRegistrations()).length") == 0


def deliver(player: Player, message: dict[str, str]) -> None:
    """Hands a message to the worker, as the browser does when one arrives."""
    devtools = player.context.new_cdp_session(player.page)
    found: list[str] = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: found.extend(one["registrationId"] for one in told["registrations"]),
    )
    devtools.send("ServiceWorker.enable")
    for _try in tries():
        player.page.evaluate("async () => { await navigator.serviceWorker.ready; }")
        if found:
            break
    devtools.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": player.address, "registrationId": found[0], "data": json.dumps(message)},
    )


def test_without_a_push_service_the_page_plays_on(arrive: Arrive, pushing: str, folder: Path) -> None:
    """As this Chromium behaves by itself: it cannot subscribe, and nobody notices."""
    player = arrive(pushing)
    wants_to_be_notified(player)
    player.against("pedlar")
    player.one_move()
    assert kept(folder, player.context) == []
    player.troubles = [trouble for trouble in player.troubles if "incognito" not in trouble]


def test_a_server_without_push_registers_no_worker(arrive: Arrive) -> None:
    player = arrive()
    wants_to_be_notified(player)
    player.against("pedlar")
    player.await_turn()
    assert player.page.evaluate("async () => (await navigator.serviceWorker.getRegistrations()).length") == 0
