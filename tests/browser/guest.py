"""Somebody who plays in a browser: uses the page as a person would, and the API only to learn the legal moves."""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

LONG = 30_000
"""Milliseconds after which a test gives up; never reached on a healthy machine."""


class Guest:
    """One browser with one table."""

    def __init__(self, context: BrowserContext, address: str, seed: int = 1) -> None:
        self.context = context
        self.address = address.rstrip("/")
        self.page: Page = context.new_page()
        self.page.set_default_timeout(LONG)
        self.rng = random.Random(seed)
        self.troubles: list[str] = []
        self.page.on("console", lambda message: self._note(message.type, message.text))
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))

    def _note(self, kind: str, text: str) -> None:
        # Some tests cause a refused move, a stale ply or a cut connection on purpose.
        if kind == "error" and not any(part in text for part in ("422", "409", "net::ERR")):
            self.troubles.append(text)

    def go(self, path: str = "/") -> None:
        self.page.goto(self.address + path)

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
        answer = self.context.request.get(f"{self.address}/api/games/{self.game}{query}")
        seen: dict[str, Any] = answer.json()
        return seen

    def against(self, level: str) -> None:
        """Clicks an opponent on the start page."""
        self.go()
        self.page.locator(
            f'form[action="/games"] button[value="{level}"], form:has(input[value="{level}"]) button'
        ).last.click()
        expect(self.table).to_be_visible()

    def await_turn(self) -> dict[str, Any]:
        """Waits until this guest has something to do, and returns the view."""
        self.page.wait_for_load_state()  # styles and scripts are loaded
        self.page.wait_for_function(
            """() => { const t = document.getElementById("table"); return t && (t.dataset.status === "over"
               || (t.dataset.status === "sheet" && document.querySelector('form[action$="/ready"]'))
               || (t.dataset.turn !== "" && t.dataset.turn === t.dataset.seat)); }""",
            timeout=LONG,
        )
        self.still()
        return self.view()

    def still(self) -> None:
        """Waits until no card is moving."""
        self.page.wait_for_function("() => document.getAnimations().length === 0", timeout=LONG)

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
        plus, _dash, minus = move.partition("-")
        for field, cards in (("take", plus[1:]), ("give", minus)):
            for letter in cards:
                # The cards of a herd overlap: each shows only its left edge.
                self.card(field, letter).click(position={"x": 10, "y": 30})

    def play(self, move: str) -> None:
        """Plays a move with the mouse and waits until the table shows it."""
        before = self.number
        self.select(move)
        self.page.locator("#play").click()
        self.played(before, self.page.locator("#play").click)

    def played(self, number: int, confirm: Callable[[], None]) -> None:
        """Waits until the table shows a move that was sent; if the tutor asks, the move is confirmed."""
        self.page.wait_for_function(
            "n => Number(document.getElementById('table').dataset.number) > n || document.getElementById('change')",
            arg=number,
            timeout=LONG,
        )
        if self.number <= number:
            confirm()
            self.after(number)

    def one_move(self) -> dict[str, Any]:
        """Plays a move, and returns the view when it is this guest's turn again."""
        self.play(self.choose(self.await_turn()))
        return self.await_turn()

    def after(self, number: int) -> None:
        """Waits until something has happened after the event with this number."""
        self.page.wait_for_function(
            "n => Number(document.getElementById('table').dataset.number) > n", arg=number, timeout=LONG
        )

    def ask_for_hint(self) -> None:
        """Asks until there is an answer: on a busy machine the coach may ask for patience first."""
        before = self.number
        while True:
            with self.page.expect_response(lambda answer: answer.url.endswith("/hint")) as answered:
                self.page.locator(".ask-hint button").click()
            if answered.value.ok:
                return self.after(before)

    def next_round(self) -> None:
        before = self.number
        self.page.locator('form[action$="/ready"] button').click()
        self.after(before)

    def tab_to(self, target: Locator) -> None:
        """Presses Tab until the target has the focus."""
        self.walk(target, ["Tab"] * 80)

    def arrow_to(self, target: Locator) -> None:
        """Moves over the cards with the arrow keys: along this row first, then along the others."""
        row = ["ArrowRight"] * 8 + ["ArrowLeft"] * 8
        self.walk(target, [*row, "ArrowDown", *row, "ArrowDown", *row, "ArrowUp", *row, "ArrowUp", *row])

    def walk(self, target: Locator, keys: list[str]) -> None:
        """Presses keys until the target has the focus."""
        for key in keys:
            if target.evaluate("el => el === document.activeElement"):
                return
            self.page.keyboard.press(key)
        at = self.page.evaluate("document.activeElement.outerHTML.slice(0, 200)")
        raise AssertionError(f"the keyboard does not lead there, but to {at}")


def quiet(browser: Browser, **options: object) -> BrowserContext:
    """A context without animations, so that tests do not wait for them."""
    return browser.new_context(reduced_motion="reduce", **options)  # type: ignore[arg-type]


def letters(move: str) -> Counter[str]:
    """The cards that a move names."""
    return Counter(letter for letter in move if letter.isalpha())
