"""Reads positions. `str(view)` and `str(round)` write them, with `?` for what the viewer cannot see.

    view 0 / turn 0 / starter 0 / quiet 3
    market DDSLM / deck ?????????? / discard LLC
    bonus3 ???? / bonus4 ? / bonus5 ???
    seat0 hand GGSL known S herd 2 rupees 12 tokens 3 bonus 2 5
    seat1 hand CC??? herd 1 rupees 9 tokens 2 bonus 3?

Parts are separated by slashes or line ends. A view names its seat; a full round does not, and has no `?`. The
opponent's hand shows the cards that were taken openly. A bonus token that the viewer cannot see shows its pile. The
whole text is checked against the box before a position is made from it.
"""

from librt.vecs import vec
from mypy_extensions import i64

from jaipur.rules.bag import count, one
from jaipur.rules.bonus import BONUS_KINDS, bonus_value, pack_bonus
from jaipur.rules.box import BONUS_PILES, BONUS_TOKENS, CAMEL, CARDS, DECK_SIZE, GOODS, HAND_LIMIT, LETTERS, MARKET_SIZE
from jaipur.rules.deck import Deck
from jaipur.rules.discard import with_discarded
from jaipur.rules.errors import N_, NotationError
from jaipur.rules.round import Round
from jaipur.rules.score import Ending
from jaipur.rules.side import Rival, Side
from jaipur.rules.view import View

_PARTS = (
    "view", "turn", "starter", "quiet", "over",
    "market", "deck", "discard",
    "bonus3", "bonus4", "bonus5",
    "seat0", "seat1",
)  # fmt: skip
_FIELDS = {"hand", "known", "herd", "rupees", "tokens", "bonus"}
_PILES = ("3?", "4?", "5?")
_MOST = 1_000_000_000
_SHOWN = 40


def parse_round(text: str) -> Round:
    """Reads a full position."""
    parts = _Parts(text)
    if "view" in parts.named or "?" in text:
        raise NotationError(N_("This position has hidden cards: read it as a view."))
    parts.check()
    round_ = Round(
        _side(parts.seats[0]),
        _side(parts.seats[1]),
        parts.market(),
        Deck(vec[i64](_kinds(parts.word("deck"))), 0),
        sum(
            pack_bonus(pile, vec[i64]([_bonus_kind(value) % 3 for value in parts.piles[pile]]), 0)
            for pile in range(BONUS_PILES)
        ),
        parts.number("starter", 1),
    )
    round_.turn = parts.number("turn", 1)
    round_.quiet = parts.number("quiet")
    round_.discard = parts.discard()
    round_.ending = parts.ending()
    return round_


def parse_view(text: str) -> View:
    """Reads a position as one seat sees it."""
    parts = _Parts(text)
    seat = parts.number("view", 1)
    parts.check()
    if parts.word("deck").strip("?") or any(token not in _PILES for pile in parts.piles for token in pile):
        raise NotationError(N_("A view shows the deck and the bonus piles as question marks."))
    return View(
        seat=seat,
        turn=parts.number("turn", 1),
        starter=parts.number("starter", 1),
        over="over" in parts.named,
        market=parts.market(),
        deck_size=len(parts.word("deck")),
        discard=parts.discard(),
        bonus_left=sum(len(tokens) << (3 * pile) for pile, tokens in enumerate(parts.piles)),
        quiet=parts.number("quiet"),
        me=_side(parts.seats[seat]),
        rival=_rival(parts.seats[1 - seat]),
    )


