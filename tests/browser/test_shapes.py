"""Screens of every shape, in a real browser: one page is shown in each of them, in both languages."""

import re

import pytest
from playwright.sync_api import expect

from jaipur.language import LANGUAGES
from tests.browser.conftest import Arrive
from tests.browser.player import Player, Shape
from tests.browser.prepared import Games, my_turn, reached

pytestmark = pytest.mark.slow

SIZES = [(740, 360), (844, 390), (640, 400), (360, 640), (390, 844), (1280, 800)]
"""Phones on their side, a 1280 by 800 page at double size, phones upright, a desktop."""
SHAPES: list[Shape] = [(width, height, lang) for lang in LANGUAGES for width, height in SIZES]
PARTS = {"market": ".market .places", "hand": ".side.bottom .hand", "button": "#play", "herd": ".side.bottom .herd"}
WHERE_THINGS_ARE = """() => [...document.querySelectorAll("#play, #move li:has(input[type=checkbox])")].map(el => {
  const box = el.getBoundingClientRect();
  return [Math.round(box.x), Math.round(box.y), Math.round(box.height)];
})"""


def out_of_view(player: Player, shape: str) -> list[str]:
    """What cannot be seen without moving the page."""
    size = player.page.viewport_size
    assert size
    found = [f"{shape}: the page is too wide"] if player.too_wide else []
    for name, selector in PARTS.items():
        box = player.page.locator(selector).bounding_box()
        assert box, name
        right, bottom = box["x"] + box["width"], box["y"] + box["height"]
        inside = min(box["x"], box["y"]) >= 0 and right <= size["width"] + 0.5 and bottom <= size["height"] + 0.5
        if not inside and (name, size["width"], size["height"]) != ("herd", 360, 640):
            found.append(f"{shape}: {name} at {box}")
    return found


def test_all_is_seen_together_and_nothing_moves_while_cards_are_chosen(player: Player, games: Games) -> None:
    games.seat(player, reached(my_turn))
    move = max(player.one_move()["legal"], key=len)
    wrong = []
    button = player.page.locator("#play")
    for shape in player.at_each(SHAPES):
        wrong += out_of_view(player, shape)
        button.scroll_into_view_if_needed()
        before, waiting = player.page.evaluate(WHERE_THINGS_ARE), button.inner_text()
        player.select(move)
        expect(button).not_to_have_text(waiting)
        player.page.wait_for_load_state("networkidle")
        player.still()
        if (after := player.page.evaluate(WHERE_THINGS_ARE)) != before:
            wrong.append(f"{shape}: moved from {before} to {after}")
        player.page.keyboard.press("Escape")
        expect(button).to_have_text(waiting)
        player.page.evaluate("scrollTo(0, 0)")
    assert wrong == []


ROWS = """() => [...document.querySelectorAll(".market .places, .side.bottom")]
  .map(el => el.getBoundingClientRect().y + scrollY)"""


def rows_of(player: Player) -> dict[str, list[float]]:
    """Where market and hand are in each shape, while the friend is here."""
    found = {}
    for shape in player.at_each([(width, height, "fr") for width, height in SIZES]):
        expect(player.page.locator(".presence.here")).to_be_visible()
        found[shape] = player.page.evaluate(ROWS)
    return found


def test_market_and_hand_stay_in_their_places_from_turn_to_turn(player: Player, friend: Player) -> None:
    player.prefer(lang="fr")
    friend.accept(player.invite())
    for somebody in (player, friend):
        expect(somebody.table).to_have_attribute("data-status", "playing")
        expect(somebody.page.locator(".presence.here")).to_be_visible()
    view = player.view()
    first, second = (player, friend) if view["turn"] == view["seat"] else (friend, player)
    places = [rows_of(first)]
    for mover in (first, second):
        mover.play(next(move for move in mover.view()["legal"] if re.fullmatch(r"\+.", move)))
        expect(first.table).to_have_attribute("data-number", str(mover.number))
        places.append(rows_of(first))
    for shape in places[0]:
        for row in zip(*(rows[shape] for rows in places), strict=True):
            assert max(row) - min(row) < 3, (shape, row)


COVERED = """() => {
  const offer = document.getElementById("offer");
  const parts = [...document.querySelectorAll(".bar a, .bar form, #table")].filter(el => !offer.contains(el));
  const shown = [...offer.querySelectorAll("*")].filter(el => el.checkVisibility());
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const covers = part => shown.some(el => meet(el.getBoundingClientRect(), part.getBoundingClientRect()));
  return parts.filter(covers).map(el => el.textContent.trim());
}"""


def test_the_offer_of_sound_covers_nothing(player: Player) -> None:
    # A cookie keeps that sound was offered: its answer may not come between the choice of a language and the page.
    player.page.route("**/settings", lambda route: route.abort())
    player.invite()
    for shape in player.at_each([*SHAPES, *((320, 568, lang) for lang in LANGUAGES)]):
        expect(player.page.locator("#offer")).to_be_visible()
        assert player.page.evaluate(COVERED) == [], shape
        assert not player.too_wide, shape


TOO_SMALL = """() => [...document.querySelectorAll("a, button, summary, #move label.card")]
  .filter(el => el.checkVisibility() && !el.closest(".unseen"))
  .map(el => [el.getBoundingClientRect(), el.textContent.trim()])
  .filter(([box, text]) => text && box.width && (box.width < 24 || box.height < 24)).map(([, text]) => text)"""


def test_a_phone(arrive: Arrive) -> None:
    player = arrive(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    for lang in LANGUAGES:
        player.prefer(lang=lang)
        for path in ("/", "/rules", "/games", "/settings"):
            player.go(path)
            assert player.page.evaluate("document.documentElement.scrollWidth") <= 360, (path, lang)
        player.against("trader")
        for _turn in range(2):
            view = player.await_turn()
            assert player.page.evaluate("document.documentElement.scrollWidth") <= 360, lang
            assert player.page.evaluate(TOO_SMALL) == [], lang
            player.play(player.choose(view))
