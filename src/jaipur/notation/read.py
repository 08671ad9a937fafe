"""Reads positions."""

from librt.vecs import vec
from mypy_extensions import i64

from jaipur.core.bag import add_tally, count, one, size
from jaipur.core.box import BONUS_PILES, BONUS_TOKENS, CAMEL, CARDS, GOODS, HAND_LIMIT, LETTERS, MARKET_SIZE
from jaipur.core.deck import DECK_SIZE, Deck, pack_bonus
from jaipur.core.errors import N_, NotationError
from jaipur.core.round import PLAYING, Round
from jaipur.core.trader import BONUS_KINDS, Trader, bonus_value, pile_counts
from jaipur.core.view import Rival, View
from jaipur.notation.write import ENDINGS

_PARTS = (
    "view", "turn", "starter", "quiet", "over",
    "market", "deck", "discard",
    "bonus3", "bonus4", "bonus5",
    "seat0", "seat1",
)  # fmt: skip
_FIELDS = {"hand", "known", "herd", "rupees", "tokens", "bonus"}
_MOST = 10_000


def parse_round(text: str) -> Round:
    """Reads a full position."""
    parts = _Parts(text)
    if "view" in parts.named or "?" in text:
        raise NotationError(N_("This position has hidden cards: read it as a view."))
    starter = parts.number("starter", "0", 1)
    table = Round(
        _read_trader(parts, 0),
        _read_trader(parts, 1),
        parts.market(),
        Deck(vec[i64](_kinds(parts.deck())), 0),
        sum(pack_bonus(pile, vec[i64](parts.bonus_pile(pile)), 0) for pile in range(BONUS_PILES)),
        starter,
    )
    table.turn = parts.number("turn", str(starter), 1)
    table.quiet = parts.number("quiet", "0")
    table.discard = parts.discard()
    table.ended_by = parts.ending()
    parts.check_box(hidden=0)
    owned = table.first.bonus + table.second.bonus
    for kind in range(BONUS_KINDS):
        in_pile = parts.bonus_pile(kind // 3).count(kind % 3)
        if in_pile + count(owned, kind) != BONUS_TOKENS[kind // 3].count(bonus_value(kind)):
            raise _wrong_bonus()
    return table


def parse_view(text: str) -> View:
    """Reads a position as one seat sees it."""
    parts = _Parts(text)
    seat = parts.number("view", None, 1)
    starter = parts.number("starter", "0", 1)
    piles = [parts.word(f"bonus{pile + 3}") for pile in range(BONUS_PILES)]
    deck = parts.deck()
    if deck.strip("?") or "".join(piles).strip("?"):
        raise NotationError(N_("A view shows the deck and the bonus piles as question marks."))
    view = View(
        seat,
        parts.number("turn", str(starter), 1),
        starter,
        "over" in parts.named,
        parts.market(),
        len(deck),
        parts.discard(),
        sum(len(tokens) << (3 * pile) for pile, tokens in enumerate(piles)),
        parts.number("quiet", "0"),
        _read_trader(parts, seat),
        _read_rival(parts, 1 - seat),
    )
    parts.check_box(hidden=len(deck) + view.rival.hand_size - size(view.rival.known))
    seen = pile_counts(view.me.bonus) + view.rival.bonus_taken + view.bonus_left
    if any(count(seen, pile) != len(BONUS_TOKENS[pile]) for pile in range(BONUS_PILES)):
        raise _wrong_bonus()
    return view


class _Parts:
    """The parts of a position text by name, and the cards that were read so far."""

    def __init__(self, text: str) -> None:
        self.named: dict[str, str] = {}
        self.cards = ""
        for part in text.replace("/", "\n").split("\n"):
            name, _, rest = part.strip().partition(" ")
            if name in self.named or name not in _PARTS:
                raise NotationError(N_("A position has each of its parts once; “{name}” is not one."), name=name[:40])
            self.named[name] = rest.strip()

    def word(self, name: str) -> str:
        if name not in self.named:
            raise NotationError(N_("The position does not tell “{name}”."), name=name)
        word = "".join(self.named[name].split()).replace("-", "")
        self.cards += word if name in ("deck", "discard", "market") else ""
        return word

    def number(self, name: str, default: str | None, most: int = _MOST) -> int:
        text = self.named.get(name, default)
        if text is None:
            raise NotationError(N_("The position does not tell “{name}”."), name=name)
        return _number(text, most)

    def deck(self) -> str:
        deck = self.word("deck")
        if len(deck) > DECK_SIZE:
            raise NotationError(N_("A deck has at most 40 cards (R5)."))
        return deck

    def market(self) -> int:
        market = _kinds(self.word("market"))
        if len(market) > MARKET_SIZE:
            raise NotationError(N_("A market has at most five cards (R5)."))
        return sum(one(kind) for kind in market)

    def discard(self) -> int:
        discard = 0
        for kind in _kinds(self.word("discard") if "discard" in self.named else ""):
            if kind == CAMEL:
                raise NotationError(N_("A camel is never on the discard pile (R14)."))
            discard = add_tally(discard, kind, 1)
        return discard

    def bonus_pile(self, pile: int) -> list[int]:
        """The tokens from the top, as steps above the lowest value."""
        self.word(f"bonus{pile + 3}")
        kinds = [_bonus_kind(value) for value in self.named[f"bonus{pile + 3}"].replace("-", "").split()]
        if any(kind // 3 != pile for kind in kinds):
            raise _wrong_bonus()
        return [kind % 3 for kind in kinds]

    def ending(self) -> int:
        if "over" not in self.named:
            return PLAYING
        for ended_by, name in ENDINGS.items():
            if self.named["over"] == name:
                return ended_by
        raise NotationError(N_("A round is over by tokens, by deck or stopped."))

    def check_box(self, hidden: int) -> None:
        """Are these the cards of the box (R1)?"""
        too_many = any(self.cards.count(letter) > number for letter, number in zip(LETTERS, CARDS, strict=True))
        if too_many or len(self.cards.replace("?", "")) + hidden != sum(CARDS):
            raise NotationError(N_("The cards of this position are not the 55 cards of the box (R1)."))


def _seat_fields(parts: _Parts, seat: int) -> dict[str, str]:
    words = parts.named.get(f"seat{seat}", "").split()
    fields = {"known": "", "rupees": "0", "tokens": "0", "bonus": ""}
    if "bonus" in words:
        at = words.index("bonus")
        fields["bonus"] = " ".join(words[at + 1 :])
        words = words[:at]
    fields.update(zip(words[::2], words[1::2], strict=False))
    if len(words) % 2 or not {"hand", "herd"} <= fields.keys() <= _FIELDS:
        raise NotationError(N_("A seat reads like this: seat0 hand DDG herd 2 rupees 7 tokens 1 bonus 2."))
    fields["hand"] = fields["hand"].replace("-", "")
    parts.cards += fields["hand"] + LETTERS[CAMEL] * _number(fields["herd"], CARDS[CAMEL])
    return fields


def _read_trader(parts: _Parts, seat: int) -> Trader:
    fields = _seat_fields(parts, seat)
    trader = Trader(_hand(fields["hand"]), _number(fields["herd"]))
    known = _hand(fields["known"])
    if any(count(known, good) > count(trader.hand, good) for good in range(GOODS)):
        raise NotationError(N_("The known cards are part of the hand."))
    trader.hidden = trader.hand - known
    trader.goods_rupees = _number(fields["rupees"])
    trader.goods_tokens = _number(fields["tokens"])
    trader.bonus = sum(one(_bonus_kind(value)) for value in fields["bonus"].split())
    return trader


def _read_rival(parts: _Parts, seat: int) -> Rival:
    fields = _seat_fields(parts, seat)
    taken = 0
    for token in fields["bonus"].split():
        if token not in ("3?", "4?", "5?"):
            raise NotationError(N_("A hidden bonus token is written 3?, 4? or 5?."))
        taken += one(int(token[0]) - 3)
    known = _hand(fields["hand"].replace("?", ""))
    if len(fields["hand"]) > HAND_LIMIT:
        raise NotationError(N_("A hand is goods, at most seven (R6, R13)."))
    herd, rupees, tokens = [_number(fields[name]) for name in ("herd", "rupees", "tokens")]
    return Rival(len(fields["hand"]), known, herd, rupees, tokens, taken)


def _number(text: str, most: int = _MOST) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > len(str(most)) or int(text) > most:
        raise NotationError(N_("“{text}” is not a number from 0 to {most}."), text=text[:40], most=most)
    return int(text)


def _kinds(cards: str) -> list[int]:
    if cards.strip(LETTERS):
        raise NotationError(N_("“{text}” is not cards: one letter a card, D G S C P L M."), text=cards[:40])
    return [LETTERS.index(letter) for letter in cards]


def _hand(cards: str) -> int:
    kinds = _kinds(cards)
    if len(kinds) > HAND_LIMIT or CAMEL in kinds:
        raise NotationError(N_("A hand is goods, at most seven (R6, R13)."))
    return sum(one(kind) for kind in kinds)


def _bonus_kind(value: str) -> int:
    for kind in range(BONUS_KINDS):
        if str(bonus_value(kind)) == value:
            return kind
    raise NotationError(N_("“{text}” is not the value of a bonus token (R3)."), text=value[:40])


def _wrong_bonus() -> NotationError:
    return NotationError(N_("The bonus tokens of this position are not the 18 tokens of the box (R3)."))
