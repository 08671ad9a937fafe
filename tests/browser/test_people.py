"""People in a real browser: names, another device, being forgotten, a friend who comes and goes, a clock at zero."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import APIResponse, Browser, BrowserContext, Page, Route, expect

from jaipur.store import Store, open_database
from jaipur.table import GameKind, Seating, Tables, fresh_secret, hashed
from tests.browser.guest import LONG, Guest
from tests.serving import end_server, start_server

pytestmark = pytest.mark.slow

ME, FRIEND = fresh_secret(), fresh_secret()
SHORT = "0.1+0"
"""Six seconds for a whole match: a pace that people cannot choose."""


def quiet(browser: Browser, **options: object) -> BrowserContext:
    return browser.new_context(reduced_motion="reduce", **options)  # type: ignore[arg-type]


def known(browser: Browser, url: str, secret: str) -> BrowserContext:
    """A browser that holds this secret."""
    context = quiet(browser)
    context.add_cookies([{"name": "jaipur_seat", "value": secret, "url": url}])
    return context


def together(host: Guest, friend: Guest) -> None:
    """A game with a friend, set up by form and link."""
    host.page.goto(host.address)
    host.page.locator(".way", has_text="A friend by link").locator("button").click()
    link = host.page.locator("#invite").input_value()
    friend.page.goto(link)
    friend.page.locator('form[action^="/invite"] button').click()
    expect(friend.table).to_have_attribute("data-status", "playing")
    expect(host.table).to_have_attribute("data-status", "playing")


def until(page: Page, condition: Callable[[], bool]) -> None:
    """Waits for something that the page does not show."""
    for _try in range(LONG // 20):
        if condition():
            return
        page.wait_for_timeout(20)
    raise AssertionError("it did not happen")


def accessible(page: Page) -> None:
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def introduce(page: Page, address: str, name: str, avatar: str) -> None:
    page.goto(f"{address}/settings")
    page.locator('input[name="name"]').fill(name)
    page.locator(f'input[value="{avatar}"]').check()
    page.get_by_role("button", name="Save").click()


@pytest.mark.parametrize("scripts", [True, False])
def test_a_link_carries_me_to_another_device_and_forget_me_forgets(
    browser: Browser, address: str, scripts: bool
) -> None:
    address = address.rstrip("/")
    with quiet(browser, java_script_enabled=scripts) as first, quiet(browser, java_script_enabled=scripts) as second:
        page, other = first.new_page(), second.new_page()
        introduce(page, address, "Asha", "peacock")
        page.goto(f"{address}/me")
        page.locator('form[action="/me/device"] button').click()
        link = page.locator("#invite").input_value()
        expect(page.locator(".code svg")).to_be_visible()
        other.goto(link)
        other.get_by_role("button", name="Yes, this is me").click()
        expect(other.locator("h1")).to_have_text("Asha")
        other.goto(link)
        expect(other.locator("main")).to_contain_text("create a new one")
        other.goto(f"{address}/me")
        other.get_by_role("link", name="Forget me…").click()
        other.get_by_role("button", name="Yes, forget me").click()
        expect(other.locator("h1")).to_have_text("You have been forgotten")
        for somebody in (page, other):
            somebody.goto(f"{address}/me")
            expect(somebody.locator("h1")).to_have_text("Guest")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_of_people_are_accessible(browser: Browser, address: str, scheme: str) -> None:
    address = address.rstrip("/")
    with quiet(browser, color_scheme=scheme) as context:
        page = context.new_page()
        introduce(page, address, "Asha", "tiger")
        for path in ("/me", "/me/forget", "/privacy", "/clock", "/settings", "/"):
            page.goto(address + path)
            accessible(page)
        page.goto(f"{address}/me")
        page.locator('form[action="/me/device"] button').click()
        expect(page.locator(".code svg")).to_be_visible()
        accessible(page)


def test_a_picture_is_chosen_by_keyboard(browser: Browser, address: str) -> None:
    with quiet(browser) as context:
        page = context.new_page()
        page.goto(f"{address.rstrip('/')}/settings")
        page.locator('input[name="name"]').focus()
        page.keyboard.press("Tab")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        expect(page.locator('input[name="avatar"]:checked')).to_have_count(1)
        with page.expect_navigation():
            page.keyboard.press("Enter")
        page.goto(f"{address.rstrip('/')}/me")
        expect(page.locator(".me .portrait").first).to_have_attribute("src", re.compile("avatar-"))


def test_a_friend_comes_goes_and_says_hello(browser: Browser, address: str) -> None:
    with quiet(browser) as first, quiet(browser) as second:
        host, friend = Guest(first, address), Guest(second, address, 2)
        together(host, friend)
        sign = host.page.locator(".presence")
        expect(sign).to_have_text("here")
        friend.page.locator(".emotes summary").click()
        friend.page.get_by_role("button", name="Well played!").click()
        expect(host.page.locator(".side.top .says")).to_have_text("Well played!")
        expect(host.page.locator("#spoken")).to_contain_text("Well played!")
        accessible(host.page)
        friend.page.close()
        expect(sign).to_have_text("away", timeout=20_000)
        back = second.new_page()
        back.goto(host.page.url)
        expect(sign).to_have_text("here")
        assert host.troubles == []


def test_a_friend_who_has_come_is_not_shown_as_away(browser: Browser, address: str) -> None:
    """The stream may announce the friend before the page has the table that can show it."""
    with quiet(browser) as one, quiet(browser, java_script_enabled=False) as silent:
        host, friend = Guest(one, address), Guest(silent, address)
        host.go()
        host.page.locator(".way", has_text="A friend by link").locator("button").click()
        held: list[tuple[Route, APIResponse]] = []
        host.page.route("**/table?*", lambda route: held.append((route, route.fetch())), times=1)
        friend.page.goto(host.page.locator("#invite").input_value())
        friend.page.locator('form[action^="/invite"] button').click()
        until(host.page, lambda: bool(held))
        with quiet(browser, storage_state=silent.storage_state()) as awake:
            awake.new_page().goto(friend.page.url)
            company = f"{host.address}/api/games/{host.game}/presence"
            until(host.page, lambda: all(someone["here"] for someone in one.request.get(company).json()))
            route, answer = held[0]
            assert "away" in answer.text()
            route.fulfill(response=answer)
            expect(host.page.locator(".presence")).to_have_text("here")


@pytest.fixture(name="short_clock")
def _short_clock(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """A server with a game whose clock has almost run out, and its address."""
    store = Store(open_database(str(tmp_path / "jaipur.sqlite3")))
    seating = Seating(GameKind.FRIEND, ("Ann", "Bob"), holders=(hashed(ME), hashed(FRIEND)), pace=SHORT)
    game = Tables(store).create(seating).game.id
    store.engine.dispose()
    server, url = start_server(tmp_path, "--pause", "0")
    yield url, game
    end_server(server)


def test_a_clock_runs_to_zero_and_the_match_is_lost(browser: Browser, short_clock: tuple[str, str]) -> None:
    url, game = short_clock
    with known(browser, url, ME) as first, known(browser, url, FRIEND) as second:
        pages = [context.new_page() for context in (first, second)]
        for page in pages:
            page.goto(f"{url.rstrip('/')}/game/{game}")
        for page in pages:
            expect(page.locator("#table")).to_have_attribute("data-status", "over", timeout=30_000)
            expect(page.locator("#news")).to_contain_text("ran out of time")
            expect(page.locator("h2#score")).to_contain_text("wins the match")
            accessible(page)
