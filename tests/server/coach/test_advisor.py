"""The coach is shared by owner: the first question of each comes before anybody's second."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from jaipur.server.bots.work_queue import Rank, Work
from jaipur.server.coach.advisor import Advisor
from jaipur.server.edge.client_address import asking
from jaipur.server.live.presence import Presence
from jaipur.server.many.relay import Relay
from jaipur.table import Tables
from tests.support.bot_workers import HeldBotWorkers, HeldEngine, with_bot_workers
from tests.support.served import until
from tests.support.server import my_turn, play_some

T = TypeVar("T")


class Noting(HeldEngine):
    """Notes each piece of work before it may begin."""

    def __init__(self) -> None:
        super().__init__()
        self.may_think.clear()

    async def run(self, task: Callable[[], T], seconds: float = 0.0) -> T:
        answer = task()
        self.asked.append(str(answer))
        await self.may_think.wait()
        return answer


def ask_as(owner: str, advisor: Advisor, question: str) -> asyncio.Task[str]:
    asking.set(owner)
    return asyncio.create_task(advisor.ask(str, question))


def with_questions(tables: Tables, fill: Callable[[HeldBotWorkers, Advisor], list[asyncio.Task[str]]]) -> list[str]:
    """What one process works on, in this order, if all of it arrives while it is busy."""
    engine = Noting()

    async def ask(workers: HeldBotWorkers) -> None:
        tasks = fill(workers, Advisor(workers, Relay(tables, workers, Presence(workers.service.hub))))
        await until(lambda: bool(engine.asked))
        await asyncio.sleep(0)
        engine.may_think.set()
        await asyncio.gather(*tasks)

    with_bot_workers(tables, ask, engine)
    return engine.asked


def test_a_grade_of_one_player_comes_before_the_second_question_of_another(tables: Tables) -> None:
    def fill(workers: HeldBotWorkers, advisor: Advisor) -> list[asyncio.Task[str]]:
        many = [ask_as("greedy", advisor, f"question {n}") for n in range(10)]
        grade = workers.compute("grade", Work(Rank.REVIEW, "me", 0.2), str, "my grade")
        return [*many, asyncio.create_task(grade)]

    asked = with_questions(tables, fill)
    assert asked[:3] == ["question 0", "my grade", "question 1"]
    assert len(asked) == 11


def test_one_player_s_question_comes_before_the_second_of_another(tables: Tables) -> None:
    def fill(_workers: HeldBotWorkers, advisor: Advisor) -> list[asyncio.Task[str]]:
        owners = ["greedy"] * 10 + ["me"]
        return [ask_as(owner, advisor, f"{owner} {n}") for n, owner in enumerate(owners)]

    assert with_questions(tables, fill)[:2] == ["greedy 0", "me 10"]


def test_a_question_comes_before_the_second_bot_of_another_player(tables: Tables) -> None:
    games, engine = [my_turn(tables) for _ in range(20)], Noting()

    async def ask(workers: HeldBotWorkers) -> None:
        advisor = Advisor(workers, Relay(tables, workers, Presence(workers.service.hub)))
        asking.set("192.0.2.1")
        for game in games:
            await asyncio.to_thread(play_some, tables, game, 1)
        await until(lambda: workers.waiting[Rank.PERSON] == 19)
        question = ask_as("me", advisor, "my question")
        await until(lambda: workers.waiting[Rank.PERSON] == 20)
        engine.may_think.set()
        await question
        assert engine.asked[1] == "my question"

    with_bot_workers(tables, ask, engine)