class _Parts:
    """The parts of a position's text by name, the fields of the seats, and the tokens of the bonus piles."""

    def __init__(self, text: str) -> None:
        self.named: dict[str, str] = {}
        for part in text.replace("/", "\n").split("\n"):
            name, _, rest = part.strip().partition(" ")
            if name in self.named or name not in _PARTS:
                raise NotationError(
                    N_("Each part of a position appears once; “{name}” is not a part, or appears twice."),
                    name=name[:_SHOWN],
                )
            self.named[name] = rest.strip()
        self.named = {"discard": "", "starter": "0", "quiet": "0"} | self.named
        self.named.setdefault("turn", self.named["starter"])
        self.seats = [_seat_fields(self.named.get(f"seat{seat}", "")) for seat in (0, 1)]
        self.piles = [self._pile(pile) for pile in range(BONUS_PILES)]

    def part(self, name: str) -> str:
        if name not in self.named:
            raise NotationError(N_("The position lacks the part “{name}”."), name=name)
        return self.named[name]

    def number(self, name: str, most: int = _MOST) -> int:
        return _number(self.part(name), most)

    def word(self, name: str) -> str:
        return "".join(self.part(name).split()).replace("-", "")

    def _pile(self, pile: int) -> list[str]:
        """The tokens of a bonus pile, top first; a hidden one reads like `3?`."""
        word = self.word(f"bonus{pile + 3}")
        if word and not word.strip("?"):
            return [_PILES[pile]] * len(word)
        return self.named[f"bonus{pile + 3}"].replace("-", "").split()

    def market(self) -> int:
        return sum(one(kind) for kind in _kinds(self.word("market")))

    def discard(self) -> int:
        discard = 0
        for kind in _kinds(self.word("discard")):
            discard = with_discarded(discard, kind, 1)
        return discard

    def ending(self) -> Ending | None:
        if "over" not in self.named:
            return None
        try:
            return Ending(self.named["over"])
        except ValueError as error:
            raise NotationError(N_("A round is over by tokens, by deck, or because it was stopped.")) from error

    def check(self) -> None:
        """Raises `NotationError` if this could not lie on a table."""
        self._check_places()
        self._check_cards()
        self._check_bonus()

    def _check_places(self) -> None:
        market = len(self.word("market"))
        if market > MARKET_SIZE or (market < MARKET_SIZE and "over" not in self.named):
            raise NotationError(N_("A market has five cards while the round lasts (R5, R22)."))
        if len(self.word("deck")) > DECK_SIZE:
            raise NotationError(N_("A deck has at most 40 cards (R5)."))
        if LETTERS[CAMEL] in self.word("discard"):
            raise NotationError(N_("A camel is never on the discard pile (R14)."))

    def _check_cards(self) -> None:
        """Are these the cards of the box (R1)? Camels not shown anywhere must be in the deck (R6)."""
        herds = LETTERS[CAMEL] * sum(_number(fields["herd"], CARDS[CAMEL]) for fields in self.seats)
        cards = "".join(self.word(name) for name in ("market", "deck", "discard")) + herds
        cards += "".join(fields["hand"] for fields in self.seats)
        left = [number - cards.count(letter) for letter, number in zip(LETTERS, CARDS, strict=True)]
        if min(left) < 0 or len(cards) != sum(CARDS) or left[CAMEL] > self.word("deck").count("?"):
            raise NotationError(N_("The cards of this position are not the 55 cards of the box (R1)."))

    def _check_bonus(self) -> None:
        """Are these the bonus tokens of the box (R3)?"""
        tokens = [token for pile in self.piles for token in pile]
        tokens += [token for fields in self.seats for token in fields["bonus"].split()]
        for pile, values in enumerate(BONUS_TOKENS):
            known = [token for token in tokens if token not in _PILES and _bonus_kind(token) // 3 == pile]
            too_many = any(known.count(value) > values.count(int(value)) for value in known)
            misplaced = any(token != _PILES[pile] and token not in known for token in self.piles[pile])
            if too_many or misplaced or len(known) + tokens.count(_PILES[pile]) != len(values):
                raise NotationError(N_("The bonus tokens of this position are not the 18 tokens of the box (R3)."))


def _seat_fields(text: str) -> dict[str, str]:
    before, _, bonus = text.partition("bonus")
    words = before.split()
    names = words[::2]
    fields = {"rupees": "0", "tokens": "0"} | dict(zip(names, words[1::2], strict=False)) | {"bonus": bonus}
    if len(words) % 2 or len(set(names)) < len(names) or not {"hand", "herd"} <= fields.keys() <= _FIELDS:
        raise NotationError(N_("A seat reads like this: seat0 hand DDG herd 2 rupees 7 tokens 1 bonus 2."))
    fields["hand"] = fields["hand"].replace("-", "")
    if len(fields["hand"]) > HAND_LIMIT or LETTERS[CAMEL] in fields["hand"]:
        raise NotationError(N_("A hand holds goods only, at most seven (R6, R13)."))
    return fields


def _side(fields: dict[str, str]) -> Side:
    side = Side(_bag(fields["hand"]), _number(fields["herd"]))
    known = _bag(fields.get("known", ""))
    if any(count(known, good) > count(side.hand, good) for good in range(GOODS)):
        raise NotationError(N_("The known cards are part of the hand."))
    side.hidden = side.hand - known
    side.goods_rupees = _number(fields["rupees"])
    side.goods_tokens = _number(fields["tokens"])
    side.bonus = sum(one(_bonus_kind(value)) for value in fields["bonus"].split())
    return side


def _rival(fields: dict[str, str]) -> Rival:
    taken = 0
    for token in fields["bonus"].split():
        if token not in _PILES:
            raise NotationError(N_("A hidden bonus token is written 3?, 4? or 5?."))
        taken += one(_PILES.index(token))
    if "known" in fields:
        raise NotationError(N_("The hand of the other seat shows what is known of it, and a ? for each other card."))
    return Rival(
        hand_size=len(fields["hand"]),
        known=_bag(fields["hand"].replace("?", "")),
        herd=_number(fields["herd"]),
        goods_rupees=_number(fields["rupees"]),
        goods_tokens=_number(fields["tokens"]),
        bonus_taken=taken,
    )


def _number(text: str, most: int = _MOST) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > len(str(most)) or int(text) > most:
        raise NotationError(N_("“{text}” is not a number from 0 to {most}."), text=text[:_SHOWN], most=most)
    return int(text)


def _kinds(cards: str) -> list[int]:
    if cards.strip(LETTERS):
        raise NotationError(
            N_("“{text}” is not a list of cards: write one letter per card, D G S C P L M."), text=cards[:_SHOWN]
        )
    return [LETTERS.index(letter) for letter in cards]


def _bag(cards: str) -> int:
    if len(cards) > HAND_LIMIT:
        raise NotationError(N_("A hand holds goods only, at most seven (R6, R13)."))
    return sum(one(kind) for kind in _kinds(cards))


def _bonus_kind(value: str) -> int:
    for kind in range(BONUS_KINDS):
        if str(bonus_value(kind)) == value:
            return kind
    raise NotationError(N_("“{text}” is not the value of a bonus token (R3)."), text=value[:_SHOWN])
