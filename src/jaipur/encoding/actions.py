"""Every move of the game has a number from 0 to 25,498 that never changes: the actions of the learning environments.

| action       | move                                            |
|--------------|-------------------------------------------------|
| 0 to 5       | take one good, diamond to leather               |
| 6            | take the camels                                 |
| 7 to 42      | sales: by good, then by cards, fewest first     |
| 43 to 25,498 | exchanges: by cards taken, then by what is taken, then by goods given, then by what is given |

Bags of one size are ordered by number of diamonds, then of gold, and so on, fewest first. This is the order of
`legal_codes`, so the legal actions of a position are always listed from low to high.
"""

from itertools import accumulate
from typing import Final

from librt.vecs import vec
from mypy_extensions import i16, i32, i64

from jaipur.rules.bag import (
    BAG_BITS,
    BAG_MASK,
    CAMEL_SHIFT,
    GOODS_MASK,
    ONE_CAMEL,
    SUB_BAGS,
    all_hands,
    count,
    first_sub_bag,
    kind_of,
    kinds_mask,
    one,
    size,
)
from jaipur.rules.box import CAMEL, CARDS, GOODS, HAND_LIMIT, MARKET_SIZE, SMALLEST_EXCHANGE, smallest_sale
from jaipur.rules.errors import N_, JaipurError
from jaipur.rules.legal import gives, has_room, most_camels
from jaipur.rules.move import Move, from_code
from jaipur.rules.view import View

ACTIONS: Final = 25_499
SALES: Final = 7
"""The first sale."""
EXCHANGES: Final = 43
"""The first exchange."""
MOST_LEGAL: Final = 167
"""The most actions that any position allows, found by trying all hands and markets."""

_BAGS: Final = [bag for cards in range(MARKET_SIZE + 1) for bag in all_hands() if size(bag) == cards]
"""The 462 bags of up to five goods: everything that can be taken, and all goods that can be given."""
_SPAN: Final = HAND_LIMIT + 1


def _gives(take: int) -> list[int]:
    """Everything that can be given for these goods: none of their kinds (R11), camels for the rest."""
    banned = kinds_mask(take)
    cards = size(take)
    return [bag + ((cards - size(bag)) << CAMEL_SHIFT) for bag in _BAGS if size(bag) <= cards and not bag & banned]


def _codes() -> vec[i64]:
    codes = [one(kind) for kind in range(CAMEL + 1)]
    for good in range(GOODS):
        most = min(CARDS[good], HAND_LIMIT)
        codes += [(cards * one(good)) << BAG_BITS for cards in range(smallest_sale(good), most + 1)]
    for take in _BAGS:
        if size(take) >= SMALLEST_EXCHANGE:
            codes += [take | (give << BAG_BITS) for give in _gives(take)]
    return vec[i64](codes)


_CODES: Final = _codes()


def _tables() -> tuple[vec[i16], vec[i16], vec[i16], vec[i16], vec[i16]]:
    """Lookup tables: the number of a bag, the first action and the row of a take, the ranks, and the sales.

    The rank of a give among those possible for its take does not depend on how many cards are taken, since smaller
    gives come first: takes of the same kinds share a row.
    """
    number = [0] * (GOODS_MASK + 1)
    first = [0] * len(_BAGS)
    row = [0] * len(_BAGS)
    rows: dict[int, int] = {}
    ranks: list[int] = []
    action = EXCHANGES
    for i, take in enumerate(_BAGS):
        number[take] = i
        banned = kinds_mask(take)
        if banned not in rows:
            rows[banned] = len(ranks)
            ranks += list(accumulate([int(bag & banned == 0) for bag in _BAGS], initial=0))
        row[i] = rows[banned]
        if size(take) >= SMALLEST_EXCHANGE:
            first[i] = action
            action += len(_gives(take))
    for good in range(GOODS):
        first[number[one(good)]] = good
    sales = [0] * (GOODS * _SPAN)
    for action in range(SALES, EXCHANGES):
        give = _CODES[action] >> BAG_BITS
        sales[kind_of(give) * _SPAN + size(give)] = action
    return vec[i16](number), vec[i16](first), vec[i16](row), vec[i16](ranks), vec[i16](sales)


