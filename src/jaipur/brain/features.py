"""What a network sees: an afterstate as a list of features, one for each slot, so their number is always the same.

An afterstate is the table right after a player's move, before the deck refills the market, as that player sees it.
Each slot of the list says one thing (how much leather is in my hand, how many cards the deck has) by naming one
feature of its group. Slots before `MOVING` are the same for all moves of a position.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from jaipur.rules.bag import BAG_BITS, BAG_MASK, CAMEL_SHIFT, GOODS_MASK, ONE_CAMEL, count, kind_of, one, size
from jaipur.rules.box import BONUS_PILES, CAMEL_TOKEN, GOODS, KINDS, MARKET_SIZE, PILE_SIZE, bonus_pile
from jaipur.rules.discard import discarded, piles_gone, sale_rupees, with_discarded
from jaipur.rules.view import View
from jaipur.rules.worlds import unseen

_COUNTS: Final = 8
_TOKENS: Final = 10
_HERDS: Final = 12
_GAPS: Final = 23
_LEADS: Final = 81
# Features that combine several counts are coarser: four cards in my hand count the same as five.
_MINE: Final = 5
_OTHERS: Final = 4
_STAGE: Final = vec[i64]([0, 1, 2, 3, 3, 4, 4, 4, 4, 4])
"""How far a pile is sold off, by the number of tokens gone."""
_STAGES: Final = 5
_AT_ONCE: Final = _MINE * _OTHERS * _OTHERS * _STAGES
_STANDINGS: Final = 21
_DECK_STEP: Final = 4
_DECK_STEPS: Final = 11
_ENDINGS: Final = 4

# Where the features of each group begin.
_RIVAL_SIZE: Final = 0
_RIVAL_HERD: Final = _RIVAL_SIZE + _COUNTS
_RIVAL_HIDDEN: Final = _RIVAL_HERD + _HERDS
_MY_HIDDEN: Final = _RIVAL_HIDDEN + _COUNTS
_DECK: Final = _MY_HIDDEN + _COUNTS
_UNSEEN: Final = _DECK + 41
_RIVAL_KNOWN: Final = _UNSEEN + KINDS * _HERDS
_HAND: Final = _RIVAL_KNOWN + GOODS * _COUNTS * _TOKENS
_MARKET: Final = _HAND + GOODS * _COUNTS * _TOKENS
_CARDS_IN_HAND: Final = _MARKET + GOODS * _COUNTS * _TOKENS
_CARDS_IN_MARKET: Final = _CARDS_IN_HAND + GOODS * _COUNTS
_SOLD: Final = _CARDS_IN_MARKET + GOODS * _COUNTS
_HAND_SIZE: Final = _SOLD + GOODS * _TOKENS
_HERD: Final = _HAND_SIZE + _COUNTS
_HERD_LEAD: Final = _HERD + _HERDS
_CAMELS: Final = _HERD_LEAD + _GAPS
_EMPTY: Final = _CAMELS + _COUNTS
_BONUS: Final = _EMPTY + _COUNTS
_GONE: Final = _BONUS + BONUS_PILES * _COUNTS
_LEAD: Final = _GONE + _COUNTS
_TOGETHER: Final = _LEAD + _LEADS
_STANDING: Final = _TOGETHER + GOODS * _AT_ONCE
FEATURES: Final = _STANDING + _STANDINGS * _DECK_STEPS * _ENDINGS

MOVING: Final = 5 + KINDS
_AFTER_GOODS: Final = MOVING + 3 * GOODS
_AFTER_BONUS: Final = _AFTER_GOODS + 7 + BONUS_PILES
_AFTER_TOGETHER: Final = _AFTER_BONUS + GOODS
ALONE: Final = _AFTER_TOGETHER + 1
SLOTS: Final = ALONE + 3 * GOODS
TRADED_SLOTS: Final = vec[i64](
    [slot for good in range(GOODS) for slot in (MOVING + 3 * good, MOVING + 3 * good + 1, _AFTER_BONUS + good)]
)
"""For each good, the three slots that an exchange of it changes."""
CAMEL_SLOTS: Final = vec[i64]([_AFTER_GOODS, _AFTER_GOODS + 1, _AFTER_GOODS + 2, _AFTER_GOODS + 3, _AFTER_TOGETHER])
"""The slots that camels given in an exchange change."""
_BONUS_WORTH: Final = vec[i64]([2, 5, 9])


def fill_still(view: View, slots: vec[i64]) -> None:
    """Fills the slots that no move of this seat changes."""
    rival = view.rival
    slots[0] = _RIVAL_SIZE + rival.hand_size
    slots[1] = _RIVAL_HERD + rival.herd
    slots[2] = _RIVAL_HIDDEN + rival.hand_size - size(rival.known)
    slots[3] = _MY_HIDDEN + size(view.me.hidden)
    slots[4] = _DECK + view.deck_size
    for kind in range(i64(KINDS)):
        slots[5 + kind] = _UNSEEN + kind * _HERDS + unseen(view, kind)


def fill_moving(view: View, code: i64, lead: i64, slots: vec[i64]) -> None:
    """Fills the other slots, after a move of this seat; code 0 is no move. `lead` is the `rupee_lead` before it."""
    take = code & BAG_MASK
    give = code >> BAG_BITS
    hand = view.me.hand
    herd = view.me.herd
    market = view.market
    discard = view.discard
    bonus = view.bonus_left
    if take == ONE_CAMEL:
        herd += market >> CAMEL_SHIFT
        market &= GOODS_MASK
    elif take:
        hand += take - (give & GOODS_MASK)
        herd -= give >> CAMEL_SHIFT
        market += give - take
    elif give:
        good = kind_of(give)
        cards = count(give, good)
        lead += sale_rupees(discard, good, cards)
        discard = with_discarded(discard, good, cards)
        hand -= give
        pile = bonus_pile(cards)
        if pile >= 0 and count(bonus, pile):
            bonus -= one(pile)
            lead += _BONUS_WORTH[pile]
    _fill_goods(slots, hand, market, view.rival.known, discard)
    at: i64 = _AFTER_GOODS
    slots[at] = _HAND_SIZE + size(hand)
    slots[at + 1] = _HERD + herd
    slots[at + 2] = _HERD_LEAD + herd - view.rival.herd + _GAPS // 2
    slots[at + 3] = _CAMELS + (market >> CAMEL_SHIFT)
    slots[at + 4] = _EMPTY + MARKET_SIZE - size(market)
    slots[at + 5] = _LEAD + max(min(lead + _LEADS // 2, _LEADS - 1), 0)
    gone = piles_gone(discard)
    slots[at + 6] = _GONE + gone
    for pile in range(i64(BONUS_PILES)):
        slots[at + 7 + pile] = _BONUS + pile * _COUNTS + count(bonus, pile)
    slots[_AFTER_TOGETHER] = _standing(lead, herd - view.rival.herd, view.deck_size, gone)


def rupee_lead(view: View) -> i64:
    """How many rupees this seat is ahead, counting the rival's bonus tokens at their average."""
    lead = view.me.goods_rupees + view.me.bonus_rupees - view.rival.goods_rupees
    for pile in range(i64(BONUS_PILES)):
        lead -= count(view.rival.bonus_taken, pile) * _BONUS_WORTH[pile]
    return lead


