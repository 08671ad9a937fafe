"""The vector environment: many rounds at once are the same as one round at a time."""

import multiprocessing
import random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from jaipur import IllegalMove, JaipurError
from jaipur.encoding.actions import ACTIONS, EXCHANGES
from jaipur.encoding.observation import ROW
from jaipur.encoding.vector import Rounds
from jaipur.envs import SELF_PLAY
from jaipur.envs.observe import feature_rows, mask
from jaipur.envs.self_play import SelfPlayEnv, unpack
from tests.envs.agreement import vector

pytestmark = pytest.mark.slow

Trace = list[tuple[Any, ...]]


def trace(env: SelfPlayEnv, seed: int, steps: int) -> Trace:
    """Plays the highest and the lowest legal action in turn for some steps; returns all that came back."""
    rows, infos = env.reset(seed=seed)
    found: Trace = [(rows, infos)]
    for step in range(steps):
        first = infos["first"]
        picks = first[:-1] if step % 2 else first[1:] - 1
        found.append(env.step(infos["legal"][picks]))
        infos = found[-1][-1]
    return found


def same(one: Any, other: Any) -> bool:
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(np.array_equal(one, other))


def test_the_environment_and_the_engine_agree() -> None:
    assert vector(400, random.Random(1), masks=True) >= 400


def test_it_is_made_by_name_and_keeps_gymnasiums_promises() -> None:
    env = gymnasium.make_vec(SELF_PLAY, num_envs=3)
    assert env.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    assert env.num_envs == 3
    rows, _infos = env.reset(seed=5)
    assert env.observation_space.contains(rows)
    assert rows.dtype == np.uint8
    for rows, rewards, ended, cut, infos in trace(SelfPlayEnv(3), 5, 300)[1:]:
        assert env.observation_space.contains(rows)
        assert (rewards.dtype, ended.dtype, cut.dtype) == (np.float64, np.bool_, np.bool_)
        assert rewards.shape == ended.shape == cut.shape == infos["seat"].shape == (3,)
        assert ("final_obs" in infos) == ended.any()
        assert env.action_space.contains(infos["legal"][infos["first"][:-1]].astype(np.int64))
    env.close()


def test_gymnasiums_wrappers_go_around_it() -> None:
    env = RecordEpisodeStatistics(gymnasium.make_vec(SELF_PLAY, num_envs=4))
    _rows, infos = env.reset(seed=1)
    lengths: list[int] = []
    for _ in range(300):
        _rows, _rewards, ended, _cut, infos = env.step(infos["legal"][infos["first"][:-1]])
        lengths += infos["episode"]["l"][ended].tolist() if ended.any() else []
    assert len(lengths) > 5
    assert min(lengths) > 10


def test_the_same_seed_gives_the_same_rounds() -> None:
    assert same(trace(SelfPlayEnv(5), 3, 200), trace(SelfPlayEnv(5), 3, 200))
    assert not same(trace(SelfPlayEnv(5), 3, 5), trace(SelfPlayEnv(5), 4, 5))


def test_a_round_does_not_depend_on_its_neighbours() -> None:
    """Round 2 of seed 10 is round 0 of seed 12, all the way."""
    many, alone = trace(SelfPlayEnv(3), 10, 200), trace(SelfPlayEnv(1), 12, 200)
    for (rows, *rest, _infos), (row, *one, _info) in zip(many[1:], alone[1:], strict=True):
        assert np.array_equal(rows[2], row[0])
        assert [array[2] for array in rest] == [array[0] for array in one]


def test_a_list_of_seeds_is_one_seed_a_round() -> None:
    env = SelfPlayEnv(2)
    rounds = env.reset(seed=8)
    for seed in ([8, 9], [np.int64(8), np.uint8(9)], np.int64(8)):
        assert same(env.reset(seed=seed), rounds)  # type: ignore[arg-type]
    assert np.array_equal(env.reset(seed=[None, 9])[0][1], rounds[0][1])


def test_resets_without_a_seed_go_on() -> None:
    env = SelfPlayEnv(2)
    env.reset(seed=1)
    one = env.reset()
    other = env.reset()
    env.reset(seed=1)
    assert same(env.reset(), one)
    assert not same(one, other)


