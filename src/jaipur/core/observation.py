"""What a learner sees of a view: one row of small numbers, each thing that the view holds at its own place.

The places are the same for ever (docs/environments.md); `FIELDS` names them with the highest number each can hold.
For learners that score moves there also is a row for each legal move: the network's features of its afterstate.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i16, i64, u8

from jaipur.core.bag import count, tally
from jaipur.core.box import (
    BONUS_PILES,
    BONUS_TOKENS,
    CAMEL,
    CARDS,
    DEALT,
    GOODS,
    GOODS_TOKENS,
    HAND_LIMIT,
    KINDS,
    MARKET_SIZE,
    QUIET_LIMIT,
    SEALS_TO_WIN,
)
from jaipur.core.deck import DECK_SIZE
from jaipur.core.features import SLOTS, fill_alone, fill_moving, fill_still, rupee_lead
from jaipur.core.legal import legal_codes
from jaipur.core.trader import BONUS_KINDS
from jaipur.core.view import View

_TOKENS: Final = sum([len(tokens) for tokens in GOODS_TOKENS])
_RUPEES: Final = sum([sum(tokens) for tokens in GOODS_TOKENS])

FIELDS: Final = (
    ("hand", GOODS, HAND_LIMIT),
    ("hidden", GOODS, DEALT),
    ("herd", 1, CARDS[CAMEL]),
    ("rival_known", GOODS, HAND_LIMIT),
    ("rival_hand_size", 1, HAND_LIMIT),
    ("rival_herd", 1, CARDS[CAMEL]),
    ("market", KINDS, MARKET_SIZE),
    ("deck", 1, DECK_SIZE),
    ("discard", GOODS, max(CARDS[:GOODS])),
    ("bonus_left", BONUS_PILES, len(BONUS_TOKENS[0])),
    ("goods_rupees", 1, _RUPEES),
    ("goods_tokens", 1, _TOKENS),
    ("bonus", BONUS_KINDS, 3),
    ("rival_goods_rupees", 1, _RUPEES),
    ("rival_goods_tokens", 1, _TOKENS),
    ("rival_bonus_taken", BONUS_PILES, len(BONUS_TOKENS[0])),
    ("quiet", 1, QUIET_LIMIT),
    ("my_turn", 1, 1),
    ("i_started", 1, 1),
    ("over", 1, 1),
    ("seals", 1, SEALS_TO_WIN),
    ("rival_seals", 1, SEALS_TO_WIN),
)
"""Name, how many places, and the highest number of each. `hidden` are the cards of the hand that the rival never saw;
`bonus` counts the own tokens by their nine values; `seals` are those of the match, which a view does not know."""

ROW: Final = 60
"""Places in a row."""


def new_row(rows: int = 1) -> vec[u8]:
    """Empty rows, one after the other."""
    return vec[u8]([0] * (ROW * rows))


def fill_row(view: View, seals: i64, rival_seals: i64, rows: vec[u8], at: i64) -> None:
    """Writes what a seat sees into a row that begins at a place."""
    me, rival = view.me, view.rival
    for good in range(i64(GOODS)):
        rows[at + good] = u8(count(me.hand, good))
        rows[at + 6 + good] = u8(count(me.hidden, good))
        rows[at + 13 + good] = u8(count(rival.known, good))
        rows[at + 29 + good] = u8(tally(view.discard, good))
    rows[at + 12] = u8(me.herd)
    rows[at + 19] = u8(rival.hand_size)
    rows[at + 20] = u8(rival.herd)
    for kind in range(i64(KINDS)):
        rows[at + 21 + kind] = u8(count(view.market, kind))
    rows[at + 28] = u8(view.deck_size)
    rows[at + 38] = u8(me.goods_rupees)
    rows[at + 39] = u8(me.goods_tokens)
    for kind in range(i64(BONUS_KINDS)):
        rows[at + 40 + kind] = u8(count(me.bonus, kind))
    rows[at + 49] = u8(rival.goods_rupees)
    rows[at + 50] = u8(rival.goods_tokens)
    for pile in range(i64(BONUS_PILES)):
        rows[at + 35 + pile] = u8(count(view.bonus_left, pile))
        rows[at + 51 + pile] = u8(count(rival.bonus_taken, pile))
    rows[at + 54] = u8(view.quiet)
    rows[at + 55] = u8(i64(view.turn == view.seat and not view.over))
    rows[at + 56] = u8(i64(view.starter == view.seat))
    rows[at + 57] = u8(i64(view.over))
    rows[at + 58] = u8(seals)
    rows[at + 59] = u8(rival_seals)


def row_of(view: View, seals: i64, rival_seals: i64) -> vec[u8]:
    """A row of its own. Python code that is not compiled calls this one: see `Network.legal_values`."""
    row = new_row()
    fill_row(view, seals, rival_seals, row, 0)
    return row


def fill_features(view: View, rows: vec[i16], at: i64) -> i64:
    """Writes a row of SLOTS features for each legal move of the seat whose turn it is, in the order of the actions.

    They begin at a place; the answer is where they end.
    """
    slots = vec[i64](_NO_SLOTS)
    fill_still(view, slots)
    lead = rupee_lead(view)
    for code in legal_codes(view.me.hand, view.me.herd, view.market):
        fill_moving(view, code, lead, slots)
        fill_alone(slots)
        for i in range(i64(SLOTS)):
            rows[at + i] = i16(slots[i])
        at += SLOTS
    return at


def legal_features(view: View) -> vec[i16]:
    """The rows of all legal moves: none when it is not this seat's turn or the round is over."""
    if view.over or view.turn != view.seat:
        return vec[i16]()
    moves = len(legal_codes(view.me.hand, view.me.herd, view.market))
    rows = vec[i16]([0] * (moves * SLOTS))
    fill_features(view, rows, 0)
    return rows


_NO_SLOTS: Final = vec[i64]([0] * SLOTS)
