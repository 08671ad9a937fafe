"""A slow referee, written from docs/rules.md alone: it tries all 25,499 actions of the game and keeps the legal ones.

Cards are letters (D G S C P L, and M for a camel), a group of cards is a string of them in that order, and an action is
what it takes and what it gives: ("D", "") takes a diamond, ("M", "") the camels, ("DG", "LM") exchanges, ("", "LLL")
sells. Nothing here knows how the engine stores a card.
"""

from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations_with_replacement

Action = tuple[str, str]

GOODS = "DGSCPL"
KINDS = GOODS + "M"
CARDS = {"D": 6, "G": 6, "S": 6, "C": 8, "P": 8, "L": 10, "M": 11}  # R1
TOKENS = {  # R2, the next one to take first
    "D": [7, 7, 5, 5, 5],
    "G": [6, 6, 5, 5, 5],
    "S": [5, 5, 5, 5, 5],
    "C": [5, 3, 3, 2, 2, 1, 1],
    "P": [5, 3, 3, 2, 2, 1, 1],
    "L": [4, 3, 2, 1, 1, 1, 1, 1, 1],
}
BONUS = {3: [1, 1, 2, 2, 2, 3, 3], 4: [4, 4, 5, 5, 6, 6], 5: [8, 8, 9, 10, 10]}  # R3


def groups(kinds: str, size: int) -> list[str]:
    """Every group of this many cards of these kinds."""
    return ["".join(cards) for cards in combinations_with_replacement(kinds, size)]


TAKES: list[Action] = [(good, "") for good in GOODS]
CAMELS: list[Action] = [("M", "")]
SALES: list[Action] = [
    ("", good * cards) for good in GOODS for cards in range(2 if good in "DGS" else 1, min(CARDS[good], 7) + 1)
]
EXCHANGES: list[Action] = [
    (take, give)
    for cards in range(2, 6)
    for take in groups(GOODS, cards)
    for give in groups(KINDS, cards)
    if not set(take) & set(give)
]
ALL_ACTIONS = TAKES + CAMELS + SALES + EXCHANGES


@dataclass
class Side:
    """One player: hand, herd, the part of the hand that was taken openly (R18), and tokens."""

    hand: str
    herd: int
    known: str = ""
    rupees: int = 0
    tokens: int = 0
    bonus: list[int] = field(default_factory=list)


@dataclass
class Table:
    """The whole table. The deck and the bonus piles are listed from the top."""

    turn: int
    starter: int
    quiet: int
    ended: str
    market: str
    deck: str
    discard: str
    piles: dict[int, list[int]]
    sides: list[Side]

    def tokens_left(self, good: str) -> list[int]:
        """R16: every card sold took a token, as long as there were any."""
        return TOKENS[good][self.discard.count(good) :]


def text(action: Action) -> str:
    """The action as the notation writes it."""
    take, give = action
    return (f"+{take}" if take else "") + (f"-{give}" if give else "")


def ordered(cards: str) -> str:
    return "".join(sorted(cards, key=KINDS.index))


def has(cards: str, wanted: str) -> bool:
    for card in wanted:  # noqa: SIM110 (twice as fast as all(), and called 25,456 times for a position)
        if cards.count(card) < wanted.count(card):
            return False
    return True


def without(cards: str, gone: str) -> str:
    """The cards left once some are gone; any that were not there are ignored."""
    for card in gone:
        cards = cards.replace(card, "", 1)
    return cards


def is_legal(hand: str, herd: int, market: str, action: Action) -> bool:
    """R8 to R15, for a player with this hand and herd."""
    take, give = action
    if give == "":
        if take == "M":
            return "M" in market  # R9
        return take in market and len(take) == 1 and len(hand) < 7  # R8
    if take == "":
        one_good = len(set(give)) == 1 and give[0] != "M"  # R14
        enough = len(give) >= 2 or give not in ("D", "G", "S")  # R15
        return one_good and enough and has(hand, give)
    return is_legal_exchange(hand, herd, market, take, give)


