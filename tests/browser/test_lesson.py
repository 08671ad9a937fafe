"""The guided round in a real browser, from the start page to the graduation, by following its marks."""

import pytest
from playwright.sync_api import expect

from jaipur.server.lesson.lesson_script import STEPS
from tests.browser.conftest import Arrive
from tests.browser.player import Player

pytestmark = pytest.mark.slow

SMALL = {"width": 360, "height": 640}
NEEDED = (".lesson", ".market .places", ".bottom .hand", ".bottom .herd", "#play")


def begin(player: Player) -> None:
    """A first-time visitor presses the first button."""
    player.go()
    player.page.locator(".hero button.primary").click()
    expect(player.page.locator(".lesson")).to_be_visible()


def select_marked(player: Player) -> None:
    """Selects every marked card."""
    marked = player.page.locator("#move .marked label.card")
    number = marked.count()
    assert number > 0
    for at in range(number):
        marked.nth(at).click(position={"x": 10, "y": 30})
    assert player.page.locator("#move :checked").count() == number


def fits(player: Player) -> None:
    """All that a learner needs is seen in the window, without scrolling."""
    for needed in NEEDED:
        box = player.page.locator(needed).bounding_box()
        assert box, needed
        assert min(box["x"], box["y"]) >= 0, (needed, box)
        assert box["y"] + box["height"] <= SMALL["height"], (needed, box)
        assert box["x"] + box["width"] <= SMALL["width"], (needed, box)


def test_from_the_first_visit_to_the_graduation_on_the_smallest_phone(arrive: Arrive) -> None:
    player = arrive(locale="fr", viewport=SMALL)
    begin(player)
    for number, step in enumerate(STEPS, 1):
        player.await_turn()
        expect(player.page.locator(".lesson progress")).to_have_attribute("value", str(number))
        player.page.evaluate("scrollTo(0, 0)")
        fits(player)
        assert not player.too_wide
        select_marked(player)
        expect(player.page.locator("#play")).to_have_class("primary")
        player.press("#play")
        assert player.view()["log"][2 * number - 2]["move"] == step.move
    expect(player.page.locator(".graduation")).to_be_visible()
    expect(player.page.locator(".known li")).not_to_have_count(0)
    player.check("graduation")
    lesson = player.page.url
    player.page.locator(".graduation button.primary").click()
    player.page.wait_for_url(lambda url: url != lesson)
    view = player.await_turn()
    assert (view["kind"], view["sides"][1]["level"]) == ("bot", "pedlar")


def test_without_scripts(arrive: Arrive) -> None:
    """Each step says what it teaches and fits the smallest phone, in English too. Most are not played by the page."""
    player = arrive(viewport=SMALL, java_script_enabled=False)
    begin(player)
    for number, step in enumerate(STEPS):
        player.reload_until_my_turn()
        expect(player.page.locator(".lesson h2")).to_have_text(step.title)
        fits(player)
        if 2 < number < len(STEPS) - 1:
            player.play_by_api(step.move)
            continue
        select_marked(player)
        with player.page.expect_navigation():
            player.page.locator("#play").click()
    expect(player.page.locator(".graduation")).to_be_visible()
    with player.page.expect_navigation():
        player.page.locator(".graduation button.primary").click()
    assert player.view()["sides"][1]["level"] == "pedlar"


def test_the_coach_is_heard_beside_the_lesson_on_a_phone(player: Player) -> None:
    """Other notices give way to the lesson there; a hint, and the tutor's question, would be waited for in vain."""
    player.page.set_viewport_size({"width": 390, "height": 844})
    begin(player)
    player.await_turn()
    player.ask_for_hint()
    expect(player.page.locator("#hint")).to_be_in_viewport()


def test_the_mark_needs_no_motion_and_no_colour(player: Player) -> None:
    begin(player)
    player.await_turn()
    shown = """card => { const style = getComputedStyle(card, "::after");
        return [style.content !== "none", parseFloat(style.width) >= 15, style.animationName] }"""
    assert player.page.locator(".marked .card").evaluate(shown) == [True, True, "none"]
    assert player.page.locator(".market li:not(.marked) .card").first.evaluate(shown)[0] is False
    expect(player.page.locator(".marked .card .unseen")).to_contain_text("marked by the lesson")
    player.check("a mark of the lesson")


def test_going_another_way_and_coming_back(player: Player) -> None:
    begin(player)
    player.await_turn()
    player.play("+C")
    player.await_turn()
    progress = player.page.locator(".lesson progress")
    expect(player.page.locator(".lesson em")).to_be_visible()
    expect(progress).to_have_count(0)
    assert player.page.locator(".marked").count() > 0
    player.press(".lesson form button")
    expect(progress).to_have_attribute("value", "1")
    player.page.locator(".lesson .rule a").click()
    expect(player.page.locator("#take-one-good")).to_be_in_viewport()
    player.page.go_back()
    expect(progress).to_have_attribute("value", "1")
