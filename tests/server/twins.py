"""Pairs of servers ("houses") that differ only in what an onlooker cannot know (R18, R19, R21).

Both play the same moves with the same seed, ids, keys, names and clock. In the second house, whatever is still hidden
is rearranged: cards are in another hand or deeper in the deck, and bonus tokens have other values.
"""

import itertools
import random
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from jaipur import Match, Round
from jaipur.rules.bag import one
from jaipur.rules.bonus import bonus_kinds, pack_bonus
from jaipur.rules.box import CAMEL, GOODS
from jaipur.rules.deck import Deck
from jaipur.table import Seating, Tables
from tests.server.harness import Answer, Caller, counting, elsewhere, room, server
from tests.server.hopping import Deals, Hopper, dealing, empty


def cards(bag: int) -> list[int]:
    return [kind for kind in range(GOODS) for _ in range((bag >> (3 * kind)) & 7)]


def altered(match: Match, secret: Iterable[int], chance: random.Random) -> Deals:
    """Other deals that each round could have had, as far as anybody knows who does not know these seats' secrets."""
    seats = list(secret)
    return {
        number: _altered_round(match.deal(number, played.starter), played, seats, chance)
        for number, played in enumerate(match.rounds, 1)
    }


def _altered_round(deal: Round, played: Round, seats: list[int], chance: random.Random) -> Round:
    deck = deal.deck.kinds()
    drawn = len(deck) - played.deck.size
    hidden = {seat: cards(played.side(seat).hidden) for seat in seats}
    pool = [kind for held in hidden.values() for kind in held] + [kind for kind in deck[drawn:] if kind != CAMEL]
    chance.shuffle(pool)
    for seat, held in hidden.items():
        trader = deal.side(seat)
        new, pool = pool[: len(held)], pool[len(held) :]
        trader.hand += sum(map(one, new)) - sum(map(one, held))
        trader.hidden = trader.hand
    rest = pool + [kind for kind in deck[drawn:] if kind == CAMEL]
    chance.shuffle(rest)
    deal.deck = Deck(vec[i64](deck[:drawn] + rest), 0)
    deal.bonus_piles = _altered_bonus(deal, played, seats, chance)
    return deal


def _altered_bonus(deal: Round, played: Round, seats: list[int], chance: random.Random) -> int:
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


@dataclass
class World:
    """Which deals replace those of the seed at the moment, if any. Servers in other processes are told."""

    deals: Deals = field(default_factory=dict)
    told: Deals = field(default_factory=dict)
    tell: Callable[[Deals], None] = lambda _deals: None

    @contextmanager
    def of(self, deals: Deals) -> Iterator[None]:
        self.deals = deals
        if self.told is not deals:
            self.tell(deals)
            self.told = deals
        yield
        self.deals = {}


@dataclass
class Twins:
    """Two houses that get the same requests."""

    world: World
    rooms: tuple[Tables, Tables]
    callers: tuple[Caller, Caller]
    deals: Deals = field(default_factory=dict)

    def both(self, do: Callable[[int], Any]) -> tuple[Any, Any]:
        """Does the same in each house."""
        first = do(0)
        with self.world.of(self.deals):
            return first, do(1)

    def create(
        self, seating: Seating, match: Match, secret: Iterable[int], chance: random.Random, host: str = ""
    ) -> str:
        """The same game in both houses, except for what these seats' rivals cannot know."""
        self.deals = altered(match, secret, chance)
        if elsewhere():
            for tables in self.rooms:
                empty(tables)
        history = match if match.ply else None
        games = self.both(
            lambda house: self.rooms[house].create(seating, host, history=history or Match(match.seed)).game.id
        )
        assert games[0] == games[1]
        return str(games[0])

    def rounds(self, game: str) -> tuple[Round, Round]:
        return self.both(lambda house: self.rooms[house].open(game).match.round)

    def ask(self, method: str, path: str, wanted: object = None, **options: Any) -> tuple[Answer, Answer]:
        """Both houses' answers to one request."""
        return self.both(lambda house: self.callers[house].ask(method, path, wanted, **options))


@contextmanager
def twins(patch: pytest.MonkeyPatch) -> Iterator[Twins]:
    """Two houses; the world decides what the second one deals."""
    world = World()
    with ExitStack() as stack:
        patch.setattr(Match, "deal", dealing(lambda: world.deals))
        if servers := elsewhere():
            now = time.time_ns() // 1_000_000
            rooms = [stack.enter_context(room(None, counting(int, now), _ids())) for _ in range(2)]
            later = now + 60_000
            servers.order(rooms[0], {}, later)
            world.tell = lambda deals: servers.order(rooms[1], deals, later)
            world.tell({})
        else:
            rooms = [stack.enter_context(room()) for _ in range(2)]
        callers = [stack.enter_context(server(tables)) for tables in rooms]
        for caller in callers:
            if isinstance(caller, Hopper):
                caller.masked = True
        yield Twins(world, (rooms[0], rooms[1]), (callers[0], callers[1]))


_run = itertools.count()


def _ids() -> Callable[[], str]:
    """Ids that are the same in both houses, but new to servers that keep tables in memory."""
    number = next(_run) // 2
    return counting(lambda n: f"twin{number}game{n}")
