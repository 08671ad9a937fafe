"""What people find in the app besides playing a match, in a real browser."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from jaipur import Record
from tests.browser.conftest import Arrive
from tests.browser.player import Player
from tests.browser.prepared import Games, match_is_over, my_turn, reached

pytestmark = pytest.mark.slow


def choose_one_for_one(player: Player) -> None:
    """One card for one card: an exchange takes two or more, whatever was dealt (R10)."""
    player.page.locator("#move .market label.card").first.click()
    player.page.locator("#move .side.bottom label.card").first.click(position={"x": 10, "y": 30})


def test_an_illegal_choice_says_why_and_is_kept(player: Player, games: Games) -> None:
    games.seat(player, reached(my_turn))
    choose_one_for_one(player)
    player.page.locator("#play").click()
    expect(player.page.locator("#said")).to_contain_text(re.compile(r"\(R\d+(, R\d+)*\)"))
    assert player.page.locator("#move input:checked").count() == 2
    player.page.keyboard.press("Escape")
    expect(player.page.locator("#move input:checked")).to_have_count(0)


def test_a_choice_that_was_cleared_stays_cleared(player: Player, games: Games) -> None:
    """The answer to a refused move, in which the cards are still selected, arrives after Escape was pressed."""
    games.seat(player, reached(my_turn))
    held: list[Route] = []
    player.page.route("**/move", lambda route: held.append(route), times=1)  # noqa: PLW0108 - Playwright wants a function
    choose_one_for_one(player)
    with player.page.expect_request("**/move"):
        player.page.locator("#play").click()
    player.page.keyboard.press("Escape")
    expect(player.page.locator("#move input:checked")).to_have_count(0)
    old = player.table.element_handle()
    held[0].continue_()
    player.wait("the answer to a move", "old => !old.isConnected", old)
    assert player.page.locator("#move input:checked").count() == 0


def test_resign_and_rematch(player: Player) -> None:
    player.against("pedlar")
    player.await_turn()
    player.page.locator(".resign summary").click()
    player.page.locator('form[action$="/resign"] button').click()
    expect(player.table).to_have_attribute("data-status", "over")
    old = player.game
    player.page.locator('form[action$="/rematch"] button').click()
    player.wait("a rematch", "old => (document.getElementById('table')?.dataset.game ?? old) !== old", old)
    view = player.view()
    assert view["starter"] == view["seat"]  # the loser starts


def hand_cards(player: Player) -> list[tuple[str, str]]:
    """The hand cards on the page: where each one is, and its letter or a question mark."""
    cards = player.page.locator('[data-zone^="hand-"]').all()
    return sorted((card.get_attribute("data-zone") or "", card.get_attribute("data-letter") or "") for card in cards)


def public_cards(view: dict[str, Any], seat: int) -> list[tuple[str, str]]:
    """A hand as everybody at the table knows it (R18)."""
    side = view["sides"][seat]
    assert side["hand"] is None
    return [(f"hand-{seat}", letter) for letter in side["known"].ljust(side["hand_size"], "?")]


def test_two_at_one_screen_see_no_hand_between_turns(player: Player) -> None:
    player.go()
    form = player.page.locator('form:has(input[name="kind"][value="one-screen"])')
    form.locator('input[name="name"]').fill("Asha")
    form.locator('input[name="name2"]').fill("Ravi")
    form.locator("button").click()
    for _turn in range(4):
        expect(player.table).to_have_attribute("data-seat", "")
        assert hand_cards(player) == sorted(public_cards(player.view(), 1))  # the other side is under the cover
        turn = int(player.table.get_attribute("data-turn") or 0)
        player.page.locator(".cover a").click()
        expect(player.table).to_have_attribute("data-seat", str(turn))
        player.play(player.choose(player.view(turn)))


def test_the_language_is_switched_and_stays(player: Player, games: Games) -> None:
    games.seat(player, reached(my_turn))
    expect(player.page.locator("html")).to_have_attribute("lang", "en")
    player.page.locator('form[action="/settings"] button[value="fr"]').first.click()
    expect(player.page.locator("html")).to_have_attribute("lang", "fr")
    expect(player.table).to_be_visible()
    player.go()
    expect(player.page.locator("html")).to_have_attribute("lang", "fr")


def take_in(player: Player, file: Path) -> None:
    player.go("/games")
    player.page.locator('input[type="file"]').set_input_files(file)
    player.page.locator('form[action="/records"] button').click()


def test_a_record_is_taken_in_and_replayed_step_by_step(player: Player, tmp_path: Path) -> None:
    record = Record(reached(match_is_over), ("Asha", "bot:trader"), "2026-01-31")
    file = tmp_path / "match.jaipur"
    record.save(file)
    take_in(player, file)
    expect(player.page).to_have_url(re.compile("/replay/0$"))
    player.page.wait_for_load_state()  # the keys work once the script is loaded
    player.page.keyboard.press("ArrowRight")
    expect(player.page).to_have_url(re.compile("/replay/1$"))
    player.page.wait_for_load_state()
    player.page.keyboard.press("End")
    expect(player.page).to_have_url(re.compile(f"/replay/{record.match.ply}$"))
    game = player.page.url.split("/")[-3]
    text = player.context.request.get(f"{player.address}/game/{game}/record").text()
    assert Record.parse(text).match.seed == record.match.seed
    assert [played.moves for played in Record.parse(text).match.rounds] == [
        played.moves for played in record.match.rounds
    ]
    bad = tmp_path / "bad.jaipur"
    bad.write_text(file.read_text().replace("+M", "+Q", 1))
    take_in(player, bad)
    expect(player.page.locator("main")).to_contain_text(re.compile(r"Line \d+"))


def test_without_scripts(arrive: Arrive, games: Games) -> None:
    """Forms and links are enough; reloading brings the page up to date."""
    player = arrive(java_script_enabled=False)
    player.against("pedlar")
    for _turn in range(3):
        player.reload_until_my_turn()
        player.select(player.choose(player.view()))
        with player.page.expect_navigation():  # a reload in the middle of it would fail
            player.page.locator("#play").click()
    assert len([move for move in player.view()["log"] if move["seat"] == 0]) == 3


def test_first_page_is_light_and_nothing_leaves_the_machine(arrive: Arrive) -> None:
    player = arrive()
    asked: list[str] = []
    player.page.on("request", lambda request: asked.append(request.url))
    network = player.context.new_cdp_session(player.page)
    sizes: list[int] = []
    network.send("Network.enable")
    network.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    player.go()
    player.page.wait_for_load_state("networkidle")
    assert 0 < sum(sizes) < 100_000
    player.against("trader")
    player.one_move()
    player.go("/rules")
    assert [url for url in asked if not url.startswith(player.address)] == []
