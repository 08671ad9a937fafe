"""Long names in a real browser: no word is broken, nothing overflows its panel, and what is cut off has a title."""

import re

import pytest
from playwright.sync_api import expect

from jaipur import Match
from jaipur.rules.bag import size
from jaipur.rules.box import HAND_LIMIT, MARKET_SIZE
from tests.browser.player import Player
from tests.browser.prepared import Games, match_is_over, reached, round_is_over

pytestmark = pytest.mark.slow

NAMES = ONE_WORD, THREE_WORDS = "Wolfeschlegelsteinhausenberger", "Maximiliana-Theodora Schwarzen"
SHAPES = [(320, 568, "fr"), (390, 844, "fr"), (740, 360, "fr"), (1280, 800, "en")]

BROKEN = """words => words.flatMap(word => {
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
})"""


def whole(player: Player, opened: str = "") -> None:
    """No name is broken in any shape, not even in a part that has to be opened."""
    for shape in player.at_each(SHAPES):
        if opened:
            player.page.locator(opened).evaluate("part => { part.open = true; }")
        assert player.page.evaluate(BROKEN, [ONE_WORD, *re.findall(r"\w+", THREE_WORDS)]) == [], shape
        assert not player.too_wide, shape


def test_at_one_screen(player: Player, games: Games) -> None:
    games.seat_at_one_screen(player, reached(lambda match: match.ply > 0), NAMES)
    expect(player.page.locator(".cover")).to_be_visible()
    whole(player)
    player.page.locator(".cover a").click()
    expect(player.page.locator("#play")).to_be_visible()
    whole(player)
    player.go("/games")
    whole(player)


def test_on_score_sheets(player: Player, games: Games) -> None:
    games.seat_at_one_screen(player, reached(round_is_over), NAMES)
    expect(player.table).to_have_attribute("data-status", "sheet")
    whole(player, ".final")
    games.seat_at_one_screen(player, reached(match_is_over), NAMES)
    expect(player.table).to_have_attribute("data-status", "over")
    whole(player)


def test_with_a_friend(player: Player, friend: Player) -> None:
    friend.go(player.invite(ONE_WORD))
    whole(friend)
    friend.accept(friend.page.url, THREE_WORDS)
    for somebody in (player, friend):
        expect(somebody.table).to_have_attribute("data-status", "playing")
        whole(somebody)
    for path in ("/me", "/games", "/"):
        player.go(path)
        whole(player)


def test_a_full_hand_leaves_room_for_its_owner(player: Player, games: Games) -> None:
    """On the smallest phone: seven cards and a herd beside the rupees."""

    def crowded(match: Match) -> bool:
        rival = match.round.side(1 - match.round.turn)
        return not match.round.over and size(rival.hand) == HAND_LIMIT and rival.herd >= MARKET_SIZE

    player.prefer(lang="fr")
    player.page.set_viewport_size({"width": 360, "height": 640})
    games.seat_at_one_screen(player, reached(crowded), NAMES)
    player.page.locator(".cover a").click()
    expect(player.page.locator("#play")).to_be_visible()
    ends, begins = player.page.evaluate(
        """() => { const range = document.createRange();
          range.selectNodeContents(document.querySelector(".side.top .rupees b"));
          return [range.getBoundingClientRect().right,
                  document.querySelector(".side.top .hand").getBoundingClientRect().left]; }"""
    )
    assert ends <= begins
