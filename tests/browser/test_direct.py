"""Playing cards directly, marks of what changed, undo and redo, and screens of every shape, in a real browser."""

import re

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.guest import Guest, quiet

pytestmark = pytest.mark.slow

SHAPES = [(740, 360), (844, 390), (640, 400), (360, 640), (390, 844), (1280, 800)]
"""Phones on their side, a 1280 by 800 page at double size, phones upright, a desktop."""


def seated(browser: Browser, address: str, **options: object) -> Guest:
    guest = Guest(quiet(browser, **options), address)
    guest.against("pedlar")
    guest.await_turn()
    return guest


def drag(guest: Guest, card: Locator, to: Locator) -> None:
    """Drags a card with the mouse and drops it."""
    start, end = card.bounding_box(), to.bounding_box()
    assert start
    assert end
    mouse = guest.page.mouse
    mouse.move(start["x"] + 12, start["y"] + 30)
    mouse.down()
    mouse.move(start["x"] + 40, start["y"] + 40, steps=3)
    mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=5)
    mouse.up()


def a_good(guest: Guest) -> str:
    """A good in the market that can be taken, after some moves if there is none at first."""
    while not (goods := [move for move in guest.view()["legal"] if re.fullmatch(r"\+[DGSCPL]", move)]):
        guest.one_move()
    return str(goods[0][1])


def test_a_double_click_takes_a_card(browser: Browser, address: str) -> None:
    guest = seated(browser, address)
    good, number = a_good(guest), guest.number
    guest.card("take", good).dblclick(position={"x": 20, "y": 30})
    guest.after(number)
    assert guest.view()["log"][0 if number == 0 else number] == {"round": 1, "seat": 0, "move": f"+{good}"}
    assert not guest.troubles


def test_a_card_that_is_dragged_to_the_hand_is_taken(browser: Browser, address: str) -> None:
    guest = seated(browser, address)
    good, number = a_good(guest), guest.number
    drag(guest, guest.card("take", good), guest.page.locator(".side.bottom"))
    guest.after(number)
    assert guest.view()["log"][number]["move"] == f"+{good}"


def test_cards_that_are_dragged_to_the_sold_ones_are_sold(browser: Browser, address: str) -> None:
    guest = seated(browser, address)
    while not (sales := [move for move in guest.view()["legal"] if re.fullmatch(r"-[CPL]", move)]):
        guest.one_move()
    number = guest.number
    drag(guest, guest.card("give", sales[0][1]), guest.page.locator(".discard"))
    guest.after(number)
    assert guest.view()["log"][-1]["move"] == sales[0] or guest.view()["log"][-2]["move"] == sales[0]


def test_what_changed_is_marked_without_motion(browser: Browser, address: str) -> None:
    """Each slot that the last move changed has a mark and the ghost of the card that was there."""
    guest = seated(browser, address)
    guest.one_move()
    view = guest.view()
    left = [place for place, card in enumerate(view["left"]) if card]
    marked = guest.page.locator(".market .places li").evaluate_all(
        "items => items.flatMap((li, n) => li.classList.contains('fresh') && li.querySelector('.ghost') ? [n] : [])"
    )
    assert marked == left
    guest.page.keyboard.press("r")
    expect(guest.table).to_have_class(re.compile("pointed"))


def test_the_keys_are_listed(browser: Browser, address: str) -> None:
    guest = seated(browser, address)
    guest.page.keyboard.press("?")
    expect(guest.page.locator("#keys")).to_be_visible()
    guest.page.keyboard.press("Escape")
    expect(guest.page.locator("#keys")).to_be_hidden()
    guest.page.locator("#show-keys").click()
    expect(guest.page.locator("#keys")).to_be_visible()


def to_second_round(guest: Guest) -> None:
    """Plays until a round is over and the next one is dealt."""
    while guest.await_turn()["status"] == "playing":
        guest.play(guest.choose(guest.view()))
    guest.next_round()
    guest.await_turn()


def test_arrows_lead_from_the_button_to_the_cards(browser: Browser, address: str) -> None:
    """The button has the focus on the next turn if the tutor asked before."""
    with quiet(browser) as context:
        guest = Guest(context, address)
        guest.against("pedlar")
        guest.await_turn()
        guest.page.locator("#play").focus()
        guest.page.keyboard.press("ArrowRight")
        expect(guest.page.locator("#move .card input").first).to_be_focused()


