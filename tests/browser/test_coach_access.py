"""axe-core finds nothing on any page of the coach, in both languages, light and dark; and the coach can be seen."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from jaipur.language import LANGUAGES
from tests.browser.guest import LONG, Guest
from tests.browser.reviewed import Reviewed, fill
from tests.browser.test_access import check
from tests.server.harness import ME
from tests.serving import end_server, start_server

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", name="house")
def _house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Reviewed]]:
    folder = tmp_path_factory.mktemp("coach")
    games = fill(folder)
    server, url = start_server(folder, "--pause", "0", "--keep-abandoned", "0", "--keep-finished", "0")
    yield url, games
    end_server(server)


def guest_of(context: BrowserContext, url: str) -> Guest:
    context.add_cookies(
        [
            {"name": "jaipur_seat", "value": ME, "url": url},
            {"name": "jaipur_settings", "value": "tutor=on", "url": url},
        ]
    )
    return Guest(context, url)


def open_all(guest: Guest) -> None:
    """What is folded is looked at too."""
    guest.page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_the_pages_of_the_coach(
    browser: Browser, house: tuple[str, Reviewed], lang: str, scheme: str
) -> None:
    url, games = house
    with browser.new_context(locale=lang, color_scheme=scheme, reduced_motion="reduce") as context:  # type: ignore[arg-type]
        guest = guest_of(context, url)
        here = f"/game/{games.done}"
        for path in (
            f"{here}/review",
            f"{here}/review/{games.exercise}",
            f"{here}/review/{games.refilled}",
            "/me",
            "/analyse",
            "/analyse?position=nonsense",
        ):
            guest.go(path)
            open_all(guest)
            check(guest, path)
        guest.go("/analyse")
        guest.page.locator('a[href^="/analyse?position="]').click()
        expect(guest.page.locator("table.moves tbody tr").first).to_be_visible(timeout=LONG)
        check(guest, "an analysed position")
        guest.go(f"{here}/exercise/{games.exercise}")
        check(guest, "an exercise")
        guest.page.locator("#move button.primary").click()
        expect(guest.page.locator(".notice.doubt")).to_be_visible()
        check(guest, "an exercise after an answer")
        assert guest.troubles == []


def test_a_review_in_the_making_shows_how_far_it_is(browser: Browser, house: tuple[str, Reviewed]) -> None:
    url, games = house
    with browser.new_context(reduced_motion="reduce") as context:
        guest = guest_of(context, url)
        guest.go(f"/game/{games.fresh}/review")
        expect(guest.page.locator("#graded, .meaning").first).to_be_attached(timeout=LONG)
        expect(guest.page.locator("svg.graph").first).to_be_visible(timeout=LONG)
        assert guest.troubles == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_hint_and_the_question_of_the_tutor_are_seen_on_a_phone(
    browser: Browser, house: tuple[str, Reviewed], scheme: str
) -> None:
    """Both stand above the market, and the buttons for them below: so the page goes to them."""
    url, games = house
    size = {"width": 390, "height": 844}
    with browser.new_context(viewport=size, color_scheme=scheme, reduced_motion="reduce") as context:  # type: ignore[arg-type]
        guest = guest_of(context, url)
        guest.go(f"/game/{games.game}")
        button = guest.page.locator(".ask-hint button")
        while button.count():
            before = guest.number
            button.click()
            guest.after(before)
            expect(guest.page.locator("#hint")).to_be_in_viewport()
            check(guest, "a hint")
        guest.select(games.blunder)
        guest.page.locator("#play").click()
        expect(guest.page.locator("#doubt")).to_be_in_viewport(timeout=LONG)
        check(guest, "the tutor's question")
        guest.page.locator("#change").click()
        expect(guest.page.locator("#change")).to_have_count(0)
        assert guest.troubles == []
