"""The table as a picture: what one seat sees, drawn from its view."""

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from jaipur.envs.icons import CARD_COLOURS, CREAM, DARK, ICONS
from jaipur.rules.bag import count, letters, size
from jaipur.rules.bonus import bonus_values
from jaipur.rules.box import BONUS_PILES, CAMEL, GOODS, KINDS, LETTERS, SMALLEST_BONUS_SALE
from jaipur.rules.discard import tokens_left
from jaipur.rules.view import View

WIDTH, HEIGHT = 960, 640
_FINE = 2
"""Drawn at twice the size and scaled down, so that edges are smooth."""
_BACK = LETTERS.index("M") + 1
_SAND = "#e9d3a4"
_STALL = "#d8b878"
_AWNING = ("#b3273a", CREAM)
_CARD = 96, 134
_HELD = 72, 100
_SMALL = 68, 95


def picture(view: View) -> NDArray[np.uint8]:
    """The rival on top, the market in the middle, the seat's own hand at the bottom; 640 by 960 pixels."""
    canvas = _Canvas()
    canvas.ground()
    _rival(canvas, view)
    _market(canvas, view)
    _tokens(canvas, view)
    _own_side(canvas, view)
    return canvas.pixels()


def _rival(canvas: "_Canvas", view: View) -> None:
    rival = view.rival
    known = [LETTERS.index(letter) for letter in letters(rival.known)]
    canvas.row(known + [_BACK] * (rival.hand_size - size(rival.known)), 190, 24, _SMALL)
    canvas.herd(rival.herd, 700, 24)
    secret = ["?"] * size(rival.bonus_taken)
    canvas.purse(f"{rival.goods_rupees}{'+' if secret else ''}", secret, 800, 40)


def _market(canvas: "_Canvas", view: View) -> None:
    canvas.stall(176, 150, 776, 372)
    kinds = [kind for kind in range(KINDS) for _card in range(count(view.market, kind))]
    canvas.row(kinds, 204, 208, _CARD, gap=112)
    for layer in range(min(int(view.deck_size), 4)):
        canvas.card(_BACK, 814 + 3 * layer, 214 - 3 * layer, _CARD)
    canvas.text(str(view.deck_size), 866, 366, 24, DARK)


def _tokens(canvas: "_Canvas", view: View) -> None:
    for good in range(GOODS):
        y = 46 + good * 94
        canvas.icon(good, 10, y - 14, 30)
        for i, value in reversed(list(enumerate(tokens_left(view.discard, good)))):
            canvas.disc(60 + 11 * i, y, 20, CARD_COLOURS[good], str(value))
    for pile in range(BONUS_PILES):
        x = 262 + pile * 150
        left = int(count(view.bonus_left, pile))
        for layer in range(left):
            label = f"{pile + SMALLEST_BONUS_SALE}{'+' if pile == BONUS_PILES - 1 else ''}"
            canvas.disc(x + 3 * layer, 410 - 2 * layer, 22, "#7d5b3c", label if layer == left - 1 else "")
        canvas.text(f"x{left}", x + 58, 410, 18, DARK)


def _own_side(canvas: "_Canvas", view: View) -> None:
    me = view.me
    hand = [kind for kind in range(GOODS) for _card in range(count(me.hand, kind))]
    canvas.row(hand, 190, 470, _HELD, gap=76)
    canvas.herd(me.herd, 740, 474)
    values = [str(value) for value in bonus_values(me.bonus)]
    canvas.purse(str(me.goods_rupees + me.bonus_rupees), values, 840, 490)
    if view.turn == view.seat and not view.over:
        canvas.polygon("#b3273a", [(226, 464), (212, 446), (240, 446)])


