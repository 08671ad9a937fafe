"""Whole matches in a real browser: by mouse, by keyboard alone, and between two browsers."""

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.guest import Guest

pytestmark = pytest.mark.slow


def test_match_by_mouse(browser: Browser, address: str) -> None:
    with browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce") as context:
        guest = Guest(context, address, seed=3)
        guest.against("pedlar")
        guest.await_turn()
        assert guest.page.evaluate("document.documentElement.scrollHeight") <= 800  # the whole table at a glance
        while (view := guest.await_turn())["status"] != "over":
            if view["status"] == "sheet":
                guest.next_round()
            else:
                guest.play(guest.choose(view))
        assert max(side["seals"] for side in view["sides"]) == 2  # R26
        assert view["seed"]
        expect(guest.page.locator("#score")).to_contain_text("wins the match")
        assert guest.page.locator("code", has_text=view["seed"]).count() == 1
        guest.page.get_by_role("link", name="Verify the shuffle").click()
        expect(guest.page.locator("main")).to_contain_text(view["commitment"])
        assert guest.troubles == []


def test_match_by_keyboard_alone(browser: Browser, address: str) -> None:
    with browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce") as context:
        guest = Guest(context, address, seed=4)
        guest.go()
        guest.tab_to(guest.page.locator('form[action="/games"] button').first)
        guest.page.keyboard.press("Enter")
        expect(guest.table).to_be_visible()
        while (view := guest.await_turn())["status"] != "over":
            before = guest.number
            if view["status"] == "sheet":
                guest.tab_to(guest.page.locator('form[action$="/ready"] button'))
            else:
                _choose_by_keys(guest, guest.choose(view))
            guest.page.keyboard.press("Enter")
            guest.played(before, lambda: guest.page.keyboard.press("Enter"))
        assert guest.troubles == []


def _choose_by_keys(guest: Guest, move: str) -> None:
    plus, _dash, minus = move.partition("-")
    for field, cards in (("take", plus[1:]), ("give", minus)):
        for letter in cards:
            guest.arrow_to(guest.card(field, letter).locator("input"))
            guest.page.keyboard.press("Space")


def test_match_between_two_browsers(browser: Browser, address: str) -> None:
    """By invite link, with a reload and a cut connection in the middle, an offer that is answered, and a rematch."""
    with (
        browser.new_context(reduced_motion="reduce") as one,
        browser.new_context(reduced_motion="reduce", locale="fr") as two,
    ):
        host, friend = Guest(one, address, seed=5), Guest(two, address, seed=6)
        host.go()
        form = host.page.locator('form:has(input[name="kind"][value="friend"])')
        form.locator('input[name="name"]').fill("Asha")
        form.locator("button").click()
        link = host.page.locator("#invite").input_value()
        friend.page.goto(link)
        friend.page.locator('input[name="name"]').fill("Léa")
        friend.page.locator('form[action^="/invite/"] button').click()
        expect(friend.table).to_have_attribute("data-status", "playing")
        expect(host.table).to_have_attribute("data-status", "playing")
        _play_to_the_end(host, friend)
        assert host.view()["winner"] == friend.view()["winner"]
        host.page.locator('form[action$="/rematch"] button').click()
        friend.page.locator('form[action$="/agree"] button').click()
        friend.page.wait_for_url(lambda url: url.rstrip("/").rsplit("/", 1)[1] != link)
        expect(friend.table).to_have_attribute("data-status", "playing")
        expect(host.table).to_have_attribute("data-status", "playing")
        assert host.game == friend.game
        assert host.troubles == [] == friend.troubles


def _play_to_the_end(host: Guest, friend: Guest) -> None:
    moves = 0
    while (view := host.view())["status"] != "over":
        if view["status"] == "sheet":
            for guest in (host, friend):
                guest.await_turn()
                guest.page.locator('form[action$="/ready"] button').click()
            expect(host.table).to_have_attribute("data-status", "playing")
            expect(friend.table).to_have_attribute("data-status", "playing")
            continue
        mover, other = (host, friend) if view["turn"] == view["seat"] else (friend, host)
        if moves == 6:
            other.page.reload()
        if moves == 10:
            other.context.set_offline(True)
        mover.play(mover.choose(mover.await_turn()))
        moves += 1
        if moves == 11:
            other.context.set_offline(False)
        expect(other.table).to_have_attribute("data-number", str(mover.number))