def test_masks_and_features_belong_to_the_legal_actions() -> None:
    env = SelfPlayEnv(7, masks=True, features=True)
    for step in trace(env, 2, 150)[::10]:
        infos = step[-1]
        for i in range(7):
            legal = infos["legal"][infos["first"][i] : infos["first"][i + 1]]
            assert np.array_equal(unpack(infos["action_mask"])[i], mask(legal.tolist(), ACTIONS))
    features = env.step(infos["legal"][infos["first"][:-1]])[-1]["features"]
    rows = np.concatenate([feature_rows(env.view(i)) for i in range(7)])
    assert np.array_equal(features, rows)


def test_rupees_are_paid_to_the_seat_that_acted() -> None:
    """Whoever has more rupees wins, and both kinds of reward come when a round ends and at no other time."""
    wins, rupees = SelfPlayEnv(8), SelfPlayEnv(8, reward="rupees")
    ends = 0
    for one, other in zip(trace(wins, 1, 300)[1:], trace(rupees, 1, 300)[1:], strict=True):
        assert np.array_equal(one[2], other[2])
        decided = np.sign(other[1]) == one[1]
        assert (decided | (other[1] == 0)).all()
        assert (other[1][~other[2]] == 0).all()
        ends += other[2].sum()
    assert ends > 10


def test_copies_stay_as_they_were_and_windows_do_not() -> None:
    for copy in (True, False):
        env = SelfPlayEnv(2, masks=True, copy=copy)
        rows, infos = env.reset(seed=1)
        before = rows.copy()
        env.step(infos["legal"][infos["first"][:-1]])
        assert np.array_equal(rows, before) == copy
        assert rows.flags.writeable == copy


@pytest.mark.parametrize("masks", [False, True])
def test_an_illegal_action_is_refused_with_its_rule_and_none_is_played(masks: bool) -> None:
    env = SelfPlayEnv(3, masks=masks)
    rows, infos = env.reset(seed=1)
    actions = infos["legal"][infos["first"][:-1]].copy()
    actions[1] = 42
    with pytest.raises(IllegalMove, match=r"Round 1, -LLLLLLL: .*leather in your hand \(R14\)"):
        env.step(actions)
    actions[1] = infos["legal"][infos["first"][1]]
    assert np.array_equal(env.reset(seed=1)[0], rows)
    env.step(actions)


@pytest.mark.parametrize("masks", [False, True])
def test_exactly_the_legal_actions_pass(masks: bool) -> None:
    """In the first and the last round a search could run off the list."""
    rounds = Rounds(3, count_rupees=False, want_masks=masks, want_features=False)
    rounds.deal([1, 2, 3])
    legal = [list(rounds.legal)[int(rounds.first[i]) : int(rounds.first[i + 1])] for i in range(3)]
    for number in range(3):
        actions = [moves[0] for moves in legal]
        near = {action + step for action in [-1, ACTIONS, *legal[number]] for step in (-8, -1, 0, 1, 8)}
        for actions[number] in near:
            try:
                rounds.check(np.array(actions, "<i4").tobytes())
            except JaipurError:
                assert actions[number] not in legal[number]
            else:
                assert actions[number] in legal[number]


