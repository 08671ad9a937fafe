"""What a learner sees of a view: one row of small numbers, with everything in the view at its own place.

The places never change (docs/environments.md); `FIELDS` names them, in order, with the highest number each can hold.
For learners that score moves there is also a row for each legal move: the network's features of its afterstate.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i16, i64, u8

from jaipur.brain.features import SLOTS, fill_alone, fill_moving, fill_still, rupee_lead
from jaipur.rules.bag import count
from jaipur.rules.bonus import BONUS_KINDS
from jaipur.rules.box import (
    BONUS_PILES,
    BONUS_TOKENS,
    CAMEL,
    CARDS,
    DEALT,
    DECK_SIZE,
    GOODS,
    GOODS_TOKENS,
    HAND_LIMIT,
    KINDS,
    MARKET_SIZE,
    QUIET_LIMIT,
    SEALS_TO_WIN,
)
from jaipur.rules.discard import discarded
from jaipur.rules.legal import legal_codes
from jaipur.rules.view import View

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
"""Name, number of places, and the highest number of each. `hidden` are the cards in the hand that the rival never saw;
`bonus` counts the seat's own tokens by their nine values; `seals` belong to the match, which a view does not know."""

ROW: Final = sum([places for _, places, _ in FIELDS])
"""Places in a row."""


def place_of(field: str) -> int:
    """Where a field begins in a row."""
    begins = 0
    for name, places, _ in FIELDS:
        if name == field:
            return begins
        begins += places
    raise KeyError(field)


def new_row(rows: int = 1) -> vec[u8]:
    """Empty rows, one after the other."""
    return vec[u8]([0] * (ROW * rows))


def fill_row(view: View, seals: i64, rival_seals: i64, rows: vec[u8], at: i64) -> None:
    """Writes what a seat sees into the row that begins at `at`, field by field in the order of `FIELDS`."""
    me, rival = view.me, view.rival
    at = _write_bag(me.hand, GOODS, rows, at)
    at = _write_bag(me.hidden, GOODS, rows, at)
    at = _write(me.herd, rows, at)
    at = _write_bag(rival.known, GOODS, rows, at)
    at = _write(rival.hand_size, rows, at)
    at = _write(rival.herd, rows, at)
    at = _write_bag(view.market, KINDS, rows, at)
    at = _write(view.deck_size, rows, at)
    at = _write_discard(view.discard, rows, at)
    at = _write_bag(view.bonus_left, BONUS_PILES, rows, at)
    at = _write(me.goods_rupees, rows, at)
    at = _write(me.goods_tokens, rows, at)
    at = _write_bag(me.bonus, BONUS_KINDS, rows, at)
    at = _write(rival.goods_rupees, rows, at)
    at = _write(rival.goods_tokens, rows, at)
    at = _write_bag(rival.bonus_taken, BONUS_PILES, rows, at)
    at = _write(view.quiet, rows, at)
    at = _write(i64(view.turn == view.seat and not view.over), rows, at)
    at = _write(i64(view.starter == view.seat), rows, at)
    at = _write(i64(view.over), rows, at)
    at = _write(seals, rows, at)
    _write(rival_seals, rows, at)


def _write(number: i64, rows: vec[u8], at: i64) -> i64:
    """Like the other writers, returns where the next one begins: looking places up by name takes twice as long."""
    rows[at] = u8(number)
    return at + 1


def _write_bag(bag: i64, kinds: i64, rows: vec[u8], at: i64) -> i64:
    for kind in range(kinds):
        rows[at] = u8(count(bag, kind))
        at += 1
    return at


def _write_discard(discard: i64, rows: vec[u8], at: i64) -> i64:
    for good in range(i64(GOODS)):
        rows[at] = u8(discarded(discard, good))
        at += 1
    return at


def row_of(view: View, seals: i64, rival_seals: i64) -> vec[u8]:
    """A new row for a view. Code that is not compiled must call this one: see `Network.legal_values`."""
    row = new_row()
    fill_row(view, seals, rival_seals, row, 0)
    return row


def fill_features(view: View, rows: vec[i16], at: i64) -> i64:
    """Writes a row of SLOTS features for each legal move of the seat to move, in the order of the actions.

    The rows begin at `at`; returns where they end.
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
    """The rows of all legal moves: none if it is not this seat's turn or the round is over."""
    if view.over or view.turn != view.seat:
        return vec[i16]()
    moves = len(legal_codes(view.me.hand, view.me.herd, view.market))
    rows = vec[i16]([0] * (moves * SLOTS))
    fill_features(view, rows, 0)
    return rows


_NO_SLOTS: Final = vec[i64]([0] * SLOTS)
