"""Two `jaipur think` processes on one PostgreSQL: what one leaves the other takes over, and together they are fair."""

import itertools
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from endurance.support.servers import OwnServer

from jaipur.programs import ends_with_us
from jaipur.store import Store, open_database
from jaipur.table import GameKind, Seating, Tables
from tests.support.postgres import Databases
from tests.support.program import PATIENCE
from tests.support.served import wait_for
from tests.support.server import BOT, ME, everything, folded, my_turn
from tests.support.terminal import environment

pytestmark = pytest.mark.slow

NAMES = ("first", "second")
VIZIER = replace(BOT, levels=(None, "vizier"))
VIZIERS = Seating(GameKind.WATCH, ("Ann", "Bob"), ("vizier", "vizier"), watchable=True)
MANY = 24
FEW = 12
"""What each has already begun, what one does while the other works on the answer, and some to spare."""
MATCHES = 60
"""If they took turns with people, nearly all would move before a person's bot. While it thinks for a second, the other
process plays on: about 15 moves, and how many more depends on how busy the machine is."""
HOLDER = """SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory'
    AND (classid::bigint << 32 | objid::bigint) = hashtextextended('{}', 0)"""
LISTENING = "SELECT DISTINCT application_name FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"


@dataclass
class Workshop:
    """A server without bot workers, and two processes in which bots think, one at a time in each."""

    postgres: Databases
    tables: Tables
    port: int
    folder: Path
    mine: str
    many: list[str]
    matches: list[str]
    bots: dict[str, "subprocess.Popen[bytes]"] = field(default_factory=dict)

    def start(self, name: str) -> None:
        """Starts a process; its database connections carry its name."""
        command = [sys.executable, "-m", "jaipur", "think", "--bot-workers", "1", "--pause", "0"]
        command += ["--database", f"{self.tables.store.where}?application_name={name}"]
        with (self.folder / name).open("ab") as log:
            self.bots[name] = subprocess.Popen(
                command, stdout=log, stderr=log, env=environment(self.folder), **ends_with_us()
            )

    def kill(self, name: str) -> None:
        self.bots[name].kill()
        self.bots[name].wait(PATIENCE)

    def ask(self, question: str) -> list[object]:
        """The first column of PostgreSQL's answer."""
        return [row[0] for row in self.postgres.cluster.execute(question, self.tables.store.where.rpartition("/")[2])]

    def ready(self) -> bool:
        return set(NAMES) <= set(self.ask(LISTENING))

    def holder(self, game: str) -> str:
        """Which process is thinking about a game."""
        return "".join(map(str, self.ask(HOLDER.format(game))))

    def person(self, address: str = "127.0.0.1") -> httpx.Client:
        """Somebody at this address, whose cookie lets bots think for a second; only pages read it."""
        headers = {"authorization": f"Bearer {ME}", "sec-fetch-site": "same-origin"}
        headers["cookie"] = f"jaipur_seat={ME}; jaipur_settings=think=1"
        way = httpx.HTTPTransport(local_address=address)
        return httpx.Client(base_url=f"http://127.0.0.1:{self.port}", headers=headers, transport=way, timeout=PATIENCE)

    def wish_for_a_second(self, client: httpx.Client) -> None:
        """Tells the bot in my game how long it may think: any form sent from a page carries the cookie that says so."""
        client.post(f"/game/{self.mine}/ready", data={"key": ""})

    def moves(self, client: httpx.Client, game: str) -> int:
        """Plays a move for the person, and returns the number of its event."""
        seen: Any = client.get(f"/api/games/{game}").raise_for_status().json()
        wish = {"move": seen["legal"][0], "ply": seen["ply"]}
        return int(client.post(f"/api/games/{game}/moves", json=wish).raise_for_status().json()["number"])

    def answered(self, game: str, number: int) -> bool:
        return len(self.tables.store.events(game)) > number

    def between(self, games: list[str], number: int) -> int:
        """How many moves bots played elsewhere between my own move and the answer to it."""
        wait_for(lambda: self.answered(self.mine, number))
        events = self.tables.store.events(self.mine)
        asked, answered = events[number - 1].at, events[number].at
        others = [event for game in games for event in self.tables.store.events(game)]
        return sum(asked < event.at < answered for event in others)


@pytest.fixture(name="workshop", scope="module")
def _workshop(postgres: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workshop]:
    with ExitStack() as stack:
        address = stack.enter_context(postgres.database())
        tables = Tables(Store(open_database(address)))
        stack.callback(tables.store.close)
        mine, *many = [my_turn(tables, VIZIER) for _ in range(MANY + 1)]
        matches = [tables.create(VIZIERS).game.id for _ in range(MATCHES)]
        served = stack.enter_context(OwnServer(address, bot_workers=0))
        workshop = Workshop(postgres, tables, served.port, tmp_path_factory.mktemp("think"), mine, many, matches)
        for name in NAMES:
            workshop.start(name)
            stack.callback(workshop.kill, name)
        wait_for(workshop.ready)
        yield workshop


def test_who_plays_many_games_delays_another_by_a_thought_of_each(workshop: Workshop) -> None:
    """Both know all games and all owners, so at either one the owner who has had nothing yet comes next."""
    with workshop.person() as busy, workshop.person("127.0.0.2") as me, ThreadPoolExecutor(4) as pool:
        numbers = dict(
            zip(workshop.many, pool.map(lambda game: workshop.moves(busy, game), workshop.many), strict=True)
        )
        waiting = [game for game in workshop.many if not workshop.answered(game, numbers[game])]
        assert workshop.between(workshop.many, workshop.moves(me, workshop.mine)) <= FEW < len(waiting)
        wait_for(lambda: all(workshop.answered(game, numbers[game]) for game in workshop.many))


def test_a_game_is_taken_over_from_whoever_is_killed_over_it(workshop: Workshop) -> None:
    """Each of the two is killed while thinking; the bot still answers every move once."""
    killed: list[str] = []
    with workshop.person() as me:
        while set(killed) < set(NAMES):
            workshop.wish_for_a_second(me)
            number = workshop.moves(me, workshop.mine)
            wait_for(lambda: bool(workshop.holder(workshop.mine)) or workshop.answered(workshop.mine, number))  # noqa: B023
            thinks = workshop.holder(workshop.mine)
            if thinks and thinks not in killed:
                workshop.kill(thinks)
                if not workshop.answered(workshop.mine, number):
                    killed.append(thinks)
                    wait_for(lambda: workshop.answered(workshop.mine, number))  # noqa: B023
                workshop.start(thinks)
                wait_for(workshop.ready)
            wait_for(lambda: workshop.answered(workshop.mine, number))  # noqa: B023
    events = workshop.tables.store.events(workshop.mine)
    played = [event.seat for event in events if event.kind == "move"]
    assert [event.number for event in events] == list(range(1, len(events) + 1))
    assert all(one != other for one, other in itertools.pairwise(played))
    assert everything(workshop.tables.open(workshop.mine)) == everything(folded(workshop.tables, workshop.mine))


def test_a_person_waits_for_no_match_of_bots(workshop: Workshop) -> None:
    """However many of them somebody watches, even at the same address; a look counts as watching."""
    with workshop.person() as me:
        for match in workshop.matches:
            me.get(f"/api/games/{match}").raise_for_status()
        workshop.wish_for_a_second(me)
        wait_for(lambda: sum(len(workshop.tables.store.events(match)) for match in workshop.matches) > 1)
        assert workshop.between(workshop.matches, workshop.moves(me, workshop.mine)) <= MATCHES // 2