def _fill_goods(slots: vec[i64], hand: i64, market: i64, known: i64, discard: i64) -> None:
    """Fills the slots of all goods: their cards, each count paired with how many of the good's tokens are gone."""
    for good in range(i64(GOODS)):
        sold = min(discarded(discard, good), PILE_SIZE[good])
        _fill_good(slots, good, count(hand, good), count(market, good), count(known, good), sold)


def _fill_good(slots: vec[i64], good: i64, hand: i64, market: i64, known: i64, sold: i64) -> None:
    at = MOVING + 3 * good
    row = good * _COUNTS
    slots[at] = _HAND + (row + hand) * _TOKENS + sold
    slots[at + 1] = _MARKET + (row + market) * _TOKENS + sold
    slots[at + 2] = _RIVAL_KNOWN + (row + known) * _TOKENS + sold
    slots[_AFTER_BONUS + good] = _together(good, hand, market, known, sold)


def fill_traded(view: View, good: i64, more: i64, slots: vec[i64]) -> None:
    """Fills the `TRADED_SLOTS` of a good after an exchange that brings `more` of it into the hand; may be negative."""
    sold = min(discarded(view.discard, good), PILE_SIZE[good])
    hand = count(view.me.hand, good) + more
    _fill_good(slots, good, hand, count(view.market, good) - more, count(view.rival.known, good), sold)


