"""The table as a picture: what one seat sees, drawn from its view."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

import jaipur.art
from jaipur.rules.bag import count, letters, size
from jaipur.rules.bonus import bonus_values
from jaipur.rules.box import BONUS_PILES, CAMEL, GOODS, KINDS, LETTERS, SMALLEST_BONUS_SALE
from jaipur.rules.discard import tokens_left
from jaipur.rules.view import View

WIDTH, HEIGHT = 960, 640
_FINE = 2
"""Drawn at twice the size and scaled down, so that edges are smooth."""
_BACK = len(LETTERS)
"""The place of the back in the row of cards, after the kinds."""
_ART_WIDTH = 200
_DARK, _CREAM, _SAND, _BROWN = "#2a1a14", "#fbf3df", "#e9d3a4", "#7d5b3c"
_COLOURS = ("#b3273a", "#d9a520", "#8f9aa6", "#7a4f9e", "#4e8c3a", "#a5673a")
"""One for each good."""
_STALL = "#d8b878"
_AWNING = ("#b3273a", _CREAM)
_CARD = 96, 134
_HELD = 72, 100
_SMALL = 68, 95
_TINY = 24, 34


def picture(view: View) -> NDArray[np.uint8]:
    """The rival on top, the market in the middle, the seat's own hand at the bottom; 640 by 960 pixels."""
    canvas = _Painting()
    canvas.ground()
    _rival(canvas, view)
    _market(canvas, view)
    _tokens(canvas, view)
    _own_side(canvas, view)
    return canvas.pixels()


def _rival(canvas: "_Painting", view: View) -> None:
    rival = view.rival
    known = [LETTERS.index(letter) for letter in letters(rival.known)]
    canvas.row(known + [_BACK] * (rival.hand_size - size(rival.known)), 190, 24, _SMALL)
    canvas.herd(rival.herd, 700, 24)
    secret = ["?"] * size(rival.bonus_taken)
    canvas.purse(f"{rival.goods_rupees}{'+' if secret else ''}", secret, 800, 40)


def _market(canvas: "_Painting", view: View) -> None:
    canvas.stall(176, 150, 776, 372)
    kinds = [kind for kind in range(KINDS) for _card in range(count(view.market, kind))]
    canvas.row(kinds, 204, 208, _CARD, gap=112)
    for layer in range(min(int(view.deck_size), 4)):
        canvas.card(_BACK, 814 + 3 * layer, 214 - 3 * layer, _CARD)
    canvas.text(str(view.deck_size), 866, 366, 24, _DARK)


def _tokens(canvas: "_Painting", view: View) -> None:
    for good in range(GOODS):
        y = 46 + good * 94
        canvas.card(good, 6, y - 17, _TINY)
        for i, value in reversed(list(enumerate(tokens_left(view.discard, good)))):
            canvas.disc(60 + 11 * i, y, 20, _COLOURS[good], str(value))
    for pile in range(BONUS_PILES):
        x = 262 + pile * 150
        left = int(count(view.bonus_left, pile))
        for layer in range(left):
            label = f"{pile + SMALLEST_BONUS_SALE}{'+' if pile == BONUS_PILES - 1 else ''}"
            canvas.disc(x + 3 * layer, 410 - 2 * layer, 22, _BROWN, label if layer == left - 1 else "")
        canvas.text(f"x{left}", x + 58, 410, 18, _DARK)


def _own_side(canvas: "_Painting", view: View) -> None:
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


@cache
def _card(kind: int, shape: tuple[int, int]) -> Image.Image:
    """The drawing of a kind of card, or of the back."""
    row = Image.open(BytesIO(files(jaipur.art).joinpath("cards.png").read_bytes())).convert("RGBA")
    drawn = row.crop((kind * _ART_WIDTH, 0, (kind + 1) * _ART_WIDTH, row.height))
    return drawn.resize((shape[0] * _FINE, shape[1] * _FINE), Image.Resampling.LANCZOS)


class _Painting:
    """Draws; coordinates are pixels of the finished picture."""

    def __init__(self) -> None:
        self.image = Image.new("RGB", (WIDTH * _FINE, HEIGHT * _FINE), _SAND)
        self.draw = ImageDraw.Draw(self.image)

    def pixels(self) -> NDArray[np.uint8]:
        return np.asarray(self.image.resize((WIDTH, HEIGHT), Image.Resampling.BOX), np.uint8).copy()

    def polygon(self, colour: str, points: Sequence[tuple[float, float]]) -> None:
        self.draw.polygon([(x * _FINE, y * _FINE) for x, y in points], fill=colour)

    def text(self, words: str, x: float, y: float, height: int, colour: str) -> None:
        self.draw.text((x * _FINE, y * _FINE), words, fill=colour, font=_font(height), anchor="mm")

    def ground(self) -> None:
        for y in range(0, HEIGHT, 64):
            self.polygon("#e4cb97", [(0, y), (WIDTH, y + 24), (WIDTH, y + 40), (0, y + 16)])

    def stall(self, left: int, top: int, right: int, bottom: int) -> None:
        corners = (left * _FINE, (top + 20) * _FINE, right * _FINE, bottom * _FINE)
        self.draw.rounded_rectangle(corners, radius=9 * _FINE, fill=_STALL, outline=_DARK, width=_FINE)
        stripe = (right - left) / 20
        for i in range(20):
            x = left + i * stripe
            points = [(x, top), (x + stripe, top), (x + stripe, top + 30), (x + stripe / 2, top + 42), (x, top + 30)]
            self.polygon(_AWNING[i % 2], points)

    def row(self, kinds: list[int], x: int, y: int, shape: tuple[int, int], gap: int = 72) -> None:
        for i, kind in enumerate(kinds):
            self.card(kind, x + i * gap, y, shape)

    def card(self, kind: int, x: int, y: int, shape: tuple[int, int]) -> None:
        drawn = _card(kind, shape)
        self.image.paste(drawn, (x * _FINE, y * _FINE), drawn)

    def disc(self, x: float, y: float, radius: float, colour: str, words: str) -> None:
        corners = ((x - radius) * _FINE, (y - radius) * _FINE, (x + radius) * _FINE, (y + radius) * _FINE)
        self.draw.ellipse(corners, fill=colour, outline=_CREAM, width=2 * _FINE)
        self.text(words, x, y, 18, _CREAM)

    def herd(self, camels: int, x: int, y: int) -> None:
        for layer in range(min(camels, 4)):
            self.card(CAMEL, x + 4 * layer, y - 3 * layer, _SMALL)
        if camels:
            self.text(f"x{camels}", x + 38, y + 112, 20, _DARK)

    def purse(self, rupees: str, bonus: list[str], x: float, y: float) -> None:
        self.disc(x + 40, y + 20, 30, "#c98a10", rupees)
        for i, value in enumerate(bonus):
            self.disc(x + 4 + 30 * (i % 4), y + 68 + 30 * (i // 4), 14, _BROWN, value)
