"""The drawings of cards, tokens and people, and the pictures of views and rounds that notebooks show."""

import base64
from functools import cache
from importlib.resources import files

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
_WIDTH, _HEIGHT = 960, 560
_CARD = (80, 112)
_COIN = 40
_INK = "#3b2314"
_SAND = "#f4e3bd"
_CLOTH = "#e7c98a"
_FONT = "Georgia, 'Times New Roman', serif"


def svg_of(position: object) -> str:
    """A view as its seat sees it, or a round with both hands open, as one self-contained SVG."""
    canvas = _Canvas()
    if isinstance(position, View):
        _side_row(canvas, position.rival, 24, "opponent")
        _middle(canvas, position)
        _side_row(canvas, position.me, 424, "this seat")
    elif isinstance(position, Round):
        _side_row(canvas, position.second, 24, "seat 1")
        _middle(canvas, position.view(0))
        _side_row(canvas, position.first, 424, "seat 0")
    else:
        raise TypeError("a view or a round can be drawn")
    return canvas.svg()


class _Canvas:
    """Collects pictures and words; each drawing is embedded only once."""

    def __init__(self) -> None:
        self.used: dict[str, None] = {}
        self.parts: list[str] = []

    def picture(self, name: str, x: float, y: float, width: float, height: float) -> None:
        self.used[name] = None
        self.parts.append(f'<use href="#{name}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"/>')

    def words(self, text: str, x: float, y: float, points: int = 18, anchor: str = "start") -> None:
        self.parts.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{points}" text-anchor="{anchor}" fill="{_INK}">{text}</text>'
        )

    def cards(self, names: list[str], x: float, y: float, gap: float = 90) -> None:
        for number, name in enumerate(names):
            self.picture(name, x + number * gap, y, *_CARD)

    def svg(self) -> str:
        symbols = "".join(map(_symbol, self.used))
        ground = f'<rect width="{_WIDTH}" height="{_HEIGHT}" rx="14" fill="{_SAND}"/>'
        stall = f'<rect x="16" y="156" width="{_WIDTH - 32}" height="248" rx="12" fill="{_CLOTH}"/>'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" '
            f'font-family="{_FONT}"><defs>{symbols}</defs>{ground}{stall}{"".join(self.parts)}</svg>'
        )


@cache
def _symbol(name: str) -> str:
    """A drawing to be used any number of times, in its own size."""
    width, height = (200, 280) if name in (*CARD_ART, BACK) else (100, 100)
    data = base64.b64encode(files(__name__).joinpath(f"{name}.svg").read_bytes()).decode()
    image = f'<image href="data:image/svg+xml;base64,{data}" width="{width}" height="{height}"/>'
    return f'<symbol id="{name}" viewBox="0 0 {width} {height}">{image}</symbol>'


def _pictures(cards: str) -> list[str]:
    """The drawings for card letters; a question mark is a card face down."""
    return [BACK if letter == "?" else CARD_ART[LETTERS.index(letter)] for letter in cards]


def _side_row(canvas: _Canvas, side: Side | Rival, y: float, name: str) -> None:
    """Draws one player's hand, herd and tokens, as far as they may be seen."""
    if isinstance(side, Side):
        hand, bonus = letters(side.hand), [str(value) for value in bonus_values(side.bonus)]
    else:
        hand = letters(side.known) + "?" * (side.hand_size - size(side.known))
        bonus = ["?"] * size(side.bonus_taken)
    canvas.cards(_pictures(hand), 24, y)
    canvas.picture(CARD_ART[-1], 680, y, *_CARD)
    canvas.words(f"× {side.herd}", 770, y + 62, 26)
    canvas.words(name, 840, y + 30, 18)
    canvas.words(f"{side.goods_rupees} rupees", 840, y + 58, 20)
    canvas.words(f"bonus {' '.join(bonus)}" if bonus else "", 840, y + 84, 16)


def _middle(canvas: _Canvas, view: View) -> None:
    market = "".join(LETTERS[kind] * count(view.market, kind) for kind in range(KINDS))
    canvas.cards(_pictures(market), 24, 176, 92)
    if view.deck_size:
        canvas.picture(BACK, 24, 294, 70, 98)
    canvas.words(f"deck {view.deck_size}", 104, 350, 20)
    sold = sum(discarded(view.discard, good) for good in range(GOODS))
    canvas.words(f"sold {sold}", 104, 378, 16)
    for good in range(GOODS):
        y = 170 + good * 38
        canvas.picture(f"token-{CARD_ART[good]}", 520, y, 34, 34)
        left = tokens_left(view.discard, good)
        canvas.words(" ".join(map(str, left)) or "–", 564, y + 24, 20)
    for pile in range(BONUS_PILES):
        x = 230 + pile * 92
        canvas.picture(f"bonus-{pile + SMALLEST_BONUS_SALE}", x, 322, _COIN, _COIN)
        canvas.words(f"× {count(view.bonus_left, pile)}", x + 46, 349, 18)
    over = "the round is over" if view.over else f"seat {view.turn} to move"
    canvas.words(over, 924, 290, 20, "end")


paint_with(svg_of)
