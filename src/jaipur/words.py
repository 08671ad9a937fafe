"""Cards and moves in words, for people, in the current language."""

from jaipur.core.bag import count, size, tally
from jaipur.core.box import GOODS_TOKENS, KINDS, SMALLEST_BONUS_SALE, worth
from jaipur.core.errors import KIND_NAMES, N_
from jaipur.core.move import Move
from jaipur.core.view import View
from jaipur.i18n import _, ngettext


def kind_name(kind: int) -> str:
    """The name of a kind of card."""
    return _(KIND_NAMES[kind])


def _so_many(kind: int, n: int) -> str:
    """A number of cards of one kind, like `2 diamonds`."""
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
    """A bag, like `2 leather, 1 camel`."""
    return ", ".join(_so_many(kind, count(bag, kind)) for kind in range(KINDS) if count(bag, kind))


_TAKE_ONE = (
    N_("Take the diamond"),
    N_("Take the gold"),
    N_("Take the silver"),
    N_("Take the cloth"),
    N_("Take the spice"),
    N_("Take the leather"),
    N_("Take the camels"),
)

_LEVEL_NAMES = {
    "random": N_("Dice"),
    "pedlar": N_("Pedlar"),
    "trader": N_("Trader"),
    "broker": N_("Broker"),
    "merchant": N_("Merchant"),
    "vizier": N_("Vizier"),
}


def level_name(level: str) -> str:
    """The name of a bot's level, as people see it."""
    return _(_LEVEL_NAMES[level])


def move_in_words(move: Move) -> str:
    """What a move does, as a command: `Exchange 1 diamond, 1 gold for 2 leather`."""
    if not move.give and size(move.take) == 1:
        return _(_TAKE_ONE[next(kind for kind in range(KINDS) if count(move.take, kind))])
    if not move.take:
        return _("Sell {cards}").format(cards=cards_in_words(move.give))
    return _("Exchange {taken} for {given}").format(taken=cards_in_words(move.take), given=cards_in_words(move.give))


def choice_in_words(view: View, move: Move) -> str:
    """A move that can be chosen now, and what a sale brings: `Sell 3 leather (9 rupees and a bonus)`."""
    words = move_in_words(move)
    return words if move.take else f"{words} ({_sale_in_words(view, move)})"


def _sale_in_words(view: View, move: Move) -> str:
    cards = size(move.give)
    good = next(kind for kind in range(KINDS) if count(move.give, kind))
    sold = tally(view.discard, good)
    rupees = worth(good, sold + cards) - worth(good, sold)
    words = ngettext("{rupees} rupee", "{rupees} rupees", rupees).format(rupees=rupees)
    if cards < SMALLEST_BONUS_SALE or not count(view.bonus_left, min(cards, 5) - SMALLEST_BONUS_SALE):
        return words
    return _("{rupees} and a bonus").format(rupees=words)


def tokens_left(view: View, good: int) -> tuple[int, ...]:
    """The tokens of a good that are left on the table, the next one to take first."""
    return GOODS_TOKENS[good][tally(view.discard, good) :]
