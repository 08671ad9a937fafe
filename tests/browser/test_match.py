"""Playing in a real browser: by mouse, by keyboard alone, and between two browsers, with every kind of move."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.player import Player
from tests.browser.prepared import Games, match_is_over, one_move_before, round_is_over

pytestmark = pytest.mark.slow

KINDS = {"the camels": r"\+M", "sale": r"-.+", "exchange": r"\+.+-.+", "one good": r"\+[^M]"}
READY = 'form[action$="/ready"] button'


def play_every_kind(player: Player, play: Callable[[str], None]) -> None:
    """Plays until there was a move of each kind."""
    missing = dict(KINDS)
    while missing:
        legal = sorted(player.await_turn()["legal"], key=len)
        found = ((kind, move) for kind, form in missing.items() for move in legal if re.fullmatch(form, move))
        kind, move = next(found, ("", legal[0]))
        play(move)
        missing.pop(kind, None)


def test_by_mouse(player: Player, games: Games) -> None:
    """The end of a round, the next one with every kind of move, and the end of a match."""
    match, last = one_move_before(round_is_over)
    games.seat(player, match)
    assert player.page.evaluate("document.documentElement.scrollHeight") <= 800  # the whole table at a glance
    player.play(last)
    assert player.await_turn()["status"] == "sheet"
    player.press(READY)
    play_every_kind(player, player.play)
    match, last = one_move_before(match_is_over)
    games.seat(player, match)
    player.play(last)
    view = player.await_turn()
    assert view["status"] == "over"
    assert max(side["seals"] for side in view["sides"]) == 2  # R26
    assert view["seed"]
    expect(player.page.locator("#score")).to_contain_text("wins the match")
    assert player.page.locator("code", has_text=view["seed"]).count() == 1
    player.page.get_by_role("link", name="Verify the shuffle").click()
    expect(player.page.locator("main")).to_contain_text(view["commitment"])


def test_by_keyboard_alone(player: Player, games: Games) -> None:
    player.go()
    player.tab_to(player.page.locator('form[action="/games"] button').first)
    player.page.keyboard.press("Enter")
    expect(player.table).to_be_visible()
    match, last = one_move_before(round_is_over)
    games.seat(player, match)
    player.play_by_keys(last)
    assert player.await_turn()["status"] == "sheet"
    before = player.number
    player.tab_to(player.page.locator(READY))
    player.page.keyboard.press("Enter")
    player.after(before)
    play_every_kind(player, player.play_by_keys)
    match, last = one_move_before(match_is_over)
    games.seat(player, match)
    player.play_by_keys(last)
    assert player.await_turn()["status"] == "over"
    old = player.game
    player.tab_to(player.page.locator('form[action$="/rematch"] button'))
    player.page.keyboard.press("Enter")
    player.wait("a rematch", "old => (document.getElementById('table')?.dataset.game ?? old) !== old", old)


def test_between_two_browsers(player: Player, friend: Player) -> None:
    """By invite link, in two languages, with a reload and a cut connection."""
    friend.prefer(lang="fr")
    friend.accept(player.invite("Asha"), "Léa")
    expect(player.table).to_have_attribute("data-status", "playing")
    for moves in range(4):
        view = player.view()
        mover, other = (player, friend) if view["turn"] == view["seat"] else (friend, player)
        if moves == 1:
            other.page.reload()
        other.context.set_offline(moves == 2)
        mover.play(mover.choose(mover.await_turn()))
        other.context.set_offline(False)
        expect(other.table).to_have_attribute("data-number", str(mover.number))
    assert player.view()["market"] == friend.view()["market"]


def test_two_browsers_from_the_score_sheet_to_the_rematch(player: Player, friend: Player, games: Games) -> None:
    match, last = one_move_before(round_is_over)
    games.seat_both(player, friend, match)
    player.play(last)
    for somebody in (player, friend):
        somebody.await_turn()
        somebody.page.locator(READY).click()
    for somebody in (player, friend):
        expect(somebody.table).to_have_attribute("data-status", "playing")
    match, last = one_move_before(match_is_over)
    games.seat_both(player, friend, match)
    old = player.game
    player.play(last)
    assert player.await_turn()["winner"] == friend.await_turn()["winner"] is not None
    player.page.locator('form[action$="/rematch"] button').click()
    friend.page.locator('form[action$="/agree"] button').click()
    for somebody in (player, friend):
        somebody.page.wait_for_url(lambda url: old not in url)
        expect(somebody.table).to_have_attribute("data-status", "playing")
    assert player.game == friend.game