@pytest.mark.parametrize("masks", [False, True])
@pytest.mark.parametrize(
    ("actions", "sentence"),
    [
        ([0], "Actions are an array of 2 whole numbers."),
        ([0.0, 0.0], "Actions are an array of 2 whole numbers."),
        ([6, ACTIONS], "An action is a whole number from 0 to 25498, not “25499”."),
        ([6, -1], "not “-1”."),
        ([6, 6 + (1 << 32)], "not “4294967302”."),
    ],
)
def test_what_is_no_action_is_refused(actions: list[Any], sentence: str, masks: bool) -> None:
    env = SelfPlayEnv(2, masks=masks)
    env.reset(seed=1)
    with pytest.raises(JaipurError) as caught:
        env.step(np.array(actions))
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("do", "sentence"),
    [
        (lambda: SelfPlayEnv(0), "num_envs is a whole number from 1 to 1000000, not “0”."),
        (lambda: SelfPlayEnv(2.0), "num_envs is a whole number from 1 to 1000000, not “2.0”."),  # type: ignore[arg-type]
        (lambda: SelfPlayEnv(True), "num_envs is a whole number from 1 to 1000000, not “True”."),
        (lambda: SelfPlayEnv(2, cores=3), "cores is a whole number from 1 to 2, not “3”: each core needs a round."),
        (lambda: SelfPlayEnv(2, cores=0), "cores is a whole number from 1 to 2, not “0”"),
        (lambda: SelfPlayEnv(2, masks=1), "The option masks cannot be “1”: choose False, True."),
        (lambda: SelfPlayEnv(2, speed=1), "There is no option “speed”: choose from num_envs, reward, masks"),
        (lambda: SelfPlayEnv(2, render_mode="ansi").render(), "Call reset before anything else."),
        (lambda: SelfPlayEnv(2, reward="fame"), "The option reward cannot be “fame”"),
        (lambda: SelfPlayEnv(2, render_mode="human"), "The option render_mode cannot be “human”"),
        (lambda: SelfPlayEnv(2).step(np.array([6, 6])), "Call reset before anything else."),
        (lambda: SelfPlayEnv(2).reset(seed=[1]), "There are 2 rounds: give one seed for each."),
        (lambda: SelfPlayEnv(2).reset(seed=[1, -1]), "A seed is a whole number"),
        (lambda: SelfPlayEnv(2).reset(options={"x": 1}), "reset takes no options, so “x” cannot be given."),
    ],
)
def test_a_mistake_gets_one_clear_sentence(do: Any, sentence: str) -> None:
    with pytest.raises(JaipurError) as caught:
        do()
    assert sentence in str(caught.value)


def test_each_round_can_be_shown() -> None:
    env = SelfPlayEnv(2, render_mode="ansi")
    env.reset(seed=1)
    assert ["Market: " in frame for frame in env.render()] == [True, True]
    assert env.reset(seed=1)[0].shape == (2, ROW)


@pytest.mark.parametrize("copy", [True, False])
def test_several_cores_play_the_same_rounds(copy: bool) -> None:
    """Seven rounds on three cores: arrays, masks, features, views and rewards are the same as on one core."""
    options: dict[str, Any] = {"masks": True, "features": True, "copy": copy}
    one, many = SelfPlayEnv(7, **options), SelfPlayEnv(7, cores=3, **options)
    for env in (one, many):
        env.reset(seed=4)
    assert same(one.reset(seed=5), many.reset(seed=5))
    infos = one.reset(seed=5)[1]
    for step in range(250):
        first = infos["first"]
        actions = infos["legal"][first[:-1] if step % 2 else first[1:] - 1]
        played = one.step(actions)
        assert same(played, many.step(actions))
        infos = played[-1]
    assert [many.view(number) for number in range(7)] == [one.view(number) for number in range(7)]
    assert played[0].flags.writeable == copy
    many.close()


def test_several_cores_refuse_together() -> None:
    """If one process gets an illegal action, the others play none; the error numbers rounds across all processes."""
    env = SelfPlayEnv(4, cores=2)
    _rows, infos = env.reset(seed=1)
    actions = infos["legal"][infos["first"][:-1]].copy()
    wrong = actions.copy()
    wrong[3] = 42
    with pytest.raises(IllegalMove, match=r"Round 3, -LLLLLLL: .*leather in your hand \(R14\)"):
        env.step(wrong)
    alone = SelfPlayEnv(4)
    alone.reset(seed=1)
    assert same(env.step(actions), alone.step(actions))
    env.close()


def test_a_process_that_is_killed_is_one_sentence() -> None:
    env = SelfPlayEnv(2, cores=2)
    infos = env.reset(seed=1)[1]
    first, _second = [child for child in multiprocessing.active_children() if child.name.startswith("jaipur rounds")]
    first.kill()
    first.join()
    with pytest.raises(JaipurError, match="make the environment again"):
        env.step(infos["legal"][infos["first"][:-1]])
    env.close()


def test_a_round_that_goes_nowhere_is_stopped_and_dealt_again() -> None:
    """R25: after 199 quiet turns, the next exchange ends the round, which is scored."""
    rounds = Rounds(1, count_rupees=False, want_masks=False, want_features=False)
    for seed in range(50):
        rounds.deal([seed])
        action = int(rounds.legal[int(rounds.first[1]) - 1])
        if action >= EXCHANGES:
            break
    rounds._rounds[0].quiet = 199
    rounds.step(action.to_bytes(4, "little"))
    assert rounds.ended[0] == 1
    assert rounds.last_observations[54] == 200
    assert rounds.view(0).deck_size == 40
