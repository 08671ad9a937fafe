"""A review of a finished match is made once, by the bot workers, after any move that is waiting; then it is kept."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import TypeVar

import pytest

from jaipur.coach.grades import Task, grade, judge_name
from jaipur.coach.review import Review
from jaipur.record import Ended, Loss, Record
from jaipur.rules.errors import NotationError
from jaipur.server.bots.engine import Engine
from jaipur.server.bots.scheduler import BotWorkers
from jaipur.server.bots.work_queue import Rank, Work
from jaipur.server.coach import review_service
from jaipur.server.coach.jobs import draft
from jaipur.server.coach.review_service import PROGRESS, Reviews
from jaipur.server.edge.client_address import asking
from jaipur.server.live.hub import Hub
from jaipur.server.live.presence import Presence
from jaipur.server.many.relay import Relay
from jaipur.store import Reviewed, ReviewShelf
from jaipur.store.administration import Administration
from jaipur.table import NotAllowed, Table, Tables
from jaipur.table.seen.seen import see_record
from tests.server.play.test_long_games import endless
from tests.support.matches import played_match, review_match
from tests.support.program import PATIENCE
from tests.support.served import until
from tests.support.server import (
    BOT,
    GAME_PAGES,
    ME,
    ONE_SCREEN,
    PAIR,
    PEOPLE,
    STRANGER,
    new_tables,
    play_some,
    played_here,
    server,
)

WORLDS = 4
T = TypeVar("T")


class Thread(Engine):
    """Computes in a thread, so that no process has to start."""

    computed: int = 0

    async def run(self, task: Callable[[], T], seconds: float = 0.0) -> T:
        self.computed += 1
        return await asyncio.to_thread(task)


def finished(tables: Tables, seed: int = 1) -> Table:
    return played_here(tables, BOT, played_match(seed, ("trader", "trader")))


def with_reviews(tables: Tables, do: Callable[[Reviews, BotWorkers], Awaitable[None]]) -> None:
    async def run() -> None:
        hub = Hub(tables)
        hub.loop = asyncio.get_running_loop()
        workers = BotWorkers(tables, hub, Thread(2), 0)
        await workers.start()
        made = Reviews(workers, hub, Relay(tables, workers, Presence(hub)))
        try:
            async with asyncio.timeout(PATIENCE):
                await do(made, workers)
        finally:
            await made.stop()
            await workers.stop()

    asyncio.run(run())


async def made(shelf: Reviews, table: Table) -> None:
    await shelf.begin(table)
    while table.game.id in shelf.making:
        await asyncio.sleep(0.01)


@pytest.fixture(autouse=True)
def _few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review_service, "WORLDS", WORLDS)


def test_a_review_is_what_the_review_of_its_record_is_and_is_made_once(tables: Tables) -> None:
    table = finished(tables)

    async def twice(shelf: Reviews, workers: BotWorkers) -> None:
        first, second = await shelf.begin(table), await shelf.begin(table)
        assert first is second
        await made(shelf, table)
        assert isinstance(workers.engine, Thread)
        computed = workers.engine.computed
        assert computed == table.match.ply + 1
        assert shelf.finished(table) == review_match(table.match, WORLDS)
        # Asking again finds it, and the first row stays.
        row = shelf.shelf.review(table.game.id, review_match(table.match, WORLDS).judge)
        assert row is not None
        assert row.worlds == WORLDS
        await made(shelf, table)
        assert shelf.shelf.review(table.game.id, row.judge) == row

    with_reviews(tables, twice)
    told = [json.loads(one.players) for one in of_me(tables)]
    assert told
    assert told[0][0]["decisions"] > 10


def test_the_same_record_is_graded_once_however_often_it_is_taken_in(tables: Tables) -> None:
    first = finished(tables)
    again = tables.create(BOT, history=Record.parse(str(see_record(first))))
    shorter = tables.create(BOT, history=Record(first.match.until(12), ended=Ended(0, Loss.RESIGNED)))
    with_reviews(tables, lambda shelf, _workers: made(shelf, first))
    with server(tables) as caller:
        assert caller.services is not None
        shelf = caller.services.reviews
        page = caller.get(f"/game/{again.game.id}/review", cookie=True).text
        assert ("points lost per open decision" in page, 'id="progress"' in page) == (True, False)
        assert not shelf.making
        assert shelf.finished(again) == shelf.finished(first)
        assert 'id="progress"' in caller.get(f"/game/{shorter.game.id}/review", cookie=True).text
        assert shelf.finished(shorter) is None


def of_me(tables: Tables) -> list[Reviewed]:
    return ReviewShelf(tables.store).of(PAIR[0], judge_name(), 10)


def test_progress_is_told_to_those_who_listen(tables: Tables) -> None:
    table = finished(tables)
    heard: list[str] = []

    async def listen(shelf: Reviews, _workers: BotWorkers) -> None:
        async def hear() -> None:
            async for event in shelf.hub.listen(table.game.id, table.number):
                assert event.kind == PROGRESS
                heard.append(event.text)

        listener = asyncio.create_task(hear())
        await asyncio.sleep(0)
        await made(shelf, table)
        await until(lambda: heard[-2:] == [f"{table.match.ply}/{table.match.ply}"] * 2)
        listener.cancel()
        await asyncio.gather(listener, return_exceptions=True)

    with_reviews(tables, listen)
    total = table.match.ply
    assert heard[0] == f"0/{total}"
    assert heard[-2:] == [f"{total}/{total}"] * 2


def test_a_move_comes_before_every_grade(tables: Tables) -> None:
    """Grades wait in the bots' queue, with a rank below all moves."""
    assert max(Rank) is Rank.REVIEW
    order: list[str] = []

    async def ask(_shelf: Reviews, workers: BotWorkers) -> None:
        tasks = [
            asyncio.create_task(workers.compute(f"{rank.name} {n}", Work(rank, "", 0.2), order.append, rank.name))
            for n in range(3)
            for rank in (Rank.REVIEW, Rank.PERSON)
        ]
        await asyncio.gather(*tasks)

    with_reviews(tables, ask)
    assert order.index("PERSON") < order.index("REVIEW")
    assert order[-3:] == ["REVIEW"] * 3


