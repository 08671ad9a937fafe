"""The same round with other secrets: what a player or an onlooker cannot know is rearranged (R18, R19, R21).

Cards are in another hand or deeper in the deck, and bonus tokens have other values. A seat that does not know the
secrets of the other cannot tell the two rounds apart.
"""

import random
from collections.abc import Iterable

from librt.vecs import vec
from mypy_extensions import i64

from jaipur import Match, Round
from jaipur.rules.bag import one
from jaipur.rules.bonus import bonus_kinds, pack_bonus
from jaipur.rules.box import CAMEL, GOODS
from jaipur.rules.deck import Deck

Deals = dict[int, Round]


def other_deals(match: Match, secret: Iterable[int], chance: random.Random) -> Deals:
    """Another deal for each round of a match."""
    seats = list(secret)
    return {
        number: other_deal(match.deal(number, played.starter), played, seats, chance)
        for number, played in enumerate(match.rounds, 1)
    }


def other_round(deal: Round, played: Round, seat: int, chance: random.Random, untouched: int = 0) -> Round:
    """The round as it would be after the same moves, as far as a seat can tell."""
    other = other_deal(deal.copy(), played, [1 - seat], chance, untouched)
    for move in played.moves:
        other.play(move)
    return other


def other_deal(deal: Round, played: Round, seats: list[int], chance: random.Random, untouched: int = 0) -> Round:
    """Changes a deal in what is still secret about these seats and the deck, but for the next cards of the deck."""
    deck = deal.deck.kinds()
    known = len(deck) - played.deck.size + untouched
    hidden = {seat: _cards(played.side(seat).hidden) for seat in seats}
    pool = [kind for held in hidden.values() for kind in held] + [kind for kind in deck[known:] if kind != CAMEL]
    chance.shuffle(pool)
    for seat, held in hidden.items():
        side = deal.side(seat)
        new, pool = pool[: len(held)], pool[len(held) :]
        side.hand += sum(map(one, new)) - sum(map(one, held))
        side.hidden = side.hand
    rest = pool + [kind for kind in deck[known:] if kind == CAMEL]
    chance.shuffle(rest)
    deal.deck = Deck(vec[i64](deck[:known] + rest), 0)
    deal.bonus_piles = _other_bonus(deal, played, seats, chance)
    return deal


def _cards(bag: int) -> list[int]:
    return [kind for kind in range(GOODS) for _ in range((bag >> (3 * kind)) & 7)]


def _other_bonus(deal: Round, played: Round, seats: list[int], chance: random.Random) -> int:
    """Shuffles the tokens whose values are still secret within each pile; a score sheet reveals them (R19)."""
    piles = 0
    takers = _takers(played)
    for pile in range(3):
        kinds = bonus_kinds(deal.bonus_piles, pile)
        free = [
            place
            for place in range(len(kinds))
            if place >= len(takers[pile]) or (takers[pile][place] in seats and not played.over)
        ]
        mixed = [kinds[place] for place in free]
        chance.shuffle(mixed)
        for place, kind in zip(free, mixed, strict=True):
            kinds[place] = kind
        piles |= pack_bonus(pile, vec[i64]([kind % 3 for kind in kinds]), 0)
    return piles


def _takers(played: Round) -> list[list[int]]:
    """Who took the tokens of each bonus pile, from the top (R17)."""
    takers: list[list[int]] = [[], [], []]
    for number, move in enumerate(played.moves):
        sold = len(str(move)) - 1
        if not move.take and sold >= 3:
            takers[min(sold, 5) - 3].append((played.starter + number) % 2)
    return takers
