"""The table as one seat sees it: as text, on the terminal, or as a picture."""

from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

import jaipur.art
from jaipur.art import CLOTH, DRAWINGS, HEIGHT, INK, SAND, STALL, WIDTH, Caption, layout
from jaipur.language import _, ngettext
from jaipur.language.words import kind_name
from jaipur.rules.bag import count, letters, size
from jaipur.rules.box import BONUS_PILES, GOODS, SMALLEST_BONUS_SALE
from jaipur.rules.discard import tokens_left
from jaipur.rules.errors import N_, JaipurError
from jaipur.rules.view import View

Frame = NDArray[np.uint8] | str | None | list[Any]
_FINE = 2
"""Painted at twice the size and scaled down, so that edges are smooth."""
_ANCHORS = {"start": "ls", "end": "rs"}
_IN_THE_FONT = str.maketrans("×–", "x-")


def render(view: View, mode: str | None) -> Frame:
    """A text, a picture, or None after printing it."""
    if mode == "rgb_array":
        return picture(view)
    if mode == "ansi":
        return text(view)
    if mode == "human":
        print(text(view))  # noqa: T201 - what this mode is for
        return None
    raise JaipurError(N_("Choose a render_mode when you make the environment: ansi, human or rgb_array."))


def text(view: View) -> str:
    """The table in a few lines of letters: the rival on top, the seat's own hand at the bottom."""
    rival = letters(view.rival.known) + "?" * (view.rival.hand_size - size(view.rival.known))
    tokens = [
        f"{kind_name(good)} {' '.join(map(str, tokens_left(view.discard, good))) or '-'}" for good in range(GOODS)
    ]
    bonus = " · ".join(f"{pile + SMALLEST_BONUS_SALE} × {count(view.bonus_left, pile)}" for pile in range(BONUS_PILES))
    deck = ngettext("deck: {cards} card", "deck: {cards} cards", view.deck_size).format(cards=view.deck_size)
    rupees = view.me.goods_rupees + view.me.bonus_rupees
    return "\n".join(
        [
            _side(_("Rival"), rival, view.rival.herd, view.rival.goods_rupees, size(view.rival.bonus_taken)),
            _("Market: {cards}  {deck}").format(cards=letters(view.market), deck=deck),
            _("Tokens: {tokens}").format(tokens=" · ".join(tokens)),
            _("Bonus tokens: {piles}").format(piles=bonus),
            _side(_("You"), letters(view.me.hand), view.me.herd, rupees, view.me.bonus_tokens),
        ]
    )


def _side(name: str, hand: str, herd: int, rupees: int, bonus: int) -> str:
    return _("{name}: {hand}  camels: {herd}  rupees: {rupees}  bonus tokens: {bonus}").format(
        name=name, hand=hand or "-", herd=herd, rupees=rupees, bonus=bonus
    )


def picture(view: View) -> NDArray[np.uint8]:
    """The rival on top, the market in the middle, the seat's own hand at the bottom; 640 by 960 pixels."""
    image = Image.new("RGB", (WIDTH * _FINE, HEIGHT * _FINE), SAND)
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle([_FINE * corner for corner in STALL], radius=12 * _FINE, fill=CLOTH)
    for part in layout(view):
        place = part.x * _FINE, part.y * _FINE
        if isinstance(part, Caption):
            draw.text(place, part.text.translate(_IN_THE_FONT), INK, _font(part.points * _FINE), _ANCHORS[part.anchor])
        else:
            bitmap = _bitmap(part.name, part.width * _FINE, part.height * _FINE)
            image.paste(bitmap, place, bitmap)
    return np.asarray(image.resize((WIDTH, HEIGHT), Image.Resampling.BOX), np.uint8).copy()


_font = cache(ImageFont.load_default)


@cache
def _bitmap(name: str, width: int, height: int) -> Image.Image:
    """A drawing in a size, from the row of all of them, where each has as much room as a card."""
    with files(jaipur.art).joinpath("drawings.png").open("rb") as file:
        row = Image.open(file).convert("RGBA")
    room, at = row.width // len(DRAWINGS), DRAWINGS.index(name)
    drawing = row.crop((at * room, 0, (at + 1) * room, room * height // width))
    return drawing.resize((width, height), Image.Resampling.LANCZOS)
