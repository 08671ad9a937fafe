"""axe-core finds nothing on any page; both languages and both colour schemes are seen on each."""

import pytest
from playwright.sync_api import expect

from tests.browser.player import Player
from tests.browser.prepared import Games, my_turn, reached

pytestmark = pytest.mark.slow

DRESSES = pytest.mark.parametrize(("lang", "scheme"), [("en", "light"), ("fr", "dark")])
PAGES = ("/", "/games", "/rules", "/settings", "/api", "/nowhere", "/me", "/me/forget", "/privacy", "/clock")


def dress(player: Player, lang: str, scheme: str) -> None:
    player.prefer(lang=lang, tutor="on")
    player.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]


@DRESSES
def test_axe_finds_nothing_on_pages(player: Player, lang: str, scheme: str) -> None:
    dress(player, lang, scheme)
    player.go("/settings")
    player.page.locator('input[name="name"]').fill("Asha")
    player.page.locator('input[value="tiger"]').check()
    with player.page.expect_navigation():
        player.page.locator("main button.primary").click()
    for path in PAGES:
        player.go(path)
        player.check(path)
    player.go("/me")
    player.page.locator('form[action="/me/device"] button').click()
    expect(player.page.locator(".code svg")).to_be_visible()
    player.check("a link to another device")


@DRESSES
def test_axe_finds_nothing_from_the_first_turn_to_the_end(player: Player, games: Games, lang: str, scheme: str) -> None:
    dress(player, lang, scheme)
    games.seat(player, reached(my_turn))
    player.check("my turn")
    player.page.locator("#move .market label.card").first.click()
    player.check("a choice")
    player.page.keyboard.press("Escape")
    player.one_move()
    game = player.page.url
    player.go(f"{game}/replay/1")
    player.check("replay")
    player.go(game)
    player.page.locator(".resign summary").click()
    player.page.locator('form[action$="/resign"] button').click()
    player.page.locator('form[action$="/rematch"]').wait_for()
    player.check("over")
    player.page.locator('a[href$="/verify"]').click()
    player.check("verify")


@DRESSES
def test_axe_finds_nothing_at_the_other_tables(player: Player, friend: Player, lang: str, scheme: str) -> None:
    for somebody in (player, friend):
        dress(somebody, lang, scheme)
    for kind in ("one-screen", "guided", "watch"):
        player.go()
        player.page.locator(
            f'form:has(input[name="kind"][value="{kind}"]) button, button[name="kind"][value="{kind}"]'
        ).first.click()
        player.table.wait_for()
        player.check(kind)
    friend.go(player.invite())
    player.check("waiting for a friend")
    friend.check("an invitation")
    friend.page.locator('form[action^="/invite"] button').click()
    friend.page.locator(".emotes summary").click()
    friend.page.locator(".emotes form button").first.click()
    expect(player.page.locator(".side.top .says")).to_be_visible()
    player.check("a word from a friend")
