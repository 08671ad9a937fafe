"""In a background tab: title, icon, badge and notification call whoever's turn it is, and never name a card."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Arrive
from tests.browser.player import Player

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


def test_a_background_tab_calls(arrive: Arrive, friend: Player) -> None:
    host = arrive()
    page = host.page
    page.add_init_script(BACKGROUND)
    link = host.invite()
    expect(page).to_have_title("Waiting for your friend – Jaipur")
    page.locator("#offer [data-set=notify]").click()
    page.evaluate("away = true")
    friend.accept(link, "Bob")
    expect(page).to_have_title(re.compile("^(● Your turn|Guest and Bob at the market) – Jaipur$"))
    assert "Your friend is here / In your game with Bob." in page.evaluate("heard")
    if friend.view()["turn"] != friend.view()["seat"]:
        page.evaluate("away = false")
        host.play(host.choose(host.await_turn()))
        page.evaluate("away = true; heard = []")
    expect(page).not_to_have_title(re.compile("●"))
    friend.play(friend.choose(friend.await_turn()))
    expect(page).to_have_title("● Your turn – Jaipur")
    heard = page.evaluate("heard")
    assert "Your turn / In your game with Bob." in heard
    assert "badge" in heard
    assert not CARDS.search(" ".join([*heard, page.title()]))
    expect(page.locator("link[rel=icon]")).to_have_attribute("href", re.compile("logo-turn"))
    # The offer is made only once.
    page.reload()
    expect(page.locator("#offer")).to_have_count(0)


def test_sound_is_offered_once_after_the_first_move(player: Player) -> None:
    player.against("trader")
    expect(player.page.locator("#offer")).to_be_hidden()
    player.play(player.choose(player.await_turn()))
    expect(player.page.locator("#offer")).to_be_visible()
    turn_sound_on(player)
    player.page.reload()
    expect(player.page.locator("html")).to_have_attribute("data-sound", "on")


def turn_sound_on(player: Player) -> None:
    with player.page.expect_response("**/settings"):
        player.page.locator("#offer [data-set=sound]").click()
    expect(player.page.locator("#offer")).to_have_count(0)


def test_on_a_phone_a_bell_opens_the_offer(player: Player) -> None:
    player.page.set_viewport_size({"width": 360, "height": 640})
    player.against("trader")
    player.play(player.choose(player.await_turn()))
    expect(player.page.locator("#offer [data-set=sound]")).to_be_hidden()
    player.page.locator("#offer .bell").click()
    expect(player.page.get_by_text("Play a sound when it is your turn?")).to_be_visible()
    turn_sound_on(player)


def test_the_remote_pauses_steps_and_opens_hands(player: Player) -> None:
    """The viziers think about each move, so their match is not over before the button is pressed."""
    player.go()
    form = player.page.locator('form:has(input[value="watch"])')
    for field in ("level", "level2"):
        form.locator(f"[name={field}]").select_option("vizier")
    form.locator("button").click()
    player.page.locator("#speed-pause").click()
    player.page.locator("#speed-step").wait_for()
    before = len(player.view()["log"])
    player.press("#speed-step")
    expect(player.page.locator("#news")).to_contain_text("The bots are paused.")
    assert len(player.view()["log"]) == before + 1
    player.page.locator("form[data-whole] button").click()
    expect(player.page.get_by_text("with open hands")).to_be_visible()
    assert player.page.locator('.hand .card[data-letter="?"]').count() == 0


def test_times_are_in_the_readers_zone(arrive: Arrive) -> None:
    player = arrive(locale="fr", timezone_id="Asia/Kolkata")
    player.against("pedlar")
    player.go("/games")
    time = player.page.locator("time").first
    said = player.page.evaluate(
        """at => new Date(at).toLocaleString("fr",
           { dateStyle: "medium", timeStyle: "short", timeZone: "Asia/Kolkata" })""",
        time.get_attribute("datetime"),
    )
    expect(time).to_have_text(said)
