"""What a bot does at one table: whether there is something to do, how long it may take, the thought, the move."""

import asyncio
import time
from threading import Lock

from cachetools import FIFOCache

from jaipur.bots import DEFAULT_BUDGET
from jaipur.rules.move import Move
from jaipur.server.bots.engine import Engine
from jaipur.server.bots.work_queue import Rank, Work
from jaipur.server.lesson.lesson import scripted_reply
from jaipur.server.live.hub import Hub
from jaipur.table import Speed, Status, Table, Tables
from jaipur.threads import Threads

_USUAL_SECONDS = DEFAULT_BUDGET.seconds or 0.0
_REMEMBERED = 2000
_SHEET_SECONDS = 6.0
"""How long the score sheet stays on a table without people, at most."""
_PAUSES = {Speed.STEP: 0.0, Speed.SLOW: 3.0, Speed.NORMAL: 1.0, Speed.FAST: 0.25}
"""Factors for the pause between moves."""
_WRITERS = 4
"""How many moves are written in parallel. Each waits while the database is locked, so bots have their own threads."""


class ThinkingTimes:
    """The thinking times of games in which a player acted lately; every other game has the usual time.

    A browser sends the setting with everything it does at a table, so nothing is stored: a newly started server knows
    it after the next move. Other processes are told with each event.
    """

    def __init__(self) -> None:
        self._seconds = FIFOCache[str, float](_REMEMBERED)
        self._lock = Lock()

    def remember(self, game: str, seconds: float | None) -> None:
        """Remembers what a player at this table has set; None means the usual time."""
        with self._lock:
            self._seconds.pop(game, None)
            if seconds is not None:
                self._seconds[game] = seconds

    def seconds(self, game: str) -> float:
        """The time for one move of this game's bot."""
        with self._lock:
            return self._seconds.get(game, _USUAL_SECONDS)


class TableService:
    """Serves the bots of any table."""

    def __init__(self, tables: Tables, hub: Hub, engine: Engine, pause: float) -> None:
        self.tables = tables
        self.hub = hub
        self.engine = engine
        self.pause = pause
        self.thinking = ThinkingTimes()
        self._shares: dict[str, float] = {}
        """How much of its time each level uses."""
        self._writers = Threads(_WRITERS, "bot-writer")

    async def close(self) -> None:
        """Writes no more moves."""
        await self._writers.close()

    def work_at(self, table: Table, owner: str, left_over: bool) -> Work | None:
        """What a bot has to do here: for whom, and how long it may take. None if there is nothing to do."""
        game = table.game.id
        watcher: str | None = owner or game
        rank = Rank.LEFT_OVER if left_over else Rank.PERSON
        if not table.persons:
            rank, watcher = Rank.MATCH, self.hub.watcher(game)
        level = None if table.bot_to_move is None else table.level(table.bot_to_move)
        idle = level is None and (table.persons or table.status is not Status.SHEET)
        if watcher is None or idle or table.speed is Speed.PAUSE:
            return None
        return Work(rank, watcher, self._shares.get(level or "", 1.0) * self._seconds_at(table))

    def needs_thought(self, table: Table) -> bool:
        """Whether a bot has to choose a move; everything else bypasses the queue."""
        return table.bot_to_move is not None and not table.stalled and scripted_reply(table) is None

    async def choose(self, table: Table) -> Move:
        """The move of the bot whose turn it is."""
        seat, seconds = table.match.round.turn, self._seconds_at(table)
        level, began = table.level(seat) or "", time.perf_counter()
        move = Move.parse(await self.engine.think(level, str(table.view(seat)), seconds))
        share, usual = (time.perf_counter() - began) / seconds, self._shares.get(level, 1.0)
        self._shares[level] = min(share, (3 * usual + share) / 4)  # rises slowly: a first thought starts a process
        return move

    async def act(self, table: Table, waited: float) -> None:
        """Does what needs no thinking: the next round of a match, the end of a stalled one, a scripted reply."""
        scripted = scripted_reply(table)
        if table.stalled:
            await self._writers.run(self.tables.stop, table)
        elif scripted is not None and table.bot_to_move is not None:
            await self.play(table, scripted, waited)
        else:
            await asyncio.sleep(_SHEET_SECONDS * min(self._pause_at(table), 1))
            await self._writers.run(self.tables.ready, table, 0)

    async def play(self, table: Table, move: Move, waited: float) -> None:
        """Plays a move, but not before people have had time to follow the last one."""
        await asyncio.sleep(max(0.0, self._pause_at(table) - waited))
        await self._writers.run(self.tables.move, table, table.match.round.turn, table.ply, move)

    def _pause_at(self, table: Table) -> float:
        return self.pause * _PAUSES[table.speed]

    def _seconds_at(self, table: Table) -> float:
        """How long the bot may think: as the player has set it; in a match between bots, the usual time."""
        return self.thinking.seconds(table.game.id) if table.persons else _USUAL_SECONDS
