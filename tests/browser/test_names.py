"""Long names in a real browser: no word is broken, nothing overflows its panel, and what is cut off has a title."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from jaipur import Match, Record, Rng
from jaipur.rules.bag import size
from jaipur.rules.box import HAND_LIMIT, MARKET_SIZE
from jaipur.rules.move import from_code
from jaipur.rules.playout import RandomMover
from tests.browser.guest import Guest, quiet

pytestmark = pytest.mark.slow

ONE_WORD, THREE_WORDS = "Wolfeschlegelsteinhausenberger", "Maximiliana-Theodora Schwarzen"
SIZES = [(320, 568, "fr"), (390, 844, "fr"), (740, 360, "fr"), (1280, 800, "en")]

BROKEN = """word => {
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode, at = text.data.indexOf(word), holder = text.parentElement;
    if (at < 0 || !holder.checkVisibility() || holder.closest(".unseen, .bar, script")) continue;
    const range = document.createRange();
    range.setStart(text, at);
    range.setEnd(text, at + word.length);
    const lines = new Set([...range.getClientRects()].map(box => Math.round(box.top)));
    if (lines.size > 1) found.push("broken: " + holder.outerHTML);
    let clip = holder;
    while (clip && getComputedStyle(clip).overflowX === "visible") clip = clip.parentElement;
    const end = range.getBoundingClientRect().right, edge = clip?.getBoundingClientRect().right ?? Infinity;
    const panel = holder.closest(".side, .panel, .cover, .action, .notice, .log, .final, .sheet-of-paper, .way");
    if (Math.min(end, edge) > panel.getBoundingClientRect().right) found.push("out of its panel: " + holder.outerHTML);
    if (end > edge + 1 && !holder.closest("[title]")?.title.includes(word)) found.push("no title: " + holder.outerHTML);
  }
  return found;
}"""


def whole(page: Page) -> None:
    page.wait_for_load_state()
    for word in (ONE_WORD, *re.findall(r"\w+", THREE_WORDS)):
        assert page.evaluate(BROKEN, word) == []
    width = page.evaluate("innerWidth")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.fixture(name="guest", params=SIZES, ids=lambda size: f"{size[0]}-{size[2]}")
def _guest(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Guest]:
    width, height, lang = request.param
    with quiet(browser, viewport={"width": width, "height": height}, locale=lang) as context:
        yield Guest(context, address)


def open_record(guest: Guest, folder: Path, far_enough: Callable[[Match], bool]) -> None:
    """Opens a game between two people with long names at one screen."""
    match, mover = Match(3), RandomMover(Rng(3))
    while not far_enough(match):
        if match.round.over:
            match.next_round()
        me = match.round.side(match.round.turn)
        match.play(from_code(mover.choose(me.hand, me.herd, match.round.market)))
    file = folder / "match.jaipur"
    Record(match, (ONE_WORD, THREE_WORDS), "2026-01-31").save(file)
    guest.go("/games")
    guest.page.locator('input[type="file"]').set_input_files(file)
    guest.page.locator('form[action="/records"] button').click()
    expect(guest.table).to_be_visible()


def test_at_one_screen(guest: Guest, tmp_path: Path) -> None:
    open_record(guest, tmp_path, lambda match: match.ply > 0)
    expect(guest.page.locator(".cover")).to_be_visible()
    whole(guest.page)
    guest.page.locator(".cover a").click()
    expect(guest.page.locator("#play")).to_be_visible()
    whole(guest.page)
    guest.go("/games")
    whole(guest.page)


def test_on_score_sheets(guest: Guest, tmp_path: Path) -> None:
    open_record(guest, tmp_path, lambda match: match.round.over)
    expect(guest.table).to_have_attribute("data-status", "sheet")
    guest.page.locator(".final > summary").click()
    whole(guest.page)
    open_record(guest, tmp_path, lambda match: match.over)
    guest.page.goto(guest.page.url.split("/replay")[0])
    expect(guest.table).to_have_attribute("data-status", "over")
    whole(guest.page)


def test_with_a_friend(guest: Guest, browser: Browser) -> None:
    guest.go()
    form = guest.page.locator('form:has(input[value="friend"])')
    form.locator("[name=name]").fill(ONE_WORD)
    form.locator("button").click()
    link = guest.page.locator("#invite").input_value()
    with quiet(browser, viewport=guest.page.viewport_size) as context:
        friend = Guest(context, guest.address)
        friend.page.goto(link)
        whole(friend.page)
        friend.page.locator("[name=name]").fill(THREE_WORDS)
        friend.page.locator("main form button").click()
        expect(friend.table).to_have_attribute("data-status", "playing")
        whole(friend.page)
        expect(guest.table).to_have_attribute("data-status", "playing")
        whole(guest.page)
    for path in ("/me", "/games", "/"):
        guest.go(path)
        whole(guest.page)


def test_a_full_hand_leaves_room_for_its_owner(browser: Browser, address: str, tmp_path: Path) -> None:
    """On the smallest phone: seven cards and a herd beside the rupees."""
    with quiet(browser, viewport={"width": 360, "height": 640}, locale="fr") as context:
        guest = Guest(context, address)

        def crowded(match: Match) -> bool:
            rival = match.round.side(1 - match.round.turn)
            return not match.round.over and size(rival.hand) == HAND_LIMIT and rival.herd >= MARKET_SIZE

        open_record(guest, tmp_path, crowded)
        guest.page.locator(".cover a").click()
        expect(guest.page.locator("#play")).to_be_visible()
        ends, begins = guest.page.evaluate(
            """() => { const range = document.createRange();
              range.selectNodeContents(document.querySelector(".side.top .rupees b"));
              return [range.getBoundingClientRect().right,
                      document.querySelector(".side.top .hand").getBoundingClientRect().left]; }"""
        )
        assert ends <= begins