_TABLES: Final = _tables()
_NUMBER: Final = _TABLES[0]
_FIRST: Final = _TABLES[1]
_ROW: Final = _TABLES[2]
_RANK: Final = _TABLES[3]
_SALE: Final = _TABLES[4]
_SUB_NUMBER: Final = vec[i16]([_NUMBER[i64(bag)] for bag in SUB_BAGS])
"""The number of each bag in SUB_BAGS that has one: the exchanges of a position are slices of this table, too."""


def action_of_code(code: i64) -> i64:
    """The action for the code of a legal move."""
    take = code & BAG_MASK
    give = code >> BAG_BITS
    if take == 0:
        return i64(_SALE[kind_of(give) * _SPAN + size(give)])
    if take == ONE_CAMEL:
        return CAMEL
    number = i64(_NUMBER[take])
    return i64(_FIRST[number]) + i64(_RANK[i64(_ROW[number]) + i64(_NUMBER[give & GOODS_MASK])])


def code_of(action: i64) -> i64:
    """The code of the move that an action stands for."""
    if action < 0 or action >= ACTIONS:
        raise JaipurError(
            N_("There is no action {action}: they are numbered 0 to {last}."), action=action, last=ACTIONS - 1
        )
    return _CODES[action]


def move_of(action: i64) -> Move:
    """The move that an action stands for."""
    return from_code(code_of(action))


def action_of(move: Move) -> i64:
    """The action for a move. Some texts parse as moves that no position allows: these have no action."""
    goods = move.take <= GOODS_MASK and (move.take > 0 or move.give <= GOODS_MASK)
    action = action_of_code(move.code) if goods or move.code == ONE_CAMEL else i64(0)
    if action >= ACTIONS or _CODES[action] != move.code:
        raise JaipurError(N_("“{move}” is not an action: no position allows it."), move=str(move))
    return action


def fill_actions(view: View, actions: vec[i32], at: i64) -> i64:
    """Writes the legal actions of the seat to move, starting at a place, and returns where they end.

    It repeats the steps of `legal_codes`, to save making and translating codes; tests check that both agree.
    """
    # As a global, a table would be loaded again after every action written.
    sales = _SALE
    hand = view.me.hand
    market = view.market
    if has_room(hand):
        for good in range(i64(GOODS)):
            # A good that is not there is overwritten by the next one: no processor could predict such a branch.
            actions[at] = i32(good)
            at += i64(count(market, good) > 0)
    if market >= ONE_CAMEL:
        actions[at] = CAMEL
        at += 1
    for good in range(i64(GOODS)):
        fewest, held = smallest_sale(good), count(hand, good)
        actions[at] = i32(sales[good * _SPAN + fewest])
        at += i64(held >= fewest)
        for cards in range(fewest + 1, held + 1):
            actions[at] = i32(sales[good * _SPAN + cards])
            at += 1
    return _fill_exchanges(hand, most_camels(hand, view.me.herd), market & GOODS_MASK, actions, at)


def _fill_exchanges(hand: i64, camels: i64, goods: i64, actions: vec[i32], at: i64) -> i64:
    numbers = _SUB_NUMBER
    ranks = _RANK
    firsts = _FIRST
    rows = _ROW
    most = min(size(goods), size(hand) + camels)
    take = first_sub_bag(goods, SMALLEST_EXCHANGE)
    for cards in range(i64(SMALLEST_EXCHANGE), most + 1):
        last = first_sub_bag(goods, cards + 1)
        while take < last:
            number = i64(numbers[take])
            first = i64(firsts[number])
            row = i64(rows[number])
            begin, end = gives(hand, i64(SUB_BAGS[take]), cards, camels)
            for give in range(begin, end):
                actions[at] = i32(first + i64(ranks[row + i64(numbers[give])]))
                at += 1
            take += 1
    return at


def legal_actions(view: View) -> vec[i32]:
    """What the seat of a view may play, from low to high: nothing if it is not its turn or the round is over."""
    if view.over or view.turn != view.seat:
        return vec[i32]()
    actions = vec[i32](_NO_ACTIONS)
    return actions[: fill_actions(view, actions, 0)]


_NO_ACTIONS: Final = vec[i32]([0] * MOST_LEGAL)
