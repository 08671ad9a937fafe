"""What a bot does at one table: whether there is something to do, how long it may take, the thought, the move."""

import asyncio
import time
from collections.abc import Callable
from typing import Concatenate, ParamSpec

from jaipur.rules.move import Move
from jaipur.server.bots.engine import Engine
from jaipur.server.bots.time_limits import USUAL_SECONDS, ThinkingTimes
from jaipur.server.bots.work_queue import Rank, Work
from jaipur.server.lesson.lesson import scripted_reply
from jaipur.server.live.hub import Hub
from jaipur.table import Speed, Status, Table, Tables
from jaipur.threads import Threads

_P = ParamSpec("_P")
_SHEET_SECONDS = 6.0
"""How long the score sheet stays on a table without people, at most."""
_PAUSES = {Speed.STEP: 0.0, Speed.SLOW: 3.0, Speed.NORMAL: 1.0, Speed.FAST: 0.25}
"""Factors for the pause between moves."""
_WRITERS = 4
"""How many moves are written in parallel. Each waits while the database is locked, so bots have their own threads."""


class TableService:
    """Serves the bots of any table."""

    def __init__(self, tables: Tables, hub: Hub, engine: Engine, pause: float) -> None:
        self.tables = tables
        self.hub = hub
        self.engine = engine
        self.pause = pause
        self.thinking = ThinkingTimes()
        self._shares: dict[str, float] = {}
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

    async def choose(self, table: Table, seat: int) -> Move:
        """The move of the bot whose turn it is."""
        level, seconds = table.level(seat) or "", self._seconds_at(table)
        began = time.perf_counter()
        move = Move.parse(await self.engine.think(level, str(table.view(seat)), seconds))
        self._learn(level, (time.perf_counter() - began) / seconds)
        return move

    async def act(self, table: Table, waited: float) -> None:
        """Does what needs no thinking: the next round of a match, the end of a stalled one, a scripted reply."""
        scripted = scripted_reply(table)
        if table.stalled:
            await self._write(self.tables.stop, table)
        elif scripted is not None and table.bot_to_move is not None:
            await self.play(table, table.bot_to_move, scripted, waited)
        else:
            await asyncio.sleep(_SHEET_SECONDS * min(self._pause_at(table), 1))
            await self._write(self.tables.ready, table, 0)

    async def play(self, table: Table, seat: int, move: Move, waited: float) -> None:
        """Plays a move, but not before people have had time to follow the last one."""
        await asyncio.sleep(max(0.0, self._pause_at(table) - waited))
        await self._write(self.tables.move, table, seat, table.ply, move)

    def _seconds_at(self, table: Table) -> float:
        """How long the bot may think: as the player has set it; in a match between bots, the usual time."""
        return self.thinking.seconds(table.game.id) if table.persons else USUAL_SECONDS

    def _learn(self, level: str, share: float) -> None:
        """The share of its time a level uses. It falls at once and rises slowly: a first thought starts a process."""
        self._shares[level] = min(share, (3 * self._shares.get(level, 1.0) + share) / 4)

    def _pause_at(self, table: Table) -> float:
        return self.pause * _PAUSES[table.speed]

    async def _write(
        self, act: Callable[Concatenate[Table, _P], Table], table: Table, *arguments: _P.args, **options: _P.kwargs
    ) -> None:
        await self._writers.run(act, table, *arguments, **options)
