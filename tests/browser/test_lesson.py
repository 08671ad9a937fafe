"""The guided round in a real browser, from the start page to the graduation, by following its marks."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, expect

from jaipur.language import LANGUAGES
from jaipur.server.lesson_script import STEPS
from tests.browser.guest import Guest

pytestmark = pytest.mark.slow

SMALL = {"width": 360, "height": 640}
NEEDED = (".lesson", ".market .places", ".bottom .hand", ".bottom .herd", "#play")


def begin(context: BrowserContext, address: str) -> Guest:
    """A first-time visitor, who presses the first button."""
    guest = Guest(context, address)
    guest.go()
    guest.page.locator(".hero button.primary").click()
    expect(guest.page.locator(".lesson")).to_be_visible()
    return guest


def select_marked(guest: Guest) -> int:
    """Selects every marked card, and returns how many there were."""
    marked = guest.page.locator("#move .marked label.card")
    number = marked.count()
    for at in range(number):
        marked.nth(at).click(position={"x": 10, "y": 30})
    assert guest.page.locator("#move :checked").count() == number
    return number


def outside(guest: Guest) -> list[str]:
    """What a learner needs but cannot fully see in the window when the page is scrolled to the top."""
    guest.page.evaluate("scrollTo(0, 0)")
    boxes = {needed: guest.page.locator(needed).bounding_box() for needed in NEEDED}
    height = SMALL["height"]
    return [
        f"{needed}: {box}"
        for needed, box in boxes.items()
        if box is None or box["y"] < 0 or box["y"] + box["height"] > height or box["x"] + box["width"] > SMALL["width"]
    ]


def axe_finds_nothing(guest: Guest) -> None:
    found = Axe().run(guest.page)
    assert found.violations_count == 0, found.generate_report()


def test_the_coach_is_heard_beside_the_lesson_on_a_phone(browser: Browser, address: str) -> None:
    """Other notices give way to the lesson there; a hint, and the tutor's question, would be waited for in vain."""
    phone = {"width": 390, "height": 844}
    with browser.new_context(viewport=phone, reduced_motion="reduce") as context:  # type: ignore[arg-type]
        guest = begin(context, address)
        guest.await_turn()
        guest.ask_for_hint()
        expect(guest.page.locator("#hint")).to_be_in_viewport()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_from_the_first_visit_to_the_graduation_on_the_smallest_phone(
    browser: Browser, address: str, lang: str
) -> None:
    with browser.new_context(locale=lang, viewport=SMALL, reduced_motion="reduce") as context:  # type: ignore[arg-type]
        guest = begin(context, address)
        for number, step in enumerate(STEPS, 1):
            guest.await_turn()
            progress = guest.page.locator(".lesson progress")
            expect(progress).to_have_attribute("value", str(number))
            assert outside(guest) == []
            assert guest.page.evaluate("document.documentElement.scrollWidth") <= SMALL["width"]
            assert select_marked(guest) > 0
            expect(guest.page.locator("#play")).to_have_class("primary")
            before = guest.number
            guest.page.locator("#play").click()
            guest.after(before)
            assert guest.view()["log"][2 * number - 2]["move"] == step.move
        expect(guest.page.locator(".graduation")).to_be_visible()
        expect(guest.page.locator(".known li")).not_to_have_count(0)
        axe_finds_nothing(guest)
        lesson = guest.page.url
        guest.page.locator(".graduation button.primary").click()
        guest.page.wait_for_url(lambda url: url != lesson)
        view = guest.await_turn()
        assert (view["kind"], view["sides"][1]["level"]) == ("bot", "pedlar")
        assert guest.troubles == []


def test_the_mark_needs_no_motion_and_no_colour(browser: Browser, address: str) -> None:
    with browser.new_context(reduced_motion="reduce") as context:
        guest = begin(context, address)
        guest.await_turn()
        shown = """card => { const style = getComputedStyle(card, "::after");
            return [style.content !== "none", parseFloat(style.width) >= 15, style.animationName] }"""
        assert guest.page.locator(".marked .card").evaluate(shown) == [True, True, "none"]
        assert guest.page.locator(".market li:not(.marked) .card").first.evaluate(shown)[0] is False
        expect(guest.page.locator(".marked .card .unseen")).to_contain_text("marked by the lesson")
        axe_finds_nothing(guest)


def test_going_another_way_and_coming_back(browser: Browser, address: str) -> None:
    with browser.new_context(reduced_motion="reduce") as context:
        guest = begin(context, address)
        guest.await_turn()
        guest.play("+C")
        guest.await_turn()
        expect(guest.page.locator(".lesson em")).to_be_visible()
        expect(guest.page.locator(".lesson progress")).to_have_count(0)
        assert guest.page.locator(".marked").count() > 0
        before = guest.number
        guest.page.locator(".lesson form button").click()
        guest.after(before)
        expect(guest.page.locator(".lesson progress")).to_have_attribute("value", "1")
        guest.page.locator(".lesson .rule a").click()
        expect(guest.page.locator("#take-one-good")).to_be_in_viewport()
        guest.page.go_back()
        expect(guest.page.locator(".lesson progress")).to_have_attribute("value", "1")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_without_scripts(browser: Browser, address: str, lang: str) -> None:
    with browser.new_context(locale=lang, viewport=SMALL, java_script_enabled=False) as context:  # type: ignore[arg-type]
        guest = begin(context, address)
        played = 0
        while played < len(STEPS):
            guest.page.reload()
            if guest.table.get_attribute("data-turn") != "0":  # the page may be behind the game
                guest.page.wait_for_timeout(50)
                continue
            assert select_marked(guest) > 0
            with guest.page.expect_navigation():
                guest.page.locator("#play").click()
            played += 1
        expect(guest.page.locator(".graduation")).to_be_visible()
        with guest.page.expect_navigation():
            guest.page.locator(".graduation button.primary").click()
        assert guest.view()["sides"][1]["level"] == "pedlar"