def test_who_gives_up_waiting_leaves_the_queue(tables: Tables) -> None:
    async def leave(_shelf: Reviews, workers: BotWorkers) -> None:
        task = asyncio.create_task(workers.compute("mine", Work(Rank.REVIEW, "", 0.2), draft, "", 1))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert not workers.waiting
        assert not workers._thoughts._calls

    with_reviews(tables, leave)


def test_a_task_that_fails_tells_whoever_asked(tables: Tables) -> None:
    async def fail(_shelf: Reviews, workers: BotWorkers) -> None:
        with pytest.raises(NotationError, match="nothing"):
            await workers.compute("bad", Work(Rank.REVIEW, "", 0.2), grade, Task("nothing", "+D", 2))
        assert await workers.compute("good", Work(Rank.REVIEW, "", 0.2), max, 1, 2) == 2

    with_reviews(tables, fail)


def test_nothing_of_a_review_is_told_before_the_match_is_over() -> None:
    with new_tables() as tables:
        game = tables.create(PEOPLE).game.id
        play_some(tables, game, 10)
        with server(tables) as caller:
            for page in ("/review", "/review/1"):
                assert page in GAME_PAGES
                answer = caller.get(f"/game/{game}{page}", cookie=True)
                assert answer.status == 409
                assert "once the match is over" in answer.text
            assert caller.services is not None
            assert not caller.services.reviews.making


def given_up(tables: Tables, turns: int) -> Table:
    game = tables.create(BOT).game.id
    play_some(tables, game, turns)
    return tables.resign(tables.open(game), 0)


def test_a_match_that_was_given_up_is_reviewed_as_far_as_it_was_played() -> None:
    with new_tables() as tables:
        table = given_up(tables, 12)
        game = table.game.id
        with_reviews(tables, lambda shelf, _workers: made(shelf, table))
        with server(tables) as caller:
            for page in (f"/game/{game}", f"/game/{game}/replay/3"):
                assert f"/game/{game}/review" in caller.get(page, cookie=True).text
            page = caller.get(f"/game/{game}/review", cookie=True).text
            assert "points lost per open decision" in page
            assert "was not finished" in page
            assert "not explained" not in page
            assert caller.get(f"/game/{game}/review/12", cookie=True).status == 200
            assert "what would you play" in caller.get(f"/game/{game}/exercise/3", cookie=True).text
        review = review_match(table.match, WORLDS, ended=True)
        assert [len(part.plies) for part in review.rounds] == [12]
        assert of_me(tables)[0].game == game


