"""Reads what people type: commands, and moves in notation or in plain words like `sell 3 leather`."""

import re
import unicodedata
from dataclasses import fields
from functools import reduce
from operator import or_

from jaipur.language.vocabulary import VOCABULARIES, Command, Vocabulary
from jaipur.rules.bag import count, one
from jaipur.rules.box import CAMEL, HAND_LIMIT, LETTERS
from jaipur.rules.errors import N_, NotationError
from jaipur.rules.move import Move
from jaipur.rules.view import View

_SHOWN = 40
_DIGITS = 9
_LETTERS = LETTERS.lower()
_ELISION = re.compile(r"\b[dl](?:['’]|\s+(?=or|argent|epice))")
"""The l of `l'or` is not leather, and the d of `d'or` is not a diamond."""


def _all_words() -> Vocabulary:
    """The words of all languages combined."""
    names = [field.name for field in fields(Vocabulary)]
    return Vocabulary(**{name: reduce(or_, [getattr(of, name) for of in VOCABULARIES.values()]) for name in names})


_KNOWN = _all_words()


def read_command(word: str) -> Command | None:
    """The command that a word stands for, if any."""
    return _KNOWN.commands.get(_plain(word))


def means_yes(answer: str, default: bool) -> bool:
    """What an answer to a question means; one that is neither yes nor no means the default."""
    letter = _plain(answer).strip()[:1]
    return letter in _KNOWN.yes or (default and letter not in _KNOWN.no)


def read_move(text: str, view: View) -> Move:
    """A move from its notation or from words. `sell leather` and `sell l` mean all the leather in the hand."""
    words = [word for word in re.split(r"[\s,;'’+]+", _ELISION.sub(" ", _plain(text))) if word]
    if not words or words[0] not in _KNOWN.take | _KNOWN.sell | _KNOWN.exchange:
        return Move.parse(text)
    verb, rest = words[0], words[1:]
    cut = next((i for i, word in enumerate(rest) if word in _KNOWN.between), len(rest))
    first, second = _cards(rest[:cut], text), _cards(rest[cut + 1 :], text)
    if not first or (cut < len(rest)) != bool(second):
        raise _not_understood(text)
    if verb in _KNOWN.sell and not second:
        return Move(0, _whole_hand(first, rest, view))
    if verb in _KNOWN.sell:
        raise _not_understood(text)
    if set(first) == {CAMEL} and not second:
        return Move(one(CAMEL), 0)
    if verb in _KNOWN.exchange and second:
        return _either_way(_bag(first), _bag(second), view, text)
    return Move(_bag(first), _bag(second))


def _either_way(first: int, second: int, view: View, text: str) -> Move:
    """`Exchange A for B` means giving A to some people and taking A to others: picks the reading that is legal."""
    ways = [Move(first, second), Move(second, first)]
    legal = [move for move in ways if view.why_illegal(move) is None]
    if len(legal) == len(ways):
        sentence = N_("“{text}” can be read both ways: say {first} or {second}.")
        raise NotationError(sentence, text=text[:_SHOWN], first=str(ways[0]), second=str(ways[1]))
    return legal[0] if legal else ways[0]


def _plain(text: str) -> str:
    """Lower case, without accents."""
    letters = unicodedata.normalize("NFD", text.lower())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _cards(words: list[str], text: str) -> list[int]:
    cards: list[int] = []
    number = 1
    for word in words:
        kind = _KNOWN.kinds.get(word, _KNOWN.kinds.get(word.removesuffix("s")))
        if word.isdecimal() and len(word) <= _DIGITS:
            number = min(int(word), HAND_LIMIT + 1)
        elif word in _KNOWN.numbers:
            number = _KNOWN.numbers[word]
        elif kind is not None:
            cards += [kind] * number
            number = 1
        elif not word.strip(_LETTERS) and (number == 1 or len(word) == 1):
            cards += [_LETTERS.index(letter) for letter in word] * number
            number = 1
        elif word not in _KNOWN.filler:
            raise _not_understood(text)
    if any(cards.count(kind) > HAND_LIMIT for kind in set(cards)):
        sentence = N_("“{text}” names more than {most} cards of one kind: no move has so many.")
        raise NotationError(sentence, text=text[:_SHOWN], most=HAND_LIMIT)
    return cards


def _whole_hand(cards: list[int], words: list[str], view: View) -> int:
    numbered = any(word.isdecimal() or word in _KNOWN.numbers for word in words)
    if len(cards) == 1 and cards[0] != CAMEL and not numbered:
        return max(count(view.me.hand, cards[0]), 1) * one(cards[0])
    return _bag(cards)


def _bag(cards: list[int]) -> int:
    return sum(one(kind) for kind in cards)


def _not_understood(text: str) -> NotationError:
    return NotationError(
        N_("“{text}” is not understood: say for instance +D, take gold, take camels, sell 3 leather, or ? for a list."),
        text=text[:_SHOWN],
    )
