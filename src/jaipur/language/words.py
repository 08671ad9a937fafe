"""Cards and moves in words, for people, in the current language.

A move is worded in two ways: as something to do, in the imperative (`Take the diamond`), and as something done, in the
third or second person (`The Trader takes the diamond`). An exchange always says what is taken and what is given.
"""

from jaipur.language import _, ngettext
from jaipur.rules.bag import count, kind_of, size
from jaipur.rules.box import KINDS, bonus_pile
from jaipur.rules.discard import sale_rupees
from jaipur.rules.errors import KIND_NAMES, N_
from jaipur.rules.move import Move
from jaipur.rules.view import View


def kind_name(kind: int) -> str:
    """The name of a kind of card."""
    return _(KIND_NAMES[kind])


def sentence_start(name: str) -> str:
    """A name as the start of a sentence: `the Trader` becomes `The Trader`."""
    return name[:1].upper() + name[1:]


def victory_in_words(name: str) -> str:
    """Who won: `The Trader wins the match!`. In French the name comes after `de`: `Victoire du Colporteur !`."""
    sentence = _("{name} wins the match!")
    before, de, after = sentence.partition("de {name}")
    return before + _de(name) + after if de else sentence.format(name=sentence_start(name))


def _de(name: str) -> str:
    for article, joined in (("le ", "du "), ("les ", "des ")):
        if name.startswith(article):
            return joined + name.removeprefix(article)
    return f"d’{name}" if name[:1].lower() in "aeiouâàéèêëîïôœû" else f"de {name}"


def _number_of(kind: int, n: int) -> str:
    """Cards of one kind, like `2 diamonds`."""
    sentence = (
        ngettext("{n} diamond", "{n} diamonds", n),
        ngettext("{n} gold", "{n} gold", n),
        ngettext("{n} silver", "{n} silver", n),
        ngettext("{n} cloth", "{n} cloth", n),
        ngettext("{n} spice", "{n} spice", n),
        ngettext("{n} leather", "{n} leather", n),
        ngettext("{n} camel", "{n} camels", n),
    )[kind]
    return sentence.format(n=n)


def cards_in_words(bag: int) -> str:
    """A bag in words, like `1 diamond, 2 leather and 1 camel`."""
    *first, last = [_number_of(kind, count(bag, kind)) for kind in range(KINDS) if count(bag, kind)]
    return _("{cards} and {last}").format(cards=", ".join(first), last=last) if first else last


_SALE, _EXCHANGE = KINDS, KINDS + 1
"""Where the phrases below come after those for taking one good of each kind, or the camels."""
_TO_DO = (
    N_("Take the diamond"),
    N_("Take the gold"),
    N_("Take the silver"),
    N_("Take the cloth"),
    N_("Take the spice"),
    N_("Take the leather"),
    N_("Take the camels"),
    N_("Sell {cards}"),
    N_("Take {taken}, give {given}"),
)
_DONE = (
    N_("{name} takes the diamond"),
    N_("{name} takes the gold"),
    N_("{name} takes the silver"),
    N_("{name} takes the cloth"),
    N_("{name} takes the spice"),
    N_("{name} takes the leather"),
    N_("{name} takes the camels"),
    N_("{name} sells {cards}"),
    N_("{name} takes {taken} and gives {given}"),
)
_DONE_BY_YOU = (
    N_("You take the diamond"),
    N_("You take the gold"),
    N_("You take the silver"),
    N_("You take the cloth"),
    N_("You take the spice"),
    N_("You take the leather"),
    N_("You take the camels"),
    N_("You sell {cards}"),
    N_("You take {taken} and give {given}"),
)


def move_in_words(move: Move) -> str:
    """A move as something to do: `Take 1 diamond and 1 gold, give 2 leather`."""
    return _in_words(_TO_DO, move)


def deed_in_words(name: str, move: Move) -> str:
    """What a player did: `The Trader takes 1 diamond and 1 gold and gives 2 leather`."""
    return _in_words(_DONE, move, sentence_start(name))


def _in_words(phrases: tuple[str, ...], move: Move, name: str = "") -> str:
    phrase = kind_of(move.take) if not move.give else _EXCHANGE if move.take else _SALE
    taken, given = (cards_in_words(bag) if bag else "" for bag in (move.take, move.give))
    return _(phrases[phrase]).format(name=name, cards=given, taken=taken, given=given)


class Names:
    """Both players' names on their own (`Trader`) and inside a sentence (`the Trader`); `you` is a seat called so."""

    def __init__(self, shown: tuple[str, str], inside: tuple[str, str], you: int | None = None) -> None:
        self.shown = shown
        self._inside = inside
        self._you = you

    def is_you(self, seat: int) -> bool:
        """Whether sentences address this player as `you`."""
        return seat == self._you

    def called(self, seat: int) -> str:
        """The name within a sentence: `the Trader`, `Ann`."""
        return self._inside[seat]

    def rival(self, seat: int) -> str:
        """What sentences about this player's moves call the other player; empty where that would be `you`."""
        return "" if self.is_you(1 - seat) else self.called(1 - seat)

    def deed(self, seat: int, move: Move) -> str:
        """What this player did: `You take the gold`, `The Trader takes the gold`."""
        return _in_words(_DONE_BY_YOU, move) if self.is_you(seat) else deed_in_words(self.called(seat), move)


def choice_in_words(view: View, move: Move) -> str:
    """A move that can be chosen now, and what a sale brings: `Sell 3 leather (9 rupees and a bonus)`."""
    words = move_in_words(move)
    return words if move.take else f"{words} ({_sale_in_words(view, move)})"


def _sale_in_words(view: View, move: Move) -> str:
    good, cards = kind_of(move.give), size(move.give)
    rupees = sale_rupees(view.discard, good, cards)
    words = ngettext("{rupees} rupee", "{rupees} rupees", rupees).format(rupees=rupees)
    pile = bonus_pile(cards)
    if pile < 0 or not count(view.bonus_left, pile):
        return words
    return _("{rupees} and a bonus").format(rupees=words)