def fill_camels(view: View, camels: i64, lead: i64, slots: vec[i64]) -> None:
    """Fills `CAMEL_SLOTS` after an exchange that gives camels: each makes the hand a card larger."""
    at: i64 = _AFTER_GOODS
    herd = view.me.herd - camels
    slots[at] = _HAND_SIZE + size(view.me.hand) + camels
    slots[at + 1] = _HERD + herd
    slots[at + 2] = _HERD_LEAD + herd - view.rival.herd + _GAPS // 2
    slots[at + 3] = _CAMELS + (view.market >> CAMEL_SHIFT) + camels
    slots[_AFTER_TOGETHER] = _standing(lead, herd - view.rival.herd, view.deck_size, piles_gone(view.discard))


def _together(good: i64, hand: i64, market: i64, known: i64, sold: i64) -> i64:
    """The feature that combines who has how much of a good with how far its pile is sold off."""
    mine = min(hand, _MINE - 1)
    offered = min(market, _OTHERS - 1)
    theirs = min(known, _OTHERS - 1)
    return _TOGETHER + good * _AT_ONCE + ((mine * _OTHERS + offered) * _OTHERS + theirs) * _STAGES + _STAGE[sold]


def _standing(lead: i64, herd_lead: i64, deck_size: i64, gone: i64) -> i64:
    """The feature that combines who would win if the round ended now with how near the end is."""
    if herd_lead > 0:
        lead += CAMEL_TOKEN
    elif herd_lead < 0:
        lead -= CAMEL_TOKEN
    standing = max(min((lead + _STANDINGS) // 2, _STANDINGS - 1), 0)
    return _STANDING + (standing * _DECK_STEPS + deck_size // _DECK_STEP) * _ENDINGS + min(gone, _ENDINGS - 1)


def fill_alone(slots: vec[i64]) -> None:
    """Fills the slots that hold each half of a pair on its own, so that learning shares it among all its pairs."""
    for good in range(i64(GOODS)):
        at = MOVING + 3 * good
        hand = slots[at] - _HAND
        slots[ALONE + 3 * good] = _CARDS_IN_HAND + hand // _TOKENS
        slots[ALONE + 3 * good + 1] = _CARDS_IN_MARKET + (slots[at + 1] - _MARKET) // _TOKENS
        slots[ALONE + 3 * good + 2] = _SOLD + good * _TOKENS + hand % _TOKENS


def fold_alone(rows: vec[i64], words: i64) -> None:
    """Adds the rows of the halves to those of their pairs, so that playing need not look them up."""
    for pair in range(i64(GOODS * _COUNTS * _TOKENS)):
        sold = pair // (_COUNTS * _TOKENS) * _TOKENS + pair % _TOKENS
        _add_row(rows, words, _HAND + pair, _CARDS_IN_HAND + pair // _TOKENS)
        _add_row(rows, words, _HAND + pair, _SOLD + sold)
        _add_row(rows, words, _MARKET + pair, _CARDS_IN_MARKET + pair // _TOKENS)


def _add_row(rows: vec[i64], words: i64, to: i64, row: i64) -> None:
    for word in range(words):
        rows[to * words + word] += rows[row * words + word]
