"""Reads moves in plain words, English or French: `sell 3 leather`, `troquer diamant or contre cuir chameau`."""

import re
import unicodedata

from jaipur.core.bag import count, one
from jaipur.core.box import CAMEL
from jaipur.core.errors import N_, NotationError
from jaipur.core.move import Move
from jaipur.core.view import View

_TAKE = {"take", "prendre", "prends", "prend"}
_SELL = {"sell", "vendre", "vends", "vend", "vente"}
_EXCHANGE = {"exchange", "swap", "trade", "echanger", "echange", "troquer", "troque", "troc"}
_FOR = {"for", "with", "contre", "pour", "against"}
_FILLER = {"a", "an", "and", "the", "all", "my", "of", "le", "la", "les", "un", "une", "des", "de", "et", "mes", "tous"}
_KINDS = {
    "diamond": 0, "diamant": 0,
    "gold": 1, "or": 1,
    "silver": 2, "argent": 2,
    "cloth": 3, "tissu": 3,
    "spice": 4, "epice": 4,
    "leather": 5, "cuir": 5,
    "camel": 6, "chameau": 6, "chameaux": 6,
}  # fmt: skip
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
            "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "sept": 7}  # fmt: skip

_MOST_OF_A_KIND = 7


def read_move(text: str, view: View) -> Move:
    """A move from its notation or from words. `sell leather` means all the leather in the hand."""
    words = _words(text)
    if not words or words[0] not in _TAKE | _SELL | _EXCHANGE:
        return Move.parse(text)
    verb, rest = words[0], words[1:]
    cut = next((i for i, word in enumerate(rest) if word in _FOR), len(rest))
    first, second = _cards(rest[:cut], text), _cards(rest[cut + 1 :], text)
    if not first or (cut < len(rest)) != bool(second):
        raise _not_understood(text)
    if verb in _SELL and not second:
        return Move(0, _whole_hand(first, rest, view))
    if verb in _SELL:
        raise _not_understood(text)
    if set(first) == {CAMEL} and not second:
        return Move(one(CAMEL), 0)
    return Move(_bag(first), _bag(second))


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFD", text.lower())
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return [word for word in re.split(r"[\s,;'’+]+", plain) if word]


def _cards(words: list[str], text: str) -> list[int]:
    cards: list[int] = []
    number = 1
    for word in words:
        kind = _KINDS.get(word, _KINDS.get(word.removesuffix("s")))
        if word.isdecimal() and len(word) == 1:
            number = int(word)
        elif word in _NUMBERS:
            number = _NUMBERS[word]
        elif kind is not None:
            cards += [kind] * number
            number = 1
            if cards.count(kind) > _MOST_OF_A_KIND:
                raise _not_understood(text)
        elif word not in _FILLER | {"l", "d"}:
            raise _not_understood(text)
    return cards


def _whole_hand(cards: list[int], words: list[str], view: View) -> int:
    numbered = any(word.isdecimal() or word in _NUMBERS for word in words)
    if len(cards) == 1 and cards[0] != CAMEL and not numbered:
        return max(count(view.me.hand, cards[0]), 1) * one(cards[0])
    return _bag(cards)


def _bag(cards: list[int]) -> int:
    return sum(one(kind) for kind in cards)


def _not_understood(text: str) -> NotationError:
    return NotationError(
        N_("“{text}” is not understood: say for instance +D, take gold, take camels, sell 3 leather, or ? for a list."),
        text=text[:40],
    )
