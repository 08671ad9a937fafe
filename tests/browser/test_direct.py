"""Playing cards directly, marks of what changed, undo and redo, in a real browser."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.player import Player
from tests.browser.prepared import Games, can, my_turn, one_move_before, reached, round_is_over

pytestmark = pytest.mark.slow

UNDO = 'form[action$="/undo"] button'


def drag(player: Player, card: Locator, to: Locator) -> None:
    """Drags a card with the mouse and drops it."""
    start, end = card.bounding_box(), to.bounding_box()
    assert start
    assert end
    mouse = player.page.mouse
    mouse.move(start["x"] + 12, start["y"] + 30)
    mouse.down()
    mouse.move(start["x"] + 40, start["y"] + 40, steps=3)
    mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=5)
    mouse.up()


def played(player: Player, before: int) -> str:
    """The move that was played after this many."""
    player.after(before)
    log = player.view()["log"]
    assert log[before]["seat"] == 0
    return str(log[before]["move"])


def test_a_double_click_or_a_drag_takes_a_card(player: Player, games: Games) -> None:
    games.seat(player, reached(can("+L")))
    before = player.number
    player.card("take", "L").dblclick(position={"x": 20, "y": 30})
    assert played(player, before) == "+L"
    games.seat(player, reached(can("+P")))
    before = player.number
    drag(player, player.card("take", "P"), player.page.locator(".side.bottom"))
    assert played(player, before) == "+P"


def test_cards_that_are_dragged_to_the_sold_ones_are_sold(player: Player, games: Games) -> None:
    games.seat(player, reached(can("-C")))
    before = player.number
    drag(player, player.card("give", "C"), player.page.locator(".discard"))
    assert played(player, before) == "-C"


def test_what_changed_is_marked_without_motion(player: Player, games: Games) -> None:
    """Each slot that the last move changed has a mark and the ghost of the card that was there."""
    games.seat(player, reached(my_turn))
    left = [place for place, card in enumerate(player.one_move()["left"]) if card]
    marked = player.page.locator(".market .places li").evaluate_all(
        "items => items.flatMap((li, n) => li.classList.contains('fresh') && li.querySelector('.ghost') ? [n] : [])"
    )
    assert marked == left
    player.page.keyboard.press("r")
    expect(player.table).to_have_class(re.compile("pointed"))


def test_keys_are_listed_and_arrows_lead_to_the_cards(player: Player, games: Games) -> None:
    """The button has the focus on the next turn if the tutor asked before."""
    games.seat(player, reached(my_turn))
    player.page.keyboard.press("?")
    expect(player.page.locator("#keys")).to_be_visible()
    player.page.keyboard.press("Escape")
    expect(player.page.locator("#keys")).to_be_hidden()
    player.page.locator("#show-keys").click()
    expect(player.page.locator("#keys")).to_be_visible()
    player.page.keyboard.press("Escape")
    player.page.locator("#play").focus()
    player.page.keyboard.press("ArrowRight")
    expect(player.page.locator("#move .card input").first).to_be_focused()


def test_taking_back_asks_before_it_leaves_the_round_and_can_be_undone(player: Player, games: Games) -> None:
    match, last = one_move_before(round_is_over)
    games.seat(player, match)
    player.play(last)
    player.await_turn()
    player.press('form[action$="/ready"] button')
    before = player.await_turn()
    player.page.locator(UNDO).last.click()
    stay = player.page.get_by_text("Stay in this round")
    expect(stay).to_be_visible()
    assert player.view()["round"] == 2
    stay.click()
    expect(stay).to_be_hidden()
    player.page.locator(UNDO).last.click()
    number = player.number
    player.page.get_by_role("button", name="Return to round 1").click()
    player.after(number)
    assert player.view()["round"] == 1
    again = player.page.get_by_role("button", name="Play it again")
    number = player.number
    again.click()
    player.after(number)
    after = player.await_turn()
    assert (after["round"], after["market"], after["sides"]) == (2, before["market"], before["sides"])
    expect(again).to_have_count(0)


def test_undo_against_a_bot(player: Player, games: Games) -> None:
    games.seat(player, reached(my_turn), "trader")
    before = player.await_turn()
    player.one_move()
    player.press(UNDO)
    after = player.await_turn()
    assert after["sides"][0] == before["sides"][0]
    assert after["market"] == before["market"]
    assert after["ply"] > before["ply"]
