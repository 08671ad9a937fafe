"""Bot workers whose thinking is under the control of a test."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from jaipur.server.bots.engine import Engine
from jaipur.server.bots.scheduler import BotWorkers
from jaipur.server.bots.thought import think
from jaipur.server.edge.client_address import asking
from jaipur.server.live.hub import Hub
from jaipur.table import Tables
from tests.support.server import BOT, play_some


class HeldEngine(Engine):
    """Thinks in a thread as soon as it is allowed to, so that no process has to start."""

    def __init__(self) -> None:
        super().__init__()
        self.may_think = asyncio.Event()
        self.may_think.set()
        self.asked: list[str] = []
        self.seconds: list[float] = []

    async def think(self, level: str, position: str, seconds: float) -> str:
        self.asked.append(position)
        self.seconds.append(seconds)
        await self.may_think.wait()
        return await asyncio.to_thread(think, level, position, 1, seconds)


class HeldBotWorkers(BotWorkers):
    """Bot workers that think in this way."""

    engine: HeldEngine


def with_bot_workers(
    tables: Tables, do: Callable[[HeldBotWorkers], Awaitable[None]], engine: HeldEngine | None = None
) -> None:
    """Runs a scene while bots are served."""

    async def run() -> None:
        hub = Hub(tables)
        hub.loop = asyncio.get_running_loop()
        workers = HeldBotWorkers(tables, hub, engine or HeldEngine(), 0)
        await workers.start()
        try:
            await do(workers)
        finally:
            await workers.stop()

    asyncio.run(run())


@asynccontextmanager
async def watching(workers: HeldBotWorkers, *games: str, who: str = "192.0.2.7") -> AsyncIterator[None]:
    """Somebody listens to these games."""

    async def listen(game: str) -> None:
        asking.set(who)
        async for _event in workers.service.hub.listen(game, 0):
            pass

    listeners = [asyncio.create_task(listen(game)) for game in games]
    yield
    for listener in listeners:
        listener.cancel()
    await asyncio.gather(*listeners, return_exceptions=True)


def bots_turn(tables: Tables) -> str:
    """A game in which it is the bot's turn."""
    game = tables.create(BOT).game.id
    while tables.open(game).bot_to_move is None:
        play_some(tables, game, 1)
    return game
