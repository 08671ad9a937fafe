"""Shows the table as one seat sees it: as text, on the terminal, or as a picture."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from jaipur.envs.picture import picture
from jaipur.language import _, ngettext
from jaipur.language.words import kind_name
from jaipur.rules.bag import count, letters, size
from jaipur.rules.box import BONUS_PILES, GOODS
from jaipur.rules.discard import tokens_left
from jaipur.rules.errors import N_, JaipurError
from jaipur.rules.view import View

Frame = NDArray[np.uint8] | str | None | list[Any]


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
    bonus = " · ".join(f"{pile + 3} × {count(view.bonus_left, pile)}" for pile in range(BONUS_PILES))
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
