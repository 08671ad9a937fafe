"""The drawings of cards, tokens and people, and the pictures of views and rounds that notebooks show."""

import base64
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from jaipur.rules.bag import count, letters, size
from jaipur.rules.bonus import bonus_values
from jaipur.rules.box import BONUS_PILES, GOODS, KINDS, LETTERS, SMALLEST_BONUS_SALE
from jaipur.rules.discard import discarded, tokens_left
from jaipur.rules.display import paint_with
from jaipur.rules.errors import N_
from jaipur.rules.round import Round
from jaipur.rules.side import Rival, Side
from jaipur.rules.view import View

CARD_ART = ("diamond", "gold", "silver", "cloth", "spice", "leather", "camel")
"""The drawing of each kind of card."""
AVATARS = (N_("elephant"), N_("tiger"), N_("peacock"), N_("parrot"), N_("monkey"), N_("lotus"), N_("lamp"), N_("kite"))
"""Pictures for people: the drawings `avatar-*.svg`."""
BACK = "back"
DRAWINGS = (*CARD_ART, BACK, *(f"token-{good}" for good in CARD_ART[:GOODS]), "bonus-3", "bonus-4", "bonus-5")
"""All that a picture of a position is made of."""
WIDTH, HEIGHT = 960, 640
STALL = (16, 196, 944, 444)
"""The corners of the stall: left, top, right, bottom."""
INK, SAND, CLOTH = "#3b2314", "#f4e3bd", "#e7c98a"
_CARD = (80, 112)
_COIN = 40
_FONT = "Georgia, 'Times New Roman', serif"


class Picture(NamedTuple):
    """A drawing, its place and its size."""

    name: str
    x: int
    y: int
    width: int
    height: int


class Caption(NamedTuple):
    """A text, the start of its base line, and its size; anchored at its `end`, the place is where it ends."""

    text: str
    x: int
    y: int
    points: int
    anchor: str = "start"


def layout(position: object) -> list[Picture | Caption]:
    """What is drawn of a view, as its seat sees it, or of a round, with both hands open."""
    if isinstance(position, View):
        upper, lower = _side_row(position.rival, 64, "opponent"), _side_row(position.me, 484, "this seat")
        return [*upper, *_middle(position), *lower]
    if isinstance(position, Round):
        upper, lower = _side_row(position.second, 64, "seat 1"), _side_row(position.first, 484, "seat 0")
        return [*upper, *_middle(position.view(0)), *lower]
    raise TypeError("a view or a round can be drawn")


def svg_of(position: object) -> str:
    """A view or a round as one self-contained SVG, in which each drawing is embedded only once."""
    parts = layout(position)
    symbols = "".join(map(_symbol, dict.fromkeys(part.name for part in parts if isinstance(part, Picture))))
    left, top, right, bottom = STALL
    ground = f'<rect width="{WIDTH}" height="{HEIGHT}" rx="14" fill="{SAND}"/>'
    stall = f'<rect x="{left}" y="{top}" width="{right - left}" height="{bottom - top}" rx="12" fill="{CLOTH}"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'font-family="{_FONT}"><defs>{symbols}</defs>{ground}{stall}{"".join(map(_element, parts))}</svg>'
    )


def _element(part: Picture | Caption) -> str:
    if isinstance(part, Picture):
        return f'<use href="#{part.name}" x="{part.x}" y="{part.y}" width="{part.width}" height="{part.height}"/>'
    place = f'x="{part.x}" y="{part.y}" font-size="{part.points}" text-anchor="{part.anchor}"'
    return f'<text {place} fill="{INK}">{part.text}</text>'


@cache
def _symbol(name: str) -> str:
    """A drawing to be used any number of times, in its own size."""
    width, height = (200, 280) if name in (*CARD_ART, BACK) else (100, 100)
    data = base64.b64encode(files(__name__).joinpath(f"{name}.svg").read_bytes()).decode()
    image = f'<image href="data:image/svg+xml;base64,{data}" width="{width}" height="{height}"/>'
    return f'<symbol id="{name}" viewBox="0 0 {width} {height}">{image}</symbol>'


def _cards(hand: str, y: int) -> Iterator[Picture]:
    """Cards by their letters, side by side; a question mark is a card face down."""
    for number, letter in enumerate(hand):
        name = BACK if letter == "?" else CARD_ART[LETTERS.index(letter)]
        yield Picture(name, 24 + 92 * number, y, *_CARD)


def _side_row(side: Side | Rival, y: int, name: str) -> Iterator[Picture | Caption]:
    """One player's hand, herd and tokens, as far as they may be seen."""
    if isinstance(side, Side):
        hand, bonus = letters(side.hand), [str(value) for value in bonus_values(side.bonus)]
    else:
        hand = letters(side.known) + "?" * (side.hand_size - size(side.known))
        bonus = ["?"] * size(side.bonus_taken)
    yield from _cards(hand, y)
    yield Picture(CARD_ART[-1], 680, y, *_CARD)
    yield Caption(f"× {side.herd}", 770, y + 62, 26)
    yield Caption(name, 840, y + 30, 18)
    yield Caption(f"{side.goods_rupees} rupees", 840, y + 58, 20)
    if bonus:
        yield Caption(f"bonus {' '.join(bonus)}", 840, y + 84, 16)


def _middle(view: View) -> Iterator[Picture | Caption]:
    """The market, the deck and the tokens that are left."""
    yield from _cards("".join(LETTERS[kind] * count(view.market, kind) for kind in range(KINDS)), 216)
    if view.deck_size:
        yield Picture(BACK, 24, 334, 70, 98)
    yield Caption(f"deck {view.deck_size}", 104, 390, 20)
    yield Caption(f"sold {sum(discarded(view.discard, good) for good in range(GOODS))}", 104, 418, 16)
    for good in range(GOODS):
        y = 210 + good * 38
        yield Picture(f"token-{CARD_ART[good]}", 520, y, 34, 34)
        yield Caption(" ".join(map(str, tokens_left(view.discard, good))) or "–", 564, y + 24, 20)
    for pile in range(BONUS_PILES):
        x = 230 + pile * 92
        yield Picture(f"bonus-{pile + SMALLEST_BONUS_SALE}", x, 362, _COIN, _COIN)
        yield Caption(f"× {count(view.bonus_left, pile)}", x + 46, 389, 18)
    over = "the round is over" if view.over else f"seat {view.turn} to move"
    yield Caption(over, 924, 330, 20, "end")


paint_with(svg_of)
