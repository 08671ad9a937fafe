"""Pairs of servers ("twins") that differ only in what an onlooker cannot know (R18, R19, R21).

Both play the same moves with the same seed, ids, keys, names and clock; the second server has other secrets.
"""

import itertools
import random
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from jaipur import Match, Round
from jaipur.table import Seating, Tables
from tests.support.other_secrets import Deals, other_deals
from tests.support.server import Answer, Caller, counting, elsewhere, new_tables, server
from tests.support.several_servers import AnyServer, dealing, empty


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
    """Two servers that get the same requests."""

    world: World
    tables: tuple[Tables, Tables]
    callers: tuple[Caller, Caller]
    deals: Deals = field(default_factory=dict)

    def both(self, do: Callable[[int], Any]) -> tuple[Any, Any]:
        """Does the same at each server."""
        first = do(0)
        with self.world.of(self.deals):
            return first, do(1)

    def create(
        self, seating: Seating, match: Match, secret: Iterable[int], chance: random.Random, host: str = ""
    ) -> str:
        """The same game at both servers, except for what these seats' rivals cannot know."""
        self.deals = other_deals(match, secret, chance)
        if elsewhere():
            for tables in self.tables:
                empty(tables)
        history = match if match.ply else None
        games = self.both(
            lambda which: self.tables[which].create(seating, host, history=history or Match(match.seed)).game.id
        )
        assert games[0] == games[1]
        return str(games[0])

    def rounds(self, game: str) -> tuple[Round, Round]:
        return self.both(lambda which: self.tables[which].open(game).match.round)

    def ask(self, method: str, path: str, wanted: object = None, **options: Any) -> tuple[Answer, Answer]:
        """Both servers' answers to one request."""
        return self.both(lambda which: self.callers[which].ask(method, path, wanted, **options))


@contextmanager
def make_twins(patch: pytest.MonkeyPatch) -> Iterator[Twins]:
    """Two servers; the world decides what the second one deals."""
    world = World()
    with ExitStack() as stack:
        patch.setattr(Match, "deal", dealing(lambda: world.deals))
        if servers := elsewhere():
            now = time.time_ns() // 1_000_000
            rooms = [stack.enter_context(new_tables(None, counting(int, now), _ids())) for _ in range(2)]
            later = now + 60_000
            servers.order(rooms[0], {}, later)
            world.tell = lambda deals: servers.order(rooms[1], deals, later)
            world.tell({})
        else:
            rooms = [stack.enter_context(new_tables()) for _ in range(2)]
        callers = [stack.enter_context(server(tables)) for tables in rooms]
        for caller in callers:
            if isinstance(caller, AnyServer):
                caller.masked = True
        yield Twins(world, (rooms[0], rooms[1]), (callers[0], callers[1]))


_run = itertools.count()


def _ids() -> Callable[[], str]:
    """Ids that are the same at both servers, but new to servers that keep tables in memory."""
    number = next(_run) // 2
    return counting(lambda n: f"twin{number}game{n}")
