"""Somebody who plays in a browser: uses the page as a person would, and the API only to learn the legal moves."""

import random
import re
import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Error, Locator, Page, Response, expect

from jaipur.table import fresh_secret

LONG = 300_000
"""Milliseconds after which a test gives up; never reached, however busy the machine is, unless something hangs."""
DESKTOP = {"width": 1280, "height": 800}
BUSY = re.compile("The coach is busy|L’entraîneur est occupé")
Shape = tuple[int, int, str]
"""Width, height and language."""


class Player:
    """One browser with one table."""

    def __init__(self, context: BrowserContext, address: str, seed: int = 1) -> None:
        self.context = context
        self.address = address.rstrip("/")
        self.secret = fresh_secret()
        self.page: Page = context.new_page()
        self.page.set_default_timeout(LONG)
        self.seed = seed
        self.rng = random.Random(seed)
        self.troubles: list[str] = []
        self.page.on("console", lambda message: self._note(message.type, message.text))
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))

    def _note(self, kind: str, text: str) -> None:
        # Some tests ask for a missing page, or cause a refused move, a stale ply or a cut connection on purpose.
        if kind == "error" and not any(part in text for part in ("404", "422", "409", "net::ERR")):
            self.troubles.append(text)

    def become_somebody_else(self) -> None:
        """As in a browser that nobody has used before, except that it has seen the pages."""
        self.go("/static/art/logo.svg")  # the last page hears no more; unlike an empty page, it keeps the pictures
        self.page.unroute_all()
        self.context.clear_cookies()
        self.secret = fresh_secret()
        self.rng = random.Random(self.seed)  # or what a test plays would depend on the tests before it
        self.keep("seat", self.secret)
        self.page.set_viewport_size(DESKTOP)  # type: ignore[arg-type]
        self.page.emulate_media(color_scheme="light")
        self.troubles.clear()

    def keep(self, name: str, value: str) -> None:
        self.context.add_cookies([{"name": f"jaipur_{name}", "value": value, "url": self.address}])

    def prefer(self, **settings: str) -> None:
        """Has these settings, and no others."""
        self.keep("settings", urlencode(settings))

    def go(self, path: str = "/") -> None:
        self.page.goto(path if path.startswith("http") else self.address + path)

    def sit(self, game: str) -> None:
        """Opens a game in which this person has a seat."""
        self.keep("seat", self.secret)
        self.go(f"/game/{game}")
        self.table.wait_for()
        self.page.wait_for_load_state()  # styles and scripts are loaded

    @property
    def table(self) -> Locator:
        return self.page.locator("#table")

    @property
    def game(self) -> str:
        return self.table.get_attribute("data-game") or ""

    @property
    def number(self) -> int:
        return int(self.table.get_attribute("data-number") or 0)

    def view(self, seat: int | None = None) -> dict[str, Any]:
        query = "" if seat is None else f"?seat={seat}"
        answer = self.context.request.get(f"{self.address}/api/games/{self.game}{query}", timeout=LONG)
        seen: dict[str, Any] = answer.json()
        return seen

    def play_by_api(self, move: str) -> None:
        """Plays a move without the page."""
        self.context.request.post(
            f"{self.address}/api/games/{self.game}/moves",
            data={"move": move, "ply": self.view()["ply"]},
            headers={"sec-fetch-site": "same-origin"},
            fail_on_status_code=True,
        )

    def against(self, level: str) -> None:
        """Clicks an opponent on the start page."""
        self.go()
        self.page.locator(f'.opponents button[value="{level}"]').click()
        expect(self.table).to_be_visible()

    def invite(self, name: str = "") -> str:
        """Sets up a game for a friend; returns the link."""
        self.go()
        form = self.page.locator('form:has(input[name="kind"][value="friend"])')
        form.locator("[name=name]").fill(name)
        form.locator("button").click()
        return self.page.locator("#invite").input_value()

    def accept(self, link: str, name: str = "") -> None:
        """Follows a friend's link and sits down."""
        self.go(link)
        self.page.locator("[name=name]").fill(name)
        self.page.locator('form[action^="/invite"] button').click()
        expect(self.table).to_have_attribute("data-status", "playing")

    def wait(self, what: str, condition: str, arg: object = None) -> None:
        """Waits until a condition holds in the page."""
        try:
            self.page.wait_for_function(condition, arg=arg, timeout=LONG)
        except Error as error:
            seen = self.page.locator("body").inner_text()[:1000]
            raise AssertionError(f"waited for {what}; {error.message}; the page says: {seen}") from error

    def await_turn(self) -> dict[str, Any]:
        """Waits until this person has something to do, and returns the view."""
        self.page.wait_for_load_state()  # styles and scripts are loaded
        self.wait(
            "something to do at the table",
            """() => { const t = document.getElementById("table"); return t && (t.dataset.status === "over"
               || (t.dataset.status === "sheet" && document.querySelector('form[action$="/ready"]'))
               || (t.dataset.turn !== "" && t.dataset.turn === t.dataset.seat)); }""",
        )
        self.still()
        return self.view()

    def still(self) -> None:
        """Waits until no card is moving."""
        self.wait("cards to arrive", "() => document.getAnimations().length === 0")

    def choose(self, view: dict[str, Any]) -> str:
        """A legal move that keeps rounds short: preferably a sale, rarely an exchange."""
        legal: list[str] = view["legal"]
        sales = sorted((move for move in legal if "+" not in move), key=len)
        takes = [move for move in legal if "-" not in move]
        if sales and (len(sales[-1]) > 3 or self.rng.random() < 0.5):
            return sales[-1]
        return self.rng.choice(takes or sales or legal) if self.rng.random() < 0.9 else self.rng.choice(legal)

    def card(self, field: str, letter: str) -> Locator:
        """A card of this kind that is not chosen yet."""
        return self.page.locator(f'#move label.card:has(input[name="{field}"][value="{letter}"]:not(:checked))').last

    def select(self, move: str) -> None:
        """Chooses the cards of a move with the mouse."""
        for field, letter in cards_of(move):
            # The cards of a herd overlap: each shows only its left edge.
            self.card(field, letter).click(position={"x": 10, "y": 30})

    def play(self, move: str) -> None:
        """Plays a move with the mouse and waits until the table shows it."""
        before = self.number
        self.select(move)
        self.page.locator("#play").click()
        self.played(before, self.page.locator("#play").click)

    def select_by_keys(self, move: str) -> None:
        """Chooses the cards of a move with the keyboard."""
        for field, letter in cards_of(move):
            self.arrow_to(self.card(field, letter).locator("input"))
            self.page.keyboard.press("Space")

    def play_by_keys(self, move: str) -> None:
        """Plays a move with the keyboard and waits until the table shows it."""
        before = self.number
        self.select_by_keys(move)
        self.page.keyboard.press("Enter")
        self.played(before, lambda: self.page.keyboard.press("Enter"))

    def played(self, number: int, confirm: Callable[[], None]) -> None:
        """Waits until the table shows a move that was sent; if the tutor asks, the move is confirmed."""
        self.heard(number)
        if self.number <= number:
            confirm()
            self.after(number)

    def heard(self, number: int) -> None:
        """Waits until a move that was sent is on the table, or the tutor asks about it."""
        self.wait(
            "a move or a question of the tutor",
            "n => Number(document.getElementById('table')?.dataset.number) > n || document.getElementById('change')",
            number,
        )

    def one_move(self) -> dict[str, Any]:
        """Plays a move, and returns the view when it is this player's turn again."""
        self.play(self.choose(self.await_turn()))
        return self.await_turn()

    def after(self, number: int) -> None:
        """Waits until something has happened after the event with this number."""
        self.wait(f"event {number}", "n => Number(document.getElementById('table')?.dataset.number) > n", number)

    def press(self, button: str) -> None:
        """Presses a button and waits until something has happened at the table."""
        before = self.number
        self.page.locator(button).last.click()
        self.after(before)

    def ask_for_hint(self) -> None:
        """Asks until there is an answer: on a busy machine the coach may ask for patience first."""
        before = self.number
        for _try in tries():
            with self.page.expect_response(lambda answer: answer.url.endswith("/hint")) as answered:
                self.page.locator(".ask-hint button").click()
            if answered.value.ok:
                return self.after(before)
        raise AssertionError("waited for a hint, but the coach is always busy")

    def ask_the_coach(self, button: Locator, answer: str) -> None:
        """Presses a button that opens a page of the coach; as long as the page says that it is busy, asks again."""
        with self.page.expect_navigation() as opened:
            button.click()
        found: Response | None = opened.value
        for _try in tries():
            if found is None or found.ok:
                return expect(self.page.locator(answer).first).to_be_visible()
            expect(self.page.locator("main")).to_contain_text(BUSY)
            found = self.page.reload()
        raise AssertionError("waited for an answer, but the coach is always busy")

    def reload_until_my_turn(self) -> None:
        """Without scripts, the page may be behind the game."""
        for _try in tries():
            self.page.reload()
            if self.table.get_attribute("data-turn") == self.table.get_attribute("data-seat"):
                return
        raise AssertionError("waited for a turn")

    def tab_to(self, target: Locator) -> None:
        """Presses Tab until the target has the focus."""
        self.walk(target, ["Tab"] * 80)

    def arrow_to(self, target: Locator) -> None:
        """Moves over the cards with the arrow keys: along this row first, then along the others."""
        row = ["ArrowRight"] * 8 + ["ArrowLeft"] * 8
        self.walk(target, [*row, "ArrowDown", *row, "ArrowDown", *row, "ArrowUp", *row, "ArrowUp", *row])

    def walk(self, target: Locator, keys: list[str]) -> None:
        """Presses keys until the target has the focus."""
        wanted = target.element_handle()
        for key in keys:
            if wanted.evaluate("el => el === document.activeElement"):
                return
            self.page.keyboard.press(key)
        at = self.page.evaluate("document.activeElement.outerHTML.slice(0, 200)")
        raise AssertionError(f"the keyboard does not lead there, but to {at}")

    def at_each(self, shapes: list[Shape]) -> Iterator[str]:
        """Shows this page in each shape, and yields the words for it."""
        shown = None
        for width, height, lang in shapes:
            self.page.set_viewport_size({"width": width, "height": height})
            if lang != shown:
                self.prefer(lang=lang)
                self.page.reload()
                self.page.wait_for_load_state()
                shown = lang
            self.still()
            yield f"{width} by {height} in {lang}"

    @property
    def too_wide(self) -> bool:
        """Whether the page can be moved sideways."""
        return bool(self.page.evaluate("document.documentElement.scrollWidth > innerWidth"))

    def check(self, where: str) -> None:
        """Axe finds nothing on this page."""
        found = Axe().run(self.page)
        assert found.violations_count == 0, f"{where}: {found.generate_report()}"


def tries() -> Iterator[int]:
    """Numbers, until a test has to give up."""
    end, number = time.monotonic() + LONG / 1000, 0
    while time.monotonic() < end:
        yield (number := number + 1)


def cards_of(move: str) -> list[tuple[str, str]]:
    """The cards that a move names, and the fields of the form that they belong to."""
    plus, _dash, minus = move.partition("-")
    return [("take", letter) for letter in plus[1:]] + [("give", letter) for letter in minus]