def test_taking_back_asks_before_it_leaves_the_round_and_can_be_undone(browser: Browser, address: str) -> None:
    guest = seated(browser, address)
    to_second_round(guest)
    before = guest.view()
    if any(logged["round"] == 2 and logged["seat"] == 0 for logged in before["log"]):
        pytest.fail("the guest has not moved in the second round yet")
    guest.page.locator('form[action$="/undo"] button').last.click()
    stay = guest.page.get_by_text("Stay in this round")
    expect(stay).to_be_visible()
    assert guest.view()["round"] == 2
    stay.click()
    expect(stay).to_be_hidden()
    guest.page.locator('form[action$="/undo"] button').last.click()
    number = guest.number
    guest.page.get_by_role("button", name="Return to round 1").click()
    guest.after(number)
    assert guest.view()["round"] == 1
    number = guest.number
    guest.page.get_by_role("button", name="Play it again").click()
    guest.after(number)
    after = guest.await_turn()
    assert (after["round"], after["market"], after["sides"]) == (2, before["market"], before["sides"])
    expect(guest.page.get_by_role("button", name="Play it again")).to_have_count(0)


@pytest.mark.parametrize(("width", "height"), SHAPES)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_market_hand_and_button_are_seen_together(
    browser: Browser, address: str, width: int, height: int, lang: str
) -> None:
    guest = seated(browser, address, locale=lang, viewport={"width": width, "height": height})
    guest.one_move()
    parts = {"market": ".market .places", "hand": ".side.bottom .hand", "button": "#play"}
    if (width, height) != (360, 640):
        parts["herd"] = ".side.bottom .herd"
    for name, selector in parts.items():
        box = guest.page.locator(selector).bounding_box()
        assert box, name
        assert box["x"] >= 0, name
        assert box["x"] + box["width"] <= width + 0.5, name
        assert box["y"] >= 0, name
        assert box["y"] + box["height"] <= height + 0.5, (name, box)
    assert guest.page.evaluate("document.documentElement.scrollWidth") <= width


WHERE_THINGS_ARE = """() => [...document.querySelectorAll("#play, #move li:has(input[type=checkbox])")].map(el => {
  const box = el.getBoundingClientRect();
  return [Math.round(box.x), Math.round(box.y), Math.round(box.height)];
})"""


def at_rest(guest: Guest) -> object:
    """Where things are once the cards of the last move have arrived."""
    seen: list[object] = [None, guest.page.evaluate(WHERE_THINGS_ARE)]
    while seen[-1] != seen[-2]:
        guest.page.wait_for_timeout(200)
        seen.append(guest.page.evaluate(WHERE_THINGS_ARE))
    return seen[-1]


@pytest.mark.parametrize(("width", "height"), SHAPES)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_nothing_moves_while_cards_are_chosen(
    browser: Browser, address: str, width: int, height: int, lang: str
) -> None:
    guest = seated(browser, address, locale=lang, viewport={"width": width, "height": height})
    move = max(guest.one_move()["legal"], key=len)
    guest.page.locator("#play").scroll_into_view_if_needed()
    before = at_rest(guest)
    waiting = guest.page.locator("#play").inner_text()
    guest.select(move)
    expect(guest.page.locator("#play")).not_to_have_text(waiting)
    guest.page.wait_for_load_state("networkidle")
    assert at_rest(guest) == before


ROWS = """() => [...document.querySelectorAll(".market .places, .side.bottom")]
  .map(el => el.getBoundingClientRect().y + scrollY)"""


@pytest.mark.parametrize(("width", "height"), SHAPES)
def test_market_and_hand_stay_in_their_places_from_turn_to_turn(
    browser: Browser, address: str, width: int, height: int
) -> None:
    size = {"width": width, "height": height}
    host = Guest(quiet(browser, locale="fr", viewport=size), address)
    host.go()
    host.page.locator('form:has(input[value="friend"]) button').click()
    friend = Guest(quiet(browser, locale="fr", viewport=size), address)
    friend.page.goto(host.page.locator("#invite").input_value())
    friend.page.locator("main form button").click()
    for guest in (host, friend):
        expect(guest.table).to_have_attribute("data-status", "playing")
        expect(guest.page.locator(".presence.here")).to_be_visible()
    first, second = (host, friend) if host.view()["turn"] == host.view()["seat"] else (friend, host)
    places = [first.page.evaluate(ROWS)]
    for guest in (first, second):
        guest.play(next(move for move in guest.view()["legal"] if re.fullmatch(r"\+.", move)))
        expect(first.table).to_have_attribute("data-number", str(guest.number))
        first.still()
        places.append(first.page.evaluate(ROWS))
    for row in zip(*places, strict=True):
        assert max(row) - min(row) < 3, places