@cache
def _font(height: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(height * _FINE)


class _Canvas:
    """Draws; coordinates are pixels of the finished picture."""

    def __init__(self) -> None:
        self.image = Image.new("RGB", (WIDTH * _FINE, HEIGHT * _FINE), _SAND)
        self.draw = ImageDraw.Draw(self.image)

    def pixels(self) -> NDArray[np.uint8]:
        return np.asarray(self.image.resize((WIDTH, HEIGHT), Image.Resampling.BOX), np.uint8).copy()

    def polygon(self, colour: str, points: Sequence[tuple[float, float]]) -> None:
        self.draw.polygon([(x * _FINE, y * _FINE) for x, y in points], fill=colour)

    def lozenge(self, colour: str, x: float, y: float, reach: float) -> None:
        tall = 1.4 * reach
        self.polygon(colour, [(x, y - tall), (x + reach, y), (x, y + tall), (x - reach, y)])

    def box(self, x: float, y: float, width: float, height: float, colour: str, edge: str = DARK) -> None:
        corners = (x * _FINE, y * _FINE, (x + width) * _FINE, (y + height) * _FINE)
        self.draw.rounded_rectangle(corners, radius=9 * _FINE, fill=colour, outline=edge, width=_FINE)

    def text(self, words: str, x: float, y: float, height: int, colour: str) -> None:
        self.draw.text((x * _FINE, y * _FINE), words, fill=colour, font=_font(height), anchor="mm")

    def ground(self) -> None:
        for y in range(0, HEIGHT, 64):
            self.polygon("#e4cb97", [(0, y), (WIDTH, y + 24), (WIDTH, y + 40), (0, y + 16)])

    def stall(self, left: int, top: int, right: int, bottom: int) -> None:
        self.box(left, top + 20, right - left, bottom - top - 20, _STALL)
        stripe = (right - left) / 20
        for i in range(20):
            x = left + i * stripe
            points = [(x, top), (x + stripe, top), (x + stripe, top + 30), (x + stripe / 2, top + 42), (x, top + 30)]
            self.polygon(_AWNING[i % 2], points)

    def row(self, kinds: list[int], x: float, y: float, shape: tuple[int, int], gap: int = 72) -> None:
        for i, kind in enumerate(kinds):
            self.card(kind, x + i * gap, y, shape)

    def card(self, kind: int, x: float, y: float, shape: tuple[int, int]) -> None:
        width, height = shape
        self.box(x, y, width, height, CREAM)
        if kind == _BACK:
            self.box(x + 6, y + 6, width - 12, height - 12, "#8c2f2f", "#5e1c1c")
            for reach, colour in ((24, "#d9a520"), (15, "#8c2f2f"), (8, "#d9a520")):
                self.lozenge(colour, x + width / 2, y + height / 2, reach)
            return
        self.box(x + 5, y + 5, width - 10, height - 10, CARD_COLOURS[kind], CARD_COLOURS[kind])
        self.icon(kind, x + 12, y + (height - width) / 2 + 12, width - 24)
        self.text(LETTERS[kind], x + 15, y + 17, 15, CREAM if kind != CAMEL else DARK)

    def icon(self, kind: int, x: float, y: float, side: float) -> None:
        scale = side / 100
        for form, colour, points in ICONS[kind]:
            placed = [((x + px * scale) * _FINE, (y + py * scale) * _FINE) for px, py in points]
            if form == "polygon":
                self.draw.polygon(placed, fill=colour)
            else:
                self.draw.ellipse((*placed[0], *placed[1]), fill=colour)

    def disc(self, x: float, y: float, radius: float, colour: str, words: str) -> None:
        corners = ((x - radius) * _FINE, (y - radius) * _FINE, (x + radius) * _FINE, (y + radius) * _FINE)
        self.draw.ellipse(corners, fill=colour, outline=CREAM, width=2 * _FINE)
        self.text(words, x, y, 18, CREAM)

    def herd(self, camels: int, x: float, y: float) -> None:
        for layer in range(min(camels, 4)):
            self.card(CAMEL, x + 4 * layer, y - 3 * layer, _SMALL)
        if camels:
            self.text(f"x{camels}", x + 38, y + 112, 20, DARK)

    def purse(self, rupees: str, bonus: list[str], x: float, y: float) -> None:
        self.disc(x + 40, y + 20, 30, "#c98a10", rupees)
        for i, value in enumerate(bonus):
            self.disc(x + 4 + 30 * (i % 4), y + 68 + 30 * (i // 4), 14, "#7d5b3c", value)
