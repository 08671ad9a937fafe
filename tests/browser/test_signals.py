"""In a background tab: title, icon, badge and notification call whoever's turn it is, and never name a card."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from jaipur.language import LANGUAGES
from tests.browser.guest import Guest, quiet
from tests.browser.test_direct import SHAPES
from tests.serving import end_server, start_server

pytestmark = pytest.mark.slow

CARDS = re.compile("diamond|gold|silver|cloth|spice|leather|camel", re.IGNORECASE)

# Playwright keeps every page visible, so this makes the page believe it is hidden, and records what it calls.
BACKGROUND = """
window.heard = [];
window.away = false;
Object.defineProperty(document, "hidden", { get: () => window.away });
window.Notification = class extends EventTarget {
  static permission = "granted";
  static requestPermission = async () => "granted";
  constructor(title, { body }) { super(); heard.push(`${title} / ${body}`); }
  close() {}
};
navigator.setAppBadge = async () => { heard.push("badge"); };
navigator.clearAppBadge = async () => {};
"""


@pytest.fixture(name="slow_address")
def _slow_address(tmp_path: Path) -> Iterator[str]:
    """A server whose bots leave enough time to press a button."""
    server, url = start_server(tmp_path, "--pause", "1.5")
    yield url
    end_server(server)


def test_a_background_tab_calls(browser: Browser, address: str) -> None:
    with browser.new_context(locale="en") as one, browser.new_context(locale="en") as two:
        host = Guest(one, address)
        host.page.add_init_script(BACKGROUND)
        host.go()
        host.page.locator('form:has(input[value="friend"]) button').click()
        expect(host.page).to_have_title("Waiting for your friend – Jaipur")
        host.page.locator("#offer [data-set=notify]").click()
        host.page.evaluate("away = true")
        friend = Guest(two, address, seed=2)
        friend.page.goto(host.page.locator("#invite").input_value())
        friend.page.locator("[name=name]").fill("Bob")
        friend.page.locator("main form button").click()
        friend.table.wait_for()
        expect(host.page).to_have_title(re.compile("^(● Your turn|Guest and Bob at the market) – Jaipur$"))
        assert "Your friend is here / In your game with Bob." in host.page.evaluate("heard")
        if friend.view()["turn"] != friend.view()["seat"]:
            host.page.evaluate("away = false")
            host.play(host.choose(host.await_turn()))
            host.page.evaluate("away = true; heard = []")
        expect(host.page).not_to_have_title(re.compile("●"))
        friend.play(friend.choose(friend.await_turn()))
        expect(host.page).to_have_title("● Your turn – Jaipur")
        heard = host.page.evaluate("heard")
        assert "Your turn / In your game with Bob." in heard
        assert "badge" in heard
        assert not CARDS.search(" ".join([*heard, host.page.title()]))
        expect(host.page.locator("link[rel=icon]")).to_have_attribute("href", re.compile("logo-turn"))
        # The offer is made only once.
        host.page.reload()
        expect(host.page.locator("#offer")).to_have_count(0)
        assert host.troubles == []


def test_sound_is_offered_once_after_the_first_move(browser: Browser, address: str) -> None:
    with browser.new_context(locale="en") as context:
        guest = Guest(context, address)
        guest.against("trader")
        expect(guest.page.locator("#offer")).to_be_hidden()
        guest.play(guest.choose(guest.await_turn()))
        expect(guest.page.locator("#offer")).to_be_visible()
        with guest.page.expect_response("**/settings"):
            guest.page.locator("#offer [data-set=sound]").click()
        expect(guest.page.locator("#offer")).to_have_count(0)
        guest.page.reload()
        expect(guest.page.locator("html")).to_have_attribute("data-sound", "on")
        assert guest.troubles == []


COVERED = """() => {
  const offer = document.getElementById("offer");
  const parts = [...document.querySelectorAll(".bar a, .bar form, #table")].filter(el => !offer.contains(el));
  const shown = [...offer.querySelectorAll("*")].filter(el => el.checkVisibility());
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const covers = part => shown.some(el => meet(el.getBoundingClientRect(), part.getBoundingClientRect()));
  return parts.filter(covers).map(el => el.textContent.trim());
}"""


@pytest.mark.parametrize(("width", "height"), [*SHAPES, (320, 568)])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_offer_of_sound_covers_nothing(browser: Browser, address: str, width: int, height: int, lang: str) -> None:
    with quiet(browser, locale=lang, viewport={"width": width, "height": height}) as context:
        guest = Guest(context, address)
        guest.go()
        guest.page.locator('form:has(input[value="friend"]) button').click()
        expect(guest.page.locator("#offer")).to_be_visible()
        assert guest.page.evaluate(COVERED) == []
        assert guest.page.evaluate("document.documentElement.scrollWidth") <= width


def test_on_a_phone_a_bell_opens_the_offer(browser: Browser, address: str) -> None:
    with quiet(browser, locale="en", viewport={"width": 360, "height": 640}) as context:
        guest = Guest(context, address)
        guest.against("trader")
        guest.play(guest.choose(guest.await_turn()))
        sound = guest.page.locator("#offer [data-set=sound]")
        expect(sound).to_be_hidden()
        guest.page.locator("#offer .bell").click()
        expect(guest.page.get_by_text("Play a sound when it is your turn?")).to_be_visible()
        with guest.page.expect_response("**/settings"):
            sound.click()
        expect(guest.page.locator("#offer")).to_have_count(0)
        assert guest.troubles == []


def test_the_remote_pauses_steps_and_opens_hands(browser: Browser, slow_address: str) -> None:
    with browser.new_context(locale="en", reduced_motion="reduce") as context:
        guest = Guest(context, slow_address)
        guest.go()
        guest.page.locator('form:has(input[value="watch"]) button').click()
        guest.page.locator("#speed-pause").click()
        guest.page.locator("#speed-step").wait_for()
        before = len(guest.view()["log"])
        guest.page.locator("#speed-step").click()
        guest.after(guest.number)
        expect(guest.page.locator("#news")).to_contain_text("The bots are paused.")
        assert len(guest.view()["log"]) == before + 1
        guest.page.locator("form[data-whole] button").click()
        expect(guest.page.get_by_text("with open hands")).to_be_visible()
        assert guest.page.locator('.hand .card[data-letter="?"]').count() == 0
        assert guest.troubles == []


def test_times_are_in_the_readers_zone(browser: Browser, address: str) -> None:
    with browser.new_context(locale="fr", timezone_id="Asia/Kolkata") as context:
        guest = Guest(context, address)
        guest.against("pedlar")
        guest.go("/games")
        time = guest.page.locator("time").first
        said = guest.page.evaluate(
            """at => new Date(at).toLocaleString("fr",
               { dateStyle: "medium", timeStyle: "short", timeZone: "Asia/Kolkata" })""",
            time.get_attribute("datetime"),
        )
        expect(time).to_have_text(said)
