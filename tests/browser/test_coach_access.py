"""axe-core finds nothing on any page of the coach, in both languages, light and dark; and the coach is in view."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from jaipur.bots import LEVELS
from jaipur.language import LANGUAGES, use_language
from jaipur.record import Record
from jaipur.review.figures import GRADED
from tests.browser.guest import LONG, Guest
from tests.browser.reviewed import Reviewed, fill
from tests.browser.test_access import check
from tests.review.matches import played_match
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


LONG_MOVE = "Take 1 diamond, 1 silver, 1 cloth and 2 leather, give 1 gold, 1 spice and 3 camels"


def guest_of(context: BrowserContext, url: str) -> Guest:
    context.add_cookies(
        [
            {"name": "jaipur_seat", "value": ME, "url": url},
            {"name": "jaipur_settings", "value": "tutor=on", "url": url},
        ]
    )
    return Guest(context, url)


def open_all(guest: Guest) -> None:
    """Unfolds everything, so that it is checked too."""
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
        guest.page.locator("table.moves button").last.click()
        expect(guest.page.locator(".verdict")).to_be_visible(timeout=LONG)
        check(guest, "a move that is tried")
        guest.page.locator("textarea[name=record]").fill(str(Record(played_match(1))))
        guest.page.locator("#record button.primary").click()
        expect(guest.page.locator("table.moves .badge")).to_be_visible(timeout=LONG)
        check(guest, "a decision of a record")
        guest.page.locator('#record button[value="1"]').click()
        expect(guest.page.locator("input[name=number]")).to_have_value("2")
        guest.go(f"{here}/exercise/{games.exercise}")
        check(guest, "an exercise")
        guest.page.locator("#move button.primary").click()
        expect(guest.page.locator(".notice.doubt")).to_be_visible()
        check(guest, "an exercise after an answer")
        assert guest.troubles == []


@pytest.mark.parametrize("width", [360, 390])
def test_the_title_of_every_level_fits_its_box_on_a_phone(
    browser: Browser, house: tuple[str, Reviewed], width: int
) -> None:
    url, _games = house
    use_language("fr")
    titles = [LEVELS[name].shown_title for name in GRADED]
    use_language("en")
    size = {"width": width, "height": 844}
    with browser.new_context(locale="fr", viewport=size, reduced_motion="reduce") as context:  # type: ignore[arg-type]
        guest = guest_of(context, url)
        guest.go("/me")
        box = guest.page.locator("[aria-labelledby=skill] .figures li:nth-child(2) b")
        one_line = box.evaluate("box => { box.textContent = 'a'; return box.offsetHeight; }")
        for title in titles:
            box.evaluate("(box, title) => { box.textContent = title; }", title)
            assert box.evaluate("box => box.scrollWidth <= box.clientWidth"), title
            assert box.evaluate("box => box.offsetHeight") == one_line, title


def test_a_review_in_the_making_shows_how_far_it_is(browser: Browser, house: tuple[str, Reviewed]) -> None:
    url, games = house
    with browser.new_context(reduced_motion="reduce") as context:
        guest = guest_of(context, url)
        guest.go(f"/game/{games.fresh}/review")
        expect(guest.page.locator("#graded, .meaning").first).to_be_attached(timeout=LONG)
        expect(guest.page.locator("svg.graph").first).to_be_visible(timeout=LONG)
        assert guest.troubles == []


def try_to_blunder(guest: Guest, move: str) -> None:
    """Plays a bad move until the tutor asks; if it is too busy to ask, the move goes through and is taken back."""
    while True:
        before = guest.number
        guest.select(move)
        guest.page.locator("#play").click()
        guest.page.wait_for_function(
            "n => Number(document.getElementById('table').dataset.number) > n || document.getElementById('change')",
            arg=before,
            timeout=LONG,
        )
        if guest.page.locator("#change").count():
            return
        guest.await_turn()
        before = guest.number
        guest.page.locator('form[action$="/undo"] button').click()
        guest.after(before)


@pytest.mark.parametrize(("number", "scheme", "width", "height"), [
    (0, "light", 390, 844), (1, "dark", 390, 844), (2, "light", 740, 360),
])  # fmt: skip
def test_a_hint_and_the_question_of_the_tutor_are_seen_on_a_phone(
    browser: Browser, house: tuple[str, Reviewed], number: int, scheme: str, width: int, height: int
) -> None:
    """Both appear above the market while their buttons are below it, so the page scrolls to them."""
    url, games = house
    size = {"width": width, "height": height}
    with browser.new_context(viewport=size, color_scheme=scheme, reduced_motion="reduce") as context:  # type: ignore[arg-type]
        guest = guest_of(context, url)
        guest.go(f"/game/{games.games[number]}")
        for _step in range(3):
            guest.ask_for_hint()
            expect(guest.page.locator("#hint")).to_be_in_viewport()
            check(guest, "a hint")
        guest.page.locator("#hint tbody th").first.evaluate("(cell, long) => { cell.textContent = long; }", LONG_MOVE)
        assert guest.page.locator("#hint p").last.evaluate("words => words.clientWidth") > 0.35 * width
        try_to_blunder(guest, games.blunder)
        expect(guest.page.locator("#doubt")).to_be_in_viewport(timeout=LONG)
        expect(guest.page.locator("#play")).to_be_in_viewport()
        check(guest, "the tutor's question")
        guest.page.locator("#change").click()
        expect(guest.page.locator("#change")).to_have_count(0)
        assert guest.troubles == []


@pytest.mark.parametrize(("width", "height"), [(360, 740), (740, 360), (640, 400)])
def test_an_exercise_fits_a_small_screen(
    browser: Browser, house: tuple[str, Reviewed], width: int, height: int
) -> None:
    """The question, the market, the hand and the button all fit, even on a phone on its side and at double size."""
    url, games = house
    size = {"width": width, "height": height}
    with browser.new_context(locale="fr", viewport=size, reduced_motion="reduce") as context:  # type: ignore[arg-type]
        guest = guest_of(context, url)
        guest.go(f"/game/{games.done}/exercise/{games.exercise}")
        for part in (".notice", "#move .market label.card >> nth=4", "#move button.primary", "#move .hand >> nth=0"):
            expect(guest.page.locator(part)).to_be_in_viewport(ratio=0.9)
