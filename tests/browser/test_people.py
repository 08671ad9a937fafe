"""People in a real browser: names, another device, being forgotten, a friend who comes and goes, a clock at zero."""

import re

import pytest
from playwright.sync_api import APIResponse, Route, expect

from jaipur.table import invite_secret
from tests.browser.conftest import Arrive, Served
from tests.browser.player import Player, tries

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("scripts", [True, False])
def test_a_link_carries_me_to_another_device_and_forget_me_forgets(arrive: Arrive, scripts: bool) -> None:
    first, second = arrive(java_script_enabled=scripts), arrive(java_script_enabled=scripts)
    page, other = first.page, second.page
    first.go("/settings")
    page.locator('input[name="name"]').fill("Asha")
    page.locator('input[value="peacock"]').check()
    page.get_by_role("button", name="Save").click()
    first.go("/me")
    page.locator('form[action="/me/device"] button').click()
    link = page.locator("#invite").input_value()
    expect(page.locator(".code svg")).to_be_visible()
    second.go(link)
    other.get_by_role("button", name="Yes, this is me").click()
    expect(other.locator("h1")).to_have_text("Asha")
    second.go(link)
    expect(other.locator("main")).to_contain_text("create a new one")
    second.go("/me")
    other.get_by_role("link", name="Forget me…").click()
    other.get_by_role("button", name="Yes, forget me").click()
    expect(other.locator("h1")).to_have_text("You have been forgotten")
    for somebody in (first, second):
        somebody.go("/me")
        expect(somebody.page.locator("h1")).to_have_text("Guest")


def test_a_picture_is_chosen_by_keyboard(player: Player) -> None:
    player.go("/settings")
    page = player.page
    page.locator('input[name="name"]').focus()
    for key in ("Tab", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    expect(page.locator('input[name="avatar"]:checked')).to_have_count(1)
    with page.expect_navigation():
        page.keyboard.press("Enter")
    player.go("/me")
    expect(page.locator(".me .portrait").first).to_have_attribute("src", re.compile("avatar-"))


def test_a_friend_comes_goes_and_says_hello(player: Player, friend: Player) -> None:
    friend.accept(player.invite())
    sign = player.page.locator(".presence")
    expect(sign).to_have_text("here")
    friend.page.locator(".emotes summary").click()
    friend.page.get_by_role("button", name="Well played!").click()
    expect(player.page.locator(".side.top .says")).to_have_text("Well played!")
    expect(player.page.locator("#spoken")).to_contain_text("Well played!")
    friend.go("/rules")
    expect(sign).to_have_text("away")
    friend.page.go_back()
    expect(sign).to_have_text("here")


def test_a_friend_who_has_come_is_not_shown_as_away(player: Player, friend: Player, arrive: Arrive) -> None:
    """The stream may announce the friend before the page has the table that can show it."""
    silent = arrive(java_script_enabled=False)
    link = player.invite()
    held: list[tuple[Route, APIResponse]] = []
    with player.page.expect_request("**/table?*"):
        player.page.route("**/table?*", lambda route: held.append((route, route.fetch())), times=1)
        silent.accept(link)
    while not held:
        player.page.evaluate("0")  # lets Playwright call the function above
    friend.context.add_cookies(silent.context.cookies())  # type: ignore[arg-type]
    friend.go(silent.page.url)
    company = f"{player.address}/api/games/{player.game}/presence"
    for _try in tries():
        if all(someone["here"] for someone in player.context.request.get(company).json()):
            break
    route, answer = held[0]
    assert "away" in answer.text()
    route.fulfill(response=answer)
    expect(player.page.locator(".presence")).to_have_text("here")


def test_a_clock_runs_to_zero_and_the_match_is_lost(player: Player, friend: Player, served: Served) -> None:
    player.secret = served.host
    player.sit(served.clocked)
    friend.accept(f"{friend.address}/invite/{invite_secret(served.host, served.clocked)}", "Bob")
    for somebody in (player, friend):
        expect(somebody.table).to_have_attribute("data-status", "over")
        expect(somebody.page.locator("#news")).to_contain_text("ran out of time")
        expect(somebody.page.locator("h2#score")).to_contain_text("wins the match")
        somebody.check("out of time")
