"""What a learner sees of a view: one row of small numbers, each thing that the view holds at its own place.

The places never change (docs/environments.md); `FIELDS` names them, in order, with the highest number each can hold.
For learners that score moves there also is a row for each legal move: the network's features of its afterstate.
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
"""Name, how many places, and the highest number of each. `hidden` are the cards of the hand that the rival never saw;
`bonus` counts the seat's own tokens by their nine values; `seals` are of the match, which a view does not know."""

ROW: Final = sum([places for _, places, _ in FIELDS])
"""Places in a row."""


def place_of(field: str) -> int:
    """Where the places of a field begin in a row."""
    begins = 0
    for name, places, _ in FIELDS:
        if name == field:
            return begins
        begins += places
    raise KeyError(field)


_HAND: Final = i64(place_of("hand"))
_HIDDEN: Final = i64(place_of("hidden"))
_HERD: Final = i64(place_of("herd"))
_RIVAL_KNOWN: Final = i64(place_of("rival_known"))
_RIVAL_HAND_SIZE: Final = i64(place_of("rival_hand_size"))
_RIVAL_HERD: Final = i64(place_of("rival_herd"))
_MARKET: Final = i64(place_of("market"))
_DECK: Final = i64(place_of("deck"))
_DISCARD: Final = i64(place_of("discard"))
_BONUS_LEFT: Final = i64(place_of("bonus_left"))
_GOODS_RUPEES: Final = i64(place_of("goods_rupees"))
_GOODS_TOKENS: Final = i64(place_of("goods_tokens"))
_BONUS: Final = i64(place_of("bonus"))
_RIVAL_GOODS_RUPEES: Final = i64(place_of("rival_goods_rupees"))
_RIVAL_GOODS_TOKENS: Final = i64(place_of("rival_goods_tokens"))
_RIVAL_BONUS_TAKEN: Final = i64(place_of("rival_bonus_taken"))
_QUIET: Final = i64(place_of("quiet"))
_MY_TURN: Final = i64(place_of("my_turn"))
_I_STARTED: Final = i64(place_of("i_started"))
_OVER: Final = i64(place_of("over"))
_SEALS: Final = i64(place_of("seals"))
_RIVAL_SEALS: Final = i64(place_of("rival_seals"))


def new_row(rows: int = 1) -> vec[u8]:
    """Empty rows, one after the other."""
    return vec[u8]([0] * (ROW * rows))


def fill_row(view: View, seals: i64, rival_seals: i64, rows: vec[u8], at: i64) -> None:
    """Writes what a seat sees into a row that begins at a place."""
    me, rival = view.me, view.rival
    for good in range(i64(GOODS)):
        rows[at + _HAND + good] = u8(count(me.hand, good))
        rows[at + _HIDDEN + good] = u8(count(me.hidden, good))
        rows[at + _RIVAL_KNOWN + good] = u8(count(rival.known, good))
        rows[at + _DISCARD + good] = u8(discarded(view.discard, good))
    for kind in range(i64(KINDS)):
        rows[at + _MARKET + kind] = u8(count(view.market, kind))
    for kind in range(i64(BONUS_KINDS)):
        rows[at + _BONUS + kind] = u8(count(me.bonus, kind))
    for pile in range(i64(BONUS_PILES)):
        rows[at + _BONUS_LEFT + pile] = u8(count(view.bonus_left, pile))
        rows[at + _RIVAL_BONUS_TAKEN + pile] = u8(count(rival.bonus_taken, pile))
    rows[at + _HERD] = u8(me.herd)
    rows[at + _GOODS_RUPEES] = u8(me.goods_rupees)
    rows[at + _GOODS_TOKENS] = u8(me.goods_tokens)
    rows[at + _RIVAL_HAND_SIZE] = u8(rival.hand_size)
    rows[at + _RIVAL_HERD] = u8(rival.herd)
    rows[at + _RIVAL_GOODS_RUPEES] = u8(rival.goods_rupees)
    rows[at + _RIVAL_GOODS_TOKENS] = u8(rival.goods_tokens)
    rows[at + _DECK] = u8(view.deck_size)
    rows[at + _QUIET] = u8(view.quiet)
    rows[at + _MY_TURN] = u8(i64(view.turn == view.seat and not view.over))
    rows[at + _I_STARTED] = u8(i64(view.starter == view.seat))
    rows[at + _OVER] = u8(i64(view.over))
    rows[at + _SEALS] = u8(seals)
    rows[at + _RIVAL_SEALS] = u8(rival_seals)


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
