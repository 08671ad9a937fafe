"""What people find in the app besides playing a match, in a real browser."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

from jaipur import Match, Record, Rng
from jaipur.language import LANGUAGES
from jaipur.rules.move import from_code
from jaipur.rules.playout import RandomMover
from tests.browser.guest import Guest, quiet

pytestmark = pytest.mark.slow


def finished_record(seed: int) -> Record:
    match, mover = Match(seed), RandomMover(Rng(seed))
    while not match.over:
        if match.round.over:
            match.next_round()
        me = match.round.side(match.round.turn)
        match.play(from_code(mover.choose(me.hand, me.herd, match.round.market)))
    return Record(match, ("Asha", "bot:trader"), "2026-01-31")


def test_undo_against_a_bot(browser: Browser, address: str) -> None:
    with quiet(browser) as context:
        guest = Guest(context, address)
        guest.against("trader")
        before = guest.await_turn()
        guest.one_move()
        number = guest.number
        guest.page.locator('form[action$="/undo"] button').click()
        guest.after(number)
        after = guest.await_turn()
        assert after["sides"][0] == before["sides"][0]
        assert after["market"] == before["market"]
        assert after["ply"] > before["ply"]


def test_an_illegal_choice_says_why_and_is_kept(browser: Browser, address: str) -> None:
    with quiet(browser) as context:
        guest = Guest(context, address)
        guest.against("pedlar")
        guest.await_turn()
        # One card for one card: an exchange takes two or more, whatever was dealt (R10).
        guest.page.locator("#move .market label.card").first.click()
        guest.page.locator("#move .side.bottom label.card").first.click(position={"x": 10, "y": 30})
        guest.page.locator("#play").click()
        expect(guest.page.locator("#said")).to_contain_text(re.compile(r"\(R\d+(, R\d+)*\)"))
        assert guest.page.locator("#move input:checked").count() == 2
        guest.page.keyboard.press("Escape")
        expect(guest.page.locator("#move input:checked")).to_have_count(0)


def test_a_choice_that_was_cleared_stays_cleared(browser: Browser, address: str) -> None:
    """The answer to a refused move, in which the cards are still selected, arrives after Escape was pressed."""
    with quiet(browser) as context:
        guest = Guest(context, address)
        guest.against("pedlar")
        guest.await_turn()
        held: list[Route] = []
        guest.page.route("**/move", lambda route: held.append(route))  # noqa: PLW0108 - Playwright wants a function
        guest.page.locator("#move .market label.card").first.click()
        guest.page.locator("#move .side.bottom label.card").first.click(position={"x": 10, "y": 30})
        with guest.page.expect_request("**/move"):
            guest.page.locator("#play").click()
        guest.page.keyboard.press("Escape")
        expect(guest.page.locator("#move input:checked")).to_have_count(0)
        old = guest.page.locator("#table").element_handle()
        held[0].continue_()
        guest.page.wait_for_function("old => !old.isConnected", arg=old)
        assert guest.page.locator("#move input:checked").count() == 0


def test_resign_and_rematch(browser: Browser, address: str) -> None:
    with quiet(browser) as context:
        guest = Guest(context, address)
        guest.against("pedlar")
        guest.await_turn()
        guest.page.locator(".resign summary").click()
        guest.page.locator('form[action$="/resign"] button').click()
        expect(guest.table).to_have_attribute("data-status", "over")
        old = guest.game
        guest.page.locator('form[action$="/rematch"] button').click()
        guest.page.wait_for_function("old => document.getElementById('table').dataset.game !== old", arg=old)
        view = guest.view()
        assert view["starter"] == view["seat"]  # the loser starts
        assert guest.troubles == []


def hand_cards(guest: Guest) -> list[tuple[str, str]]:
    """The hand cards on the page: where each one is, and its letter or a question mark."""
    cards = guest.page.locator('[data-zone^="hand-"]').all()
    return sorted((card.get_attribute("data-zone") or "", card.get_attribute("data-letter") or "") for card in cards)


def public_cards(view: dict[str, Any], seat: int) -> list[tuple[str, str]]:
    """A hand as everybody at the table knows it (R18)."""
    side = view["sides"][seat]
    assert side["hand"] is None
    return [(f"hand-{seat}", letter) for letter in side["known"].ljust(side["hand_size"], "?")]


def test_two_at_one_screen_see_no_hand_between_turns(browser: Browser, address: str) -> None:
    with quiet(browser) as context:
        guest = Guest(context, address)
        guest.go()
        form = guest.page.locator('form:has(input[name="kind"][value="one-screen"])')
        form.locator('input[name="name"]').fill("Asha")
        form.locator('input[name="name2"]').fill("Ravi")
        form.locator("button").click()
        for _turn in range(6):
            expect(guest.table).to_have_attribute("data-seat", "")
            assert hand_cards(guest) == sorted(public_cards(guest.view(), 1))  # the other side is under the cover
            turn = int(guest.table.get_attribute("data-turn") or 0)
            guest.page.locator(".cover a").click()
            expect(guest.table).to_have_attribute("data-seat", str(turn))
            view = guest.view(turn)
            guest.play(guest.choose(view))
        assert guest.troubles == []


def test_the_language_is_switched_and_stays(browser: Browser, address: str) -> None:
    with quiet(browser, locale="en") as context:
        guest = Guest(context, address)
        guest.against("trader")
        expect(guest.page.locator("html")).to_have_attribute("lang", "en")
        guest.page.locator('form[action="/settings"] button[value="fr"]').first.click()
        expect(guest.page.locator("html")).to_have_attribute("lang", "fr")
        expect(guest.table).to_be_visible()
        guest.go()
        expect(guest.page.locator("html")).to_have_attribute("lang", "fr")


def test_the_guided_round_teaches_one_thing_after_another(browser: Browser, address: str) -> None:
    with quiet(browser) as context:
        guest = Guest(context, address)
        guest.go()
        guest.page.locator('button[name="kind"][value="guided"]').first.click()
        titles = []
        wanted = {
            "Take one good": r"\+[^M]$",
            "Take the camels": r"\+M$",
            "Give camels, take goods": r"\+.+-M+$",
            "Give goods, take goods": r"\+.+-[^M]+$",
            "A full hand: sell": "-",
        }
        for _turn in range(8):
            view = guest.await_turn()
            if view["status"] != "playing":
                break
            title = guest.page.locator(".lesson h2").inner_text()
            titles.append(title)
            guest.play(next(move for move in view["legal"] if re.match(wanted.get(title, ""), move)))
        assert set(wanted) <= set(titles)


def test_a_record_is_taken_in_and_replayed_step_by_step(browser: Browser, address: str, tmp_path: Path) -> None:
    record = finished_record(11)
    file = tmp_path / "match.jaipur"
    record.save(file)
    with quiet(browser) as context:
        guest = Guest(context, address)
        guest.go("/games")
        guest.page.locator('input[type="file"]').set_input_files(file)
        guest.page.locator('form[action="/records"] button').click()
        expect(guest.page).to_have_url(re.compile("/replay/0$"))
        guest.page.wait_for_load_state()  # the keys work once the script is loaded
        guest.page.keyboard.press("ArrowRight")
        expect(guest.page).to_have_url(re.compile("/replay/1$"))
        guest.page.wait_for_load_state()
        guest.page.keyboard.press("End")
        expect(guest.page).to_have_url(re.compile(f"/replay/{record.match.ply}$"))
        game = guest.page.url.split("/")[-3]
        text = context.request.get(f"{guest.address}/game/{game}/record").text()
        assert Record.parse(text).match.seed == record.match.seed
        assert [str(move) for played in Record.parse(text).match.rounds for move in played.moves] == [
            str(move) for played in record.match.rounds for move in played.moves
        ]
        bad = tmp_path / "bad.jaipur"
        bad.write_text(file.read_text().replace("+M", "+Q", 1))
        guest.go("/games")
        guest.page.locator('input[type="file"]').set_input_files(bad)
        guest.page.locator('form[action="/records"] button').click()
        expect(guest.page.locator("main")).to_contain_text(re.compile(r"Line \d+"))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_phone(browser: Browser, address: str, lang: str) -> None:
    size = {"width": 360, "height": 740}
    with quiet(browser, viewport=size, locale=lang, has_touch=True, is_mobile=True) as context:
        guest = Guest(context, address)
        guest.go()
        for path in ("/", "/rules", "/games", "/settings"):
            guest.go(path)
            assert guest.page.evaluate("document.documentElement.scrollWidth") <= 360, path
        guest.against("trader")
        for _turn in range(3):
            view = guest.await_turn()
            assert guest.page.evaluate("document.documentElement.scrollWidth") <= 360
            small = guest.page.evaluate(
                """() => [...document.querySelectorAll("a, button, summary, #move label.card")]
                    .filter(el => el.checkVisibility() && !el.closest(".unseen"))
                    .map(el => [el.getBoundingClientRect(), el.textContent.trim()])
                    .filter(([box]) => box.width && (box.width < 24 || box.height < 24)).map(([, text]) => text)"""
            )
            assert [text for text in small if text] == []
            guest.play(guest.choose(view))
        assert guest.troubles == []


def test_without_scripts(browser: Browser, address: str) -> None:
    """Forms and links are enough; reloading brings the page up to date."""
    with quiet(browser, java_script_enabled=False) as context:
        guest = Guest(context, address)
        guest.against("pedlar")
        played = 0
        while played < 4:
            guest.page.reload()
            view = guest.view()
            if view["turn"] != view["seat"]:
                guest.page.wait_for_timeout(50)
                continue
            guest.select(guest.choose(view))
            with guest.page.expect_navigation():  # a reload in the middle of it would fail
                guest.page.locator("#play").click()
            played += 1
        assert len([move for move in guest.view()["log"] if move["seat"] == 0]) == 4


def test_first_page_is_light_and_nothing_leaves_the_machine(browser: Browser, address: str) -> None:
    with quiet(browser) as context:
        guest = Guest(context, address)
        asked: list[str] = []
        guest.page.on("request", lambda request: asked.append(request.url))
        network = context.new_cdp_session(guest.page)
        sizes: list[int] = []
        network.send("Network.enable")
        network.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
        guest.go()
        guest.page.wait_for_load_state("networkidle")
        assert 0 < sum(sizes) < 100_000
        guest.against("trader")
        guest.one_move()
        guest.go("/rules")
        assert [url for url in asked if not url.startswith(guest.address)] == []
