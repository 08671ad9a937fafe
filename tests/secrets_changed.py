"""Rounds that one seat cannot tell apart: only their secrets differ (R18 to R21)."""

import random

from librt.vecs import vec
from mypy_extensions import i64

from jaipur import Round
from jaipur.rules.bag import letters, one
from jaipur.rules.bonus import bonus_kinds, pack_bonus
from jaipur.rules.box import LETTERS
from jaipur.rules.deck import Deck


def tampered(round_: Round, seat: int, chance: random.Random, untouched: int) -> Round:
    """The same round as far as a seat can tell, with its secrets changed, except for the first cards of the deck.

    The opponent's unseen goods are shuffled with the goods of the deck; the camels move within the deck.
    """
    world = round_.copy()
    rival = world.side(1 - seat)
    deck = world.deck.kinds()
    hidden = [LETTERS.index(card) for card in letters(rival.hidden)]
    pool = hidden + [kind for kind in deck[untouched:] if kind != 6]
    chance.shuffle(pool)
    rest = pool[len(hidden) :] + [kind for kind in deck[untouched:] if kind == 6]
    chance.shuffle(rest)
    rival.hand -= rival.hidden
    rival.hidden = sum(one(kind) for kind in pool[: len(hidden)])
    rival.hand += rival.hidden
    world.deck = Deck(vec[i64](deck[:untouched] + rest), 0)
    return world


def swap_bonus(world: Round, seat: int, chance: random.Random) -> None:
    """Shuffles the opponent's bonus tokens with those still in their piles (R19)."""
    rival = world.side(1 - seat)
    owned, piles = 0, 0
    for pile in range(3):
        own = [kind for kind in range(3 * pile, 3 * pile + 3) for _ in range((rival.bonus >> (3 * kind)) & 7)]
        kinds = own + bonus_kinds(world.bonus_piles, pile)
        chance.shuffle(kinds)
        owned += sum(one(kind) for kind in kinds[: len(own)])
        piles |= pack_bonus(pile, vec[i64]([kind % 3 for kind in kinds]), len(own))
    rival.bonus, world.bonus_piles = owned, piles