def test_a_match_without_a_move_has_no_review_and_no_link_to_one() -> None:
    with new_tables() as tables:
        game = given_up(tables, 0).game.id
        with server(tables) as caller:
            answer = caller.get(f"/game/{game}/review", cookie=True)
            assert answer.status == 409
            assert "No move was played" in answer.text
            for page in (f"/game/{game}", f"/game/{game}/replay/0"):
                assert "/review" not in caller.get(page, cookie=True).text


def test_the_page_shows_graphs_at_once_and_grades_when_they_are_there() -> None:
    with new_tables() as tables:
        table = finished(tables)
        game = table.game.id
        with server(tables) as caller:
            assert f"/game/{game}/review" in caller.get(f"/game/{game}", cookie=True).text
            early = caller.get(f"/game/{game}/review", cookie=True).text
            assert early.count('class="graph"') == len(table.match.rounds)
            assert 'id="progress"' in early
            assert "points lost per open decision" not in early
            assert "luck: deal" in early
            with_reviews(tables, lambda shelf, _workers: made(shelf, table))
            late = caller.get(f"/game/{game}/review", cookie=True).text
            assert 'id="progress"' not in late
            assert "points lost per open decision" in late
            one = caller.get(f"/game/{game}/review/1", cookie=True)
            assert one.status == 200
            assert "What the deck could have brought" in one.text
            assert caller.get(f"/game/{game}/review/{table.match.ply + 1}", cookie=True).status == 404
            assert caller.get(f"/game/{game}/review", token=STRANGER, cookie=True).status == 403
            assert caller.get(f"/game/{game}/review", token=ME, cookie=True).status == 200


def test_whoever_wants_many_reviews_keeps_nobody_else_waiting(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two reviews per owner are graded at once; a few more may wait, and beyond that they are refused."""
    games = [given_up(tables, 6) for _ in range(review_service._MOST_EACH + 2)]
    mine, (too_many, others) = games[:-2], games[-2:]
    done: list[str] = []

    async def ask(shelf: Reviews, _workers: BotWorkers) -> None:
        keep, run = shelf._keep, Thread.run

        def kept(game: str, review: Review) -> None:
            done.append(game)
            keep(game, review)

        async def when_all_have_asked(engine: Thread, task: Callable[[], T], seconds: float = 0.0) -> T:
            await until(lambda: others.game.id in shelf.making or bool(done))
            return await run(engine, task, seconds)

        monkeypatch.setattr(Thread, "run", when_all_have_asked)
        monkeypatch.setattr(shelf, "_keep", kept)
        asking.set("a")
        for table in mine:
            await shelf.begin(table)
        with pytest.raises(NotAllowed, match="come back in a few minutes"):
            await shelf.begin(too_many)
        await shelf.begin(mine[0])
        asking.set("b")
        await made(shelf, others)
        while shelf.making:
            await asyncio.sleep(0.01)

    with_reviews(tables, ask)
    assert others.game.id in done[:3]
    assert len(done) == len(mine) + 1


def test_what_nobody_looks_at_is_not_graded(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    table = given_up(tables, 6)

    async def leave(shelf: Reviews, workers: BotWorkers) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(review_service, "_WANTED_SECONDS", 0.0)
            await made(shelf, table)
        assert isinstance(workers.engine, Thread)
        assert (workers.engine.computed, shelf.finished(table)) == (1, None)
        await made(shelf, table)
        assert shelf.finished(table) is not None

    with_reviews(tables, leave)


def test_a_very_long_match_is_not_reviewed_here(tables: Tables) -> None:
    """Its page would be half a megabyte."""
    long = tables.create(ONE_SCREEN, ME, history=endless(review_service.MOST_REVIEWED + 1))
    table = tables.resign(long, 0)
    with server(tables) as caller:
        for page in ("/review", "/review/1"):
            answer = caller.get(f"/game/{table.game.id}{page}", cookie=True)
            assert (answer.status, "more than 400 moves" in answer.text) == (409, True)
        assert caller.services is not None
        assert not caller.services.reviews.making


def test_a_review_goes_with_its_game(tables: Tables) -> None:
    table = finished(tables)
    with_reviews(tables, lambda shelf, _workers: made(shelf, table))
    assert len(of_me(tables)) == 1
    Administration(tables.store).delete([table.game.id])
    assert of_me(tables) == []
