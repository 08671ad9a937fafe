"""The coach when bot workers run apart from the servers: a process with workers answers, and a review is made once."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from jaipur.coach.advice import Valued
from jaipur.coach.grades import Grade, judge_name
from jaipur.server.bots.scheduler import BotWorkers
from jaipur.server.coach import jobs as judgements
from jaipur.server.coach import review_service
from jaipur.server.coach.advisor import Advisor, _form
from jaipur.server.coach.jobs import advice_for, doubt_about, values_of
from jaipur.server.coach.review_service import PROGRESS, Reviews
from jaipur.server.live.hub import Hub
from jaipur.server.live.messages import CoachAnswer, ReviewWanted, pack, unpack
from jaipur.server.live.presence import Presence
from jaipur.server.many.relay import Relay
from jaipur.store import ReviewShelf, Store, open_database
from jaipur.table import NotAllowed, Tables
from tests.server.coach.test_reviews import WORLDS, Thread, finished, given_up, made
from tests.support.matches import review_match, some_views
from tests.support.program import PATIENCE
from tests.support.server import my_turn

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review_service, "WORLDS", WORLDS)
    monkeypatch.setattr(review_service, "_SILENCE", 0.5)
    monkeypatch.setattr(judgements, "HINT_WORLDS", 20)


class Process:
    """A server without bot workers, or bot workers without a server."""

    def __init__(self, address: str, workers: int) -> None:
        self.tables = Tables(Store(open_database(address)))
        self.hub = Hub(self.tables)
        self.pool = Thread(max(workers, 1))
        self.workers = BotWorkers(self.tables, self.hub, self.pool if workers else None, 0)
        self.relay = Relay(self.tables, self.workers, Presence(self.hub))
        self.advisor = Advisor(self.workers, self.relay)
        self.reviews = Reviews(self.workers, self.hub, self.relay)

    async def __aenter__(self) -> "Process":
        self.hub.loop = asyncio.get_running_loop()
        await self.relay.start()
        await self.workers.start()
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.reviews.stop()
        await self.advisor.stop()
        await self.workers.stop()
        await self.relay.stop()
        self.tables.store.close()


def run(address: str, do: Callable[[Process, Process, Process], Awaitable[None]]) -> None:
    """A server, and two processes with bot workers."""

    async def all_together() -> None:
        async with (
            asyncio.timeout(PATIENCE),
            Process(address, 0) as server,
            Process(address, 2) as one,
            Process(address, 2) as other,
        ):
            await do(server, one, other)

    asyncio.run(all_together())


async def heard(advisor: Advisor, *about: Any) -> Any:
    """Asks until somebody is listening: processes need a moment to hear each other."""
    while True:
        try:
            return await advisor.ask(*about, patience=2)
        except NotAllowed:
            continue


def test_a_server_without_bot_workers_has_hints_from_the_others(address: str) -> None:
    async def ask(server: Process, one: Process, other: Process) -> None:
        view = server.tables.open(my_turn(server.tables)).view(0)
        assert await heard(server.advisor, advice_for, str(view)) == advice_for(str(view))
        for view in some_views(6):
            move = str(view.legal_moves()[-1])
            assert await heard(server.advisor, doubt_about, str(view), move) == doubt_about(str(view), move)
        assert one.pool.computed + other.pool.computed >= 7
        assert not server.pool.computed
        assert not server.advisor._asked

    run(address, ask)


def test_who_finds_nobody_to_answer_is_told_soon(address: str) -> None:
    async def alone() -> None:
        async with asyncio.timeout(PATIENCE), Process(address, 0) as server:
            view = str(some_views(1)[0])
            with pytest.raises(NotAllowed, match="busy"):
                await server.advisor.ask(advice_for, view, patience=0.2)
            assert not server.advisor._asked

    asyncio.run(alone())


def test_the_longest_answer_fits_into_a_notice() -> None:
    """PostgreSQL accepts fewer than 8,000 bytes."""
    longest = [Valued("+DDGGS-LLMMM", 0.123456, 0.123456, 1000)] * 167
    assert len(pack(CoachAnswer("0" * 16, _form(values_of).dump_python(longest, mode="json")))) < 7900


def test_every_answer_is_read_as_it_was_written() -> None:
    view = next(view for view in some_views(20) if len(view.legal_moves()) > 5)
    answers: list[tuple[Any, Any]] = [
        (advice_for, advice_for(str(view))),
        (values_of, [Valued("+D", 0.5, None, 0), Valued("+M", 0.25, 0.125, 7)]),
        (doubt_about, None),
    ]
    for move in view.legal_moves()[:8]:
        graded = judgements.tried(str(view), str(view.legal_moves()[0]), str(move))
        assert isinstance(graded, Grade)
        answers.append((judgements.tried, graded))
    for task, answer in answers:
        message = unpack(pack(CoachAnswer("key", _form(task).dump_python(answer, mode="json"))))
        assert isinstance(message, CoachAnswer)
        assert _form(task).validate_python(message.answer) == answer


def test_a_server_without_bot_workers_has_reviews_from_the_others_and_once(address: str) -> None:
    told: list[str] = []

    async def review(server: Process, one: Process, other: Process) -> None:
        tables = server.tables
        for table in (finished(tables), given_up(tables, 9)):

            async def hear(game: str = table.game.id, number: int = table.number) -> None:
                async for event in server.hub.listen(game, number):
                    assert event.kind == PROGRESS
                    told.append(event.text)

            listener = asyncio.create_task(hear())
            before = one.pool.computed + other.pool.computed
            progress = await server.reviews.begin(table)
            while table.game.id in server.reviews.making:
                await asyncio.sleep(0.01)
            assert progress.ungraded is not None
            assert server.reviews.finished(table) == review_match(table.match, WORLDS, ended=True)
            # One task per decision, plus a draft by the process that grades them.
            assert one.pool.computed + other.pool.computed == before + table.match.ply + 1
            total = table.match.ply
            assert told[0] == f"0/{total}"
            assert told.count(f"{total}/{total}") >= 2
            told.clear()
            listener.cancel()
        while one.reviews.making or other.reviews.making:  # they finish a moment after everybody was told
            await asyncio.sleep(0.01)

    run(address, review)


def test_two_servers_with_bot_workers_make_a_review_once(address: str) -> None:
    async def review(_server: Process, one: Process, other: Process) -> None:
        table = finished(one.tables)
        await asyncio.gather(made(one.reviews, table), made(other.reviews, table))
        # One task per decision, and each has made its own draft.
        assert one.pool.computed + other.pool.computed == table.match.ply + 2
        assert one.reviews.finished(table) == other.reviews.finished(table) == review_match(table.match, WORLDS)

    run(address, review)


def test_a_review_is_taken_over_from_a_process_that_ends(address: str) -> None:
    async def all_together() -> None:
        async with asyncio.timeout(PATIENCE), Process(address, 0) as server:
            table = finished(server.tables)
            async with Process(address, 1):
                progress = await server.reviews.begin(table)
                while progress.done < 2:
                    await asyncio.sleep(0.01)
            async with Process(address, 1):
                await made(server.reviews, table)
            assert server.reviews.finished(table) == review_match(table.match, WORLDS)

    asyncio.run(all_together())


def test_a_wish_for_a_match_that_goes_on_gets_nothing(address: str) -> None:
    """Whatever a notice says, the table decides."""

    async def wish(server: Process, one: Process, _other: Process) -> None:
        game = my_turn(server.tables)
        one.reviews._on_wanted(ReviewWanted(game, "somebody"))
        while one.reviews.making:
            await asyncio.sleep(0.01)
        assert ReviewShelf(server.tables.store).review(game, judge_name()) is None

    run(address, wish)
