"""The work queue: by rank, short before long, and fair between owners; tested without real time."""

import asyncio
import itertools

from hypothesis import given
from hypothesis import strategies as st

from jaipur.server.bots.work_queue import LONG_SECONDS, Rank, Turns, Work, WorkQueue

LONG, SHORT = 5 * LONG_SECONDS, LONG_SECONDS / 10


def queue(*waiting: tuple[str, Work]) -> WorkQueue:
    made = WorkQueue()
    for key, work in waiting:
        made.put(key, work)
    return made


def all_of(waiting: WorkQueue) -> list[str]:
    return [waiting.take()[0] for _ in range(len(waiting))]


def many(owner: str, number: int, rank: Rank = Rank.PERSON, seconds: float = LONG) -> list[tuple[str, Work]]:
    return [(f"{owner}{n}", Work(rank, owner, seconds)) for n in range(number)]


def test_people_come_before_bot_matches() -> None:
    waiting = queue(*many("matches", 60, Rank.MATCH), *many("old", 3, Rank.LEFT_OVER), *many("ann", 2))
    assert all_of(waiting)[:6] == ["ann0", "ann1", "old0", "old1", "old2", "matches0"]


def test_short_thoughts_come_before_long_ones() -> None:
    """Even of the same owner: a family at one address need not wait for its one strong player."""
    waiting = queue(*many("ann", 20), ("quick", Work(Rank.PERSON, "ann", SHORT)), *many("bob", 1, seconds=SHORT))
    assert set(all_of(waiting)[:2]) == {"quick", "bob0"}


def test_an_owner_with_much_work_delays_another_by_one_piece() -> None:
    waiting = queue(*many("greedy", 1000))
    for _ in range(10):
        waiting.take()
    waiting.put("mine", Work(Rank.PERSON, "me", LONG))
    assert "mine" in [waiting.take()[0] for _ in range(2)]


def test_owners_take_turns() -> None:
    waiting = queue(*many("a", 4), *many("b", 4), *many("c", 2))
    assert [key[0] for key in all_of(waiting)] == list("abcabcabab")


def test_who_was_away_has_saved_nothing_up() -> None:
    """Nor is anybody punished for what they used while nobody else wanted it."""
    waiting = queue(*many("a", 50))
    for _ in range(50):
        waiting.take()
    for key, work in [*many("b", 3), *many("a", 3)]:
        waiting.put(key, work)
    assert [key[0] for key in all_of(waiting)] == list("bababa")


def test_a_key_waits_once_and_can_only_gain() -> None:
    waiting = queue(*many("a", 2, Rank.LEFT_OVER))
    waiting.put("a1", Work(Rank.PERSON, "me", LONG))
    waiting.put("a1", Work(Rank.MATCH, "me", LONG))
    assert waiting.ranks() == {Rank.PERSON: 1, Rank.LEFT_OVER: 1}
    assert all_of(waiting) == ["a1", "a0"]


def test_what_is_removed_never_comes() -> None:
    waiting = queue(*many("a", 3))
    waiting.remove("a1")
    assert all_of(waiting) == ["a0", "a2"]


def test_a_key_that_waits_again_and_again_takes_no_more_room() -> None:
    waiting = queue(*many("other", 3))
    for _ in range(1000):
        waiting.put("x", Work(Rank.MATCH, "x", LONG))
        waiting.put("x", Work(Rank.PERSON, "x", LONG))
        waiting.remove("x")
    assert len(waiting._heap) < 100
    all_of(waiting)
    assert not waiting._ahead
    assert not waiting._pieces


works = st.builds(Work, st.sampled_from(Rank), st.sampled_from("abc"), st.sampled_from([SHORT, LONG]))


@given(st.lists(works, max_size=30))
def test_everything_comes_once_and_in_order(given_works: list[Work]) -> None:
    waiting = queue(*((str(n), work) for n, work in enumerate(given_works)))
    taken = [waiting.take() for _ in given_works]
    assert sorted(int(key) for key, _work in taken) == list(range(len(given_works)))
    places = [(work.rank, work.seconds >= LONG_SECONDS) for _key, work in taken]
    assert places == sorted(places)
    for place, owner in itertools.product(set(places), "abc"):
        keys = [int(key) for (key, work), at in zip(taken, places, strict=True) if at == place and work.owner == owner]
        assert keys == sorted(keys)


def test_places_are_given_away_in_order_and_only_to_those_who_still_wait() -> None:
    async def run() -> list[str]:
        turns, order = Turns(1), list[str]()

        async def begin(key: str, work: Work) -> None:
            async with turns.turn(key, work):
                order.append(key)
                await asyncio.sleep(0)

        tasks = [asyncio.create_task(begin(key, work)) for key, work in [*many("a", 4), *many("b", 2)]]
        await asyncio.sleep(0)
        tasks[2].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert not turns.queue
        return order

    assert asyncio.run(run()) == ["a0", "b0", "a1", "b1", "a3"]


def test_a_place_that_was_given_to_who_has_left_goes_to_the_next() -> None:
    async def run() -> None:
        turns = Turns(1)
        first, second, third = (Work(Rank.PERSON, owner, SHORT) for owner in "abc")
        await turns.acquire("a", first)
        leaver, stayer = (asyncio.create_task(turns.acquire(*wish)) for wish in (("b", second), ("c", third)))
        await asyncio.sleep(0)
        turns.release()  # the place is the leaver's, who does not know yet
        leaver.cancel()
        await stayer
        assert leaver.cancelled()

    asyncio.run(asyncio.wait_for(run(), 60))
