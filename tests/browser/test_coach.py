"""The coach in the browser: a hint at the table, and the review of a match that was played to its end."""

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.guest import LONG, Guest
from tests.browser.test_access import check

pytestmark = pytest.mark.slow


def test_a_hint_comes_in_three_steps_and_keeps_the_choice(browser: Browser, address: str) -> None:
    with browser.new_context(reduced_motion="reduce") as context:
        guest = Guest(context, address)
        guest.against("trader")
        guest.await_turn()
        guest.page.locator("#move .market label.card").first.click()
        for words in ("Hint", "Hint: show the cards", "Hint: show the numbers"):
            expect(guest.page.locator(".ask-hint button")).to_have_text(words)
            guest.ask_for_hint()
        expect(guest.page.locator("#hint table tbody tr").first).to_be_visible()
        expect(guest.page.locator("#move .marked").first).to_be_visible()
        expect(guest.page.locator("#move .market input:checked")).to_have_count(1)
        expect(guest.page.locator(".with-hints")).to_have_text("Played with 1 hint.")
        check(guest, "hint")
        assert guest.troubles == []


PLAY = """async ({game, seat}) => {
  const ask = async (path, body) => (await fetch(`/api/games/${game}${path}`, body === undefined ? {} : {
    method: "POST", body: JSON.stringify(body), headers: {"content-type": "application/json"}})).json();
  for (;;) {
    const seen = await ask("");
    const sales = seen.legal.filter((move) => !move.includes("+"));
    const takes = seen.legal.filter((move) => !move.includes("-"));
    if (seen.status === "over") return;
    if (seen.status === "sheet") await ask("/ready", {});
    else if (seen.turn === seat) await ask("/moves", {move: [...sales, ...takes, ...seen.legal][0], ply: seen.ply});
    else await new Promise((done) => setTimeout(done, 50));
  }
}"""
"""Plays the guest's seat to the end of the match, much faster than by clicks."""


def play_by_program(guest: Guest) -> None:
    guest.page.evaluate(PLAY, {"game": guest.game, "seat": guest.view()["seat"]})


def test_a_finished_match_shows_its_graphs_at_once(browser: Browser, address: str) -> None:
    with browser.new_context(reduced_motion="reduce") as context:
        guest = Guest(context, address)
        guest.against("pedlar")
        play_by_program(guest)
        guest.page.reload()
        guest.page.locator('a[href$="/review"]').first.click()
        expect(guest.page.locator("svg.graph").first).to_be_visible(timeout=LONG)
        check(guest, "review in the making")
        assert guest.troubles == []


MAKING = """<div id="review" data-game="g" data-number="0" data-drawn="yes">
<div id="progress"><progress max="9"></progress><span id="graded"></span></div></div>
<script type="module" src="/static/js/review.js"></script>"""
"""As much of the page of an unfinished review as its script needs."""
STREAM = """window.EventSource = class {
  addEventListener(_name, hear) { window.tell = (text) => hear({data: JSON.stringify({text})}); }
};"""


def test_whoever_reads_a_review_in_the_making_is_left_alone_while_there_is_news(browser: Browser, address: str) -> None:
    with browser.new_context() as context:
        guest = Guest(context, address)
        page = guest.page
        page.route("**/making", lambda route: route.fulfill(content_type="text/html", body=MAKING))
        page.add_init_script(STREAM)
        page.clock.install()
        guest.go("/making")
        page.wait_for_function("() => Boolean(window.tell)")
        loads: list[str] = []
        page.on("load", lambda loaded: loads.append(loaded.url))
        for done in range(1, 4):
            page.clock.run_for(15_000)
            page.evaluate(f"tell('{done}/9')")
        expect(page.locator("#graded")).to_have_text("3")
        assert loads == []
        with page.expect_event("load"):
            page.clock.run_for(21_000)
