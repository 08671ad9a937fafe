"""The drawings on the cards: polygons and ellipses in a square of 100 by 100, drawn in order."""

from typing import Literal

Shape = tuple[Literal["polygon", "ellipse"], str, tuple[tuple[float, float], ...]]

CARD_COLOURS = ("#b3273a", "#d9a520", "#8f9aa6", "#7a4f9e", "#4e8c3a", "#a5673a", "#e0c48a")
"""One colour for each kind, diamond to camel."""
DARK = "#2a1a14"
CREAM = "#fbf3df"


def _polygon(colour: str, *points: tuple[float, float]) -> Shape:
    return "polygon", colour, points


def _ellipse(colour: str, left: float, top: float, right: float, bottom: float) -> Shape:
    return "ellipse", colour, ((left, top), (right, bottom))


def _ingot(colour: str, light: str, x: float, y: float) -> tuple[Shape, Shape]:
    front = _polygon(colour, (x, y + 20), (x + 7, y + 6), (x + 33, y + 6), (x + 40, y + 20))
    top = _polygon(light, (x + 7, y + 6), (x + 12, y), (x + 28, y), (x + 33, y + 6))
    return front, top


def _coin(x: float, y: float) -> tuple[Shape, Shape, Shape]:
    edge = _ellipse("#5f6b77", x, y + 5, x + 44, y + 27)
    return edge, _ellipse("#eef2f5", x, y, x + 44, y + 22), _ellipse("#c3ccd4", x + 7, y + 4, x + 37, y + 18)


_DIAMOND = (
    _polygon("#ffd9df", (50, 88), (12, 40), (28, 18), (72, 18), (88, 40)),
    _polygon("#ff9fb0", (50, 88), (12, 40), (34, 40)),
    _polygon("#f06b84", (50, 88), (66, 40), (88, 40)),
    _polygon("#ffeef1", (34, 40), (28, 18), (50, 18)),
    _polygon("#ffc3cd", (66, 40), (72, 18), (50, 18)),
)
_GOLD = (
    *_ingot("#c98a10", "#ffe9a3", 8, 58),
    *_ingot("#c98a10", "#ffe9a3", 52, 58),
    *_ingot("#dd9f1c", "#fff2c4", 30, 34),
)
_SILVER = (*_coin(8, 56), *_coin(48, 56), *_coin(28, 40), *_coin(28, 26))
_CLOTH = (
    _polygon("#5b3580", (14, 60), (70, 60), (86, 80), (30, 80)),
    _polygon("#a987cf", (14, 52), (70, 52), (86, 62), (30, 62)),
    _polygon("#8c62b8", (14, 38), (70, 38), (86, 54), (30, 54)),
    _polygon("#c9b1e4", (14, 30), (70, 30), (86, 40), (30, 40)),
    _ellipse("#f1e7fb", 10, 22, 34, 46),
    _ellipse("#8c62b8", 16, 28, 28, 40),
)
_SPICE = (
    _polygon("#d9552c", (22, 54), (50, 16), (78, 54)),
    _polygon("#f08a4b", (34, 54), (50, 16), (58, 54)),
    _ellipse("#2f5c22", 12, 44, 88, 64),
    _polygon("#3f7a2e", (12, 54), (88, 54), (74, 82), (26, 82)),
    _polygon("#9fd18a", (14, 56), (86, 56), (84, 62), (16, 62)),
)
_LEATHER = (
    _polygon(
        "#6e3f1e",
        *((50, 12), (62, 22), (84, 18), (78, 38), (82, 62), (90, 82), (68, 78)),
        *((50, 88), (32, 78), (10, 82), (18, 62), (22, 38), (16, 18), (38, 22)),
    ),
    _polygon("#c98a55", (50, 22), (68, 32), (70, 60), (62, 72), (50, 78), (38, 72), (30, 60), (32, 32)),
    _polygon("#e0ae7d", (50, 30), (60, 36), (60, 56), (50, 64), (40, 56), (40, 36)),
)
_CAMEL = (
    _polygon(
        "#8a5a2b",
        *((10, 30), (20, 22), (30, 26), (30, 34), (26, 36), (30, 54), (40, 44), (46, 28), (54, 22), (60, 34)),
        *((64, 42), (70, 28), (78, 26), (84, 40), (90, 54), (90, 66), (86, 58), (82, 62), (84, 90), (77, 90)),
        *((74, 66), (56, 68), (50, 66), (48, 90), (41, 90), (40, 66), (28, 60), (20, 40), (12, 38)),
    ),
    _polygon("#b3273a", (46, 40), (62, 44), (78, 40), (76, 54), (50, 56)),
    _polygon("#ffd24a", (48, 50), (77, 49), (76, 54), (50, 56)),
    _ellipse(DARK, 18, 27, 22, 31),
)

ICONS: tuple[tuple[Shape, ...], ...] = (_DIAMOND, _GOLD, _SILVER, _CLOTH, _SPICE, _LEATHER, _CAMEL)
"""One drawing for each kind, diamond to camel."""
