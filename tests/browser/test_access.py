"""axe-core finds nothing on any page, in both languages, light and dark."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from jaipur.language import LANGUAGES
from tests.browser.guest import Guest

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser: Browser, address: str, lang: str, scheme: str) -> None:
    with browser.new_context(locale=lang, color_scheme=scheme, reduced_motion="reduce") as context:  # type: ignore[arg-type]
        guest = Guest(context, address)
        for path in ("/", "/games", "/rules", "/settings", "/api", "/nowhere"):
            guest.go(path)
            check(guest, path)
        guest.against("trader")
        view = guest.await_turn()
        check(guest, "my turn")
        guest.page.locator("#move .market label.card").first.click()
        check(guest, "a choice")
        guest.page.keyboard.press("Escape")
        guest.play(guest.choose(view))
        guest.await_turn()
        guest.go(f"/game/{guest.game}/replay/1")
        check(guest, "replay")
        guest.page.go_back()
        guest.page.locator(".resign summary").click()
        guest.page.locator('form[action$="/resign"] button').click()
        guest.page.locator('form[action$="/rematch"]').wait_for()
        check(guest, "over")
        guest.page.locator('a[href$="/verify"]').click()
        check(guest, "verify")
        _other_tables(guest)


def _other_tables(guest: Guest) -> None:
    for kind in ("friend", "one-screen", "guided", "watch"):
        guest.go()
        guest.page.locator(
            f'form:has(input[name="kind"][value="{kind}"]) button, button[name="kind"][value="{kind}"]'
        ).first.click()
        guest.table.wait_for()
        check(guest, kind)
        if kind == "friend":
            link = guest.page.locator("#invite").input_value()
    context = guest.context.browser
    assert context is not None
    with context.new_context() as other:
        friend = Guest(other, guest.address)
        friend.page.goto(link)
        check(friend, "invite")


def check(guest: Guest, where: str) -> None:
    found = Axe().run(guest.page)
    assert found.violations_count == 0, f"{where}: {found.generate_report()}"