def is_legal_exchange(hand: str, herd: int, market: str, take: str, give: str) -> bool:
    """R10 to R13."""
    goods = give.replace("M", "")
    camels = give.count("M")
    return (
        has(market, take)
        and 2 <= len(take) == len(give)  # R10, R12
        and "M" not in take  # R11
        and not set(take) & set(give)  # R11
        and has(hand, goods)
        and camels <= herd
        and len(hand) - len(goods) + len(take) <= 7  # R13
    )


@cache
def legal_for(hand: str, herd: int, market: str) -> list[Action]:
    return [action for action in ALL_ACTIONS if is_legal(hand, herd, market, action)]


def legal_actions(table: Table) -> list[Action]:
    """What the seat to move may do."""
    if table.ended:
        return []
    side = table.sides[table.turn]
    return legal_for(side.hand, side.herd, table.market)


def play(table: Table, action: Action) -> Table:
    """The table after a legal action."""
    table = deepcopy(table)
    side = table.sides[table.turn]
    take, give = action
    if take == "":
        sell(table, side, give)
    elif give == "":
        taken = take if take != "M" else "M" * table.market.count("M")
        side.hand = ordered(side.hand + taken.replace("M", ""))
        side.known = ordered(side.known + taken.replace("M", ""))
        side.herd += taken.count("M")
        refill(table, without(table.market, taken))
    else:
        side.hand = ordered(without(side.hand, give) + take)
        side.known = ordered(without(side.known, give) + take)
        side.herd -= give.count("M")
        table.market = ordered(without(table.market, take) + give)
        table.quiet += 1
    table.turn = 1 - table.turn
    return table


def refill(table: Table, market: str) -> None:
    """R22: the deck fills the market up to five; if it cannot, the round is over."""
    missing = 5 - len(market)
    table.market = ordered(market + table.deck[:missing])
    table.deck = table.deck[missing:]
    table.quiet = 0
    if len(table.market) < 5:
        table.ended = "deck"


def sell(table: Table, side: Side, cards: str) -> None:
    """R14 to R17, and the end of the round when three types of tokens are gone (R22)."""
    earned = table.tokens_left(cards[0])[: len(cards)]
    side.rupees += sum(earned)
    side.tokens += len(earned)
    side.hand = without(side.hand, cards)
    side.known = without(side.known, cards)
    pile = table.piles.get(min(len(cards), 5), [])
    if pile:
        side.bonus = sorted([*side.bonus, pile.pop(0)])
    table.discard = ordered(table.discard + cards)
    table.quiet = 0
    if sum(not table.tokens_left(good) for good in GOODS) >= 3:
        table.ended = "tokens"


def totals(table: Table) -> tuple[int, int]:
    """The rupees of both players, with the camel token for the larger herd (R23)."""
    first, second = table.sides
    camel = (5 * (first.herd > second.herd), 5 * (second.herd > first.herd))
    return first.rupees + sum(first.bonus) + camel[0], second.rupees + sum(second.bonus) + camel[1]


def winner(table: Table) -> int | None:
    """Who gets the seal (R24): by rupees, then bonus tokens, then goods tokens, or nobody."""
    ranks = [(rupees, len(side.bonus), side.tokens) for rupees, side in zip(totals(table), table.sides, strict=True)]
    return None if ranks[0] == ranks[1] else ranks.index(max(ranks))


def read(position: str) -> Table:
    """A table from the full text of a position."""
    parts = dict(part.strip().partition(" ")[::2] for part in position.replace("/", "\n").split("\n"))
    cards = {name: ordered(parts[name].strip("- ")) for name in ("market", "discard")}
    return Table(
        int(parts["turn"]),
        int(parts["starter"]),
        int(parts["quiet"]),
        parts.get("over", ""),
        cards["market"],
        parts["deck"].strip("-"),
        cards["discard"],
        {pile: [int(value) for value in parts[f"bonus{pile}"].strip("-").split()] for pile in BONUS},
        [_read_side(parts[seat]) for seat in ("seat0", "seat1")],
    )


def _read_side(line: str) -> Side:
    before, _, bonus = line.partition("bonus")
    words = before.split()
    fields = dict(zip(words[::2], words[1::2], strict=True))
    return Side(
        ordered(fields["hand"].strip("-")),
        int(fields["herd"]),
        ordered(fields.get("known", "")),
        int(fields["rupees"]),
        int(fields["tokens"]),
        sorted(int(value) for value in bonus.split()),
    )
