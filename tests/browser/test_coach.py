"""The coach in a real browser: hints and the tutor at the table, reviews, exercises and the analysis of positions."""

import pytest
from playwright.sync_api import expect

from jaipur.bots import LEVELS
from jaipur.coach.figures import GRADED
from jaipur.language import use_language
from jaipur.record import Record
from tests.browser.conftest import Arrive
from tests.browser.player import Player
from tests.browser.prepared import Games, can, near_blunder, reached
from tests.browser.test_access import DRESSES, dress
from tests.support.matches import played_match

pytestmark = pytest.mark.slow

LONG_MOVE = "Take 1 diamond, 1 silver, 1 cloth and 2 leather, give 1 gold, 1 spice and 3 camels"


def open_all(player: Player) -> None:
    """Unfolds everything, so that it is checked too."""
    player.page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")


@DRESSES
def test_axe_finds_nothing_in_reviews_and_exercises(player: Player, games: Games, lang: str, scheme: str) -> None:
    dress(player, lang, scheme)
    reviewed = games.reviewed(player)
    player.keep("seat", player.secret)
    here = f"/game/{reviewed.done}"
    for path in (f"{here}/review", f"{here}/review/{reviewed.exercise}", f"{here}/review/{reviewed.refilled}", "/me"):
        player.go(path)
        open_all(player)
        player.check(path)
    player.go(f"{here}/exercise/{reviewed.exercise}")
    player.check("an exercise")
    player.page.locator("#move button.primary").click()
    expect(player.page.locator(".notice.doubt")).to_be_visible()
    player.check("an exercise after an answer")


def test_reviews_and_exercises_fit_a_phone(player: Player, games: Games) -> None:
    """The question, the market, the hand and the button all fit, even on a phone on its side and at double size."""
    reviewed = games.reviewed(player)
    player.keep("seat", player.secret)
    player.go(f"/game/{reviewed.done}/exercise/{reviewed.exercise}")
    for _shape in player.at_each([(360, 740, "fr"), (740, 360, "fr"), (640, 400, "fr")]):
        for part in (".notice", "#move .market label.card >> nth=4", "#move button.primary", "#move .hand >> nth=0"):
            expect(player.page.locator(part)).to_be_in_viewport(ratio=0.9)
    player.go("/me")
    the_title_of_every_level_fits(player)


def the_title_of_every_level_fits(player: Player) -> None:
    use_language("fr")
    titles = [LEVELS[name].shown_title for name in GRADED]
    use_language("en")
    box = player.page.locator("[aria-labelledby=skill] .figures li:nth-child(2) b")
    for shape in player.at_each([(360, 844, "fr"), (390, 844, "fr")]):
        one_line = box.evaluate("box => { box.textContent = 'a'; return box.offsetHeight; }")
        for title in titles:
            box.evaluate("(box, title) => { box.textContent = title; }", title)
            assert box.evaluate("box => box.scrollWidth <= box.clientWidth"), (shape, title)
            assert box.evaluate("box => box.offsetHeight") == one_line, (shape, title)


@DRESSES
def test_axe_finds_nothing_where_positions_are_analysed(player: Player, lang: str, scheme: str) -> None:
    dress(player, lang, scheme)
    page = player.page
    for path in ("/analyse?position=nonsense", "/analyse"):
        player.go(path)
        open_all(player)
        player.check(path)
    player.ask_the_coach(page.locator('a[href^="/analyse?position="]'), "table.moves")
    player.check("an analysed position")
    player.ask_the_coach(page.locator("table.moves button").last, ".verdict")
    player.check("a move that is tried")
    page.locator("textarea[name=record]").fill(str(Record(played_match(1))))
    player.ask_the_coach(page.locator("#record button.primary"), "table.moves .badge")
    player.check("a decision of a record")
    player.ask_the_coach(page.locator('#record button[value="1"]'), "table.moves .badge")
    expect(page.locator("input[name=number]")).to_have_value("2")


def test_a_hint_comes_in_three_steps_and_keeps_the_choice(player: Player, games: Games) -> None:
    games.seat(player, reached(can("+L", "-C")))
    page = player.page
    page.locator("#move .market label.card").first.click()
    for words in ("Hint", "Hint: show the cards", "Hint: show the numbers"):
        expect(page.locator(".ask-hint button")).to_have_text(words)
        player.ask_for_hint()
    expect(page.locator("#hint table tbody tr").first).to_be_visible()
    expect(page.locator("#move .marked").first).to_be_visible()
    expect(page.locator("#move .market input:checked")).to_have_count(1)
    expect(page.locator(".with-hints")).to_have_text("Played with 1 hint.")


def try_to_blunder(player: Player, move: str) -> None:
    """Plays a bad move, about which the tutor asks."""
    player.select(move)
    player.page.locator("#play").click()
    expect(player.page.locator("#change")).to_be_visible()


def test_a_hint_and_the_question_of_the_tutor_are_seen_on_a_phone(player: Player, games: Games) -> None:
    """Both appear above the market while their buttons are below it, so the page scrolls to them."""
    match, blunder = near_blunder()
    page = player.page
    for scheme, width, height in (("light", 390, 844), ("dark", 390, 844), ("light", 740, 360)):
        dress(player, "en", scheme)
        page.set_viewport_size({"width": width, "height": height})
        games.seat(player, match)
        for _step in range(3):
            player.ask_for_hint()
            expect(page.locator("#hint")).to_be_in_viewport()
        if width < height:
            player.check("a hint")
        page.locator("#hint tbody th").first.evaluate("(cell, long) => { cell.textContent = long; }", LONG_MOVE)
        assert page.locator("#hint p").last.evaluate("words => words.clientWidth") > 0.35 * width
        try_to_blunder(player, blunder)
        expect(page.locator("#doubt")).to_be_in_viewport()
        expect(page.locator("#play")).to_be_in_viewport()
        if width < height:
            player.check("the tutor's question")
        page.locator("#change").click()
        expect(page.locator("#change")).to_have_count(0)


def test_a_finished_match_shows_its_graphs_at_once(player: Player, games: Games) -> None:
    """While the moves are being graded, the page says how far that is."""
    player.sit(games.finished(player, played_match(2).until(9)).game.id)
    player.page.locator('a[href$="/review"]').first.click()
    expect(player.page.locator("#graded, .meaning").first).to_be_attached()
    expect(player.page.locator("svg.graph").first).to_be_visible()
    player.check("a review in the making")


MAKING = """<div id="review" data-game="g" data-number="0" data-drawn="yes">
<div id="progress"><progress max="9"></progress><span id="graded"></span></div></div>
<script type="module" src="/static/coach/review.js"></script>"""
"""As much of the page of an unfinished review as its script needs."""
STREAM = """window.EventSource = class {
  addEventListener(_name, hear) { window.tell = (text) => hear({data: JSON.stringify({text})}); }
};"""


def test_whoever_reads_a_review_in_the_making_is_left_alone_while_there_is_news(arrive: Arrive) -> None:
    player = arrive()
    page = player.page
    page.route("**/making", lambda route: route.fulfill(content_type="text/html", body=MAKING))
    page.add_init_script(STREAM)
    page.clock.install()
    player.go("/making")
    player.wait("the script", "() => Boolean(window.tell)")
    loads: list[str] = []
    page.on("load", lambda loaded: loads.append(loaded.url))
    for done in range(1, 4):
        page.clock.run_for(15_000)
        page.evaluate(f"tell('{done}/9')")
    expect(page.locator("#graded")).to_have_text("3")
    assert loads == []
    with page.expect_event("load"):
        page.clock.run_for(21_000)
