"""The PettingZoo environment: PettingZoo's own tests, both kinds of episode and reward, and bad input."""

import random
import warnings
from importlib import import_module
from typing import Any

import numpy as np
import pettingzoo
import pytest

from jaipur import IllegalMove, JaipurError, Move
from jaipur.encoding.actions import EXCHANGES, action_of, move_of
from jaipur.envs import PETTINGZOO, jaipur_v0
from jaipur.envs.factored import read_pick
from jaipur.envs.solo import SoloEnv
from jaipur.rules.score import Ending
from tests.envs.agreement import agents, factored, payoff

pytestmark = pytest.mark.slow

with warnings.catch_warnings():
    # If pygame is installed, this imports one of PettingZoo's own environments by a deprecated name.
    warnings.simplefilter("ignore", DeprecationWarning)
    conformance: Any = import_module("pettingzoo.test")

VARIANTS: list[dict[str, Any]] = [
    {},
    {"episode": "match"},
    {"reward": "rupees"},
    {"episode": "match", "reward": "rupees", "actions": "factored"},
    {"features": True, "illegal": "end"},
]


@pytest.mark.parametrize("options", VARIANTS, ids=str)
# The test knows by name which of PettingZoo's own environments have a mask besides the row, and warns about all others.
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning")
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros:UserWarning")
def test_pettingzoo_finds_no_fault(options: dict[str, Any]) -> None:
    conformance.api_test(jaipur_v0.env(**options), num_cycles=300)
    conformance.seed_test(lambda: jaipur_v0.env(**options), num_cycles=200)


def test_all_render_modes(capsys: pytest.CaptureFixture[str]) -> None:
    conformance.render_test(jaipur_v0.env)
    assert "Market: " in capsys.readouterr().out


def test_it_is_made_by_name() -> None:
    env = pettingzoo.make("aec", PETTINGZOO, episode="match").unwrapped
    assert isinstance(env, jaipur_v0.raw_env)
    assert env.options.whole_match
    assert str(env) == "jaipur_v0"


def play_out(env: jaipur_v0.raw_env, seed: int) -> list[float]:
    """Plays random moves to the end; returns the total rewards of both agents."""
    luck = random.Random(seed)
    env.reset(seed=seed)
    total = {"player_0": 0.0, "player_1": 0.0}
    for agent in env.agent_iter():
        _shown, reward, ended, _cut, info = env.last()
        total[agent] += reward
        env.step(None if ended else luck.choice(info["legal"]))
    return list(total.values())


@pytest.mark.parametrize("kind", ["win", "rupees"])
def test_a_match_pays_what_its_rounds_say(kind: str) -> None:
    env = jaipur_v0.env(episode="match", reward=kind)
    for seed in range(8):
        first, second = play_out(env, seed)
        match = env.episode.match
        assert match.over
        rupees = [[tally.rupees for tally in round_.score().tallies] for round_ in match.rounds]
        gap = sum(one - other for one, other in rupees)
        assert first == (gap if kind == "rupees" else 1.0 if match.winner == 0 else -1.0)
        assert first == -second


def test_a_match_shows_the_seals() -> None:
    env = jaipur_v0.env(episode="match")
    play_out(env, 3)
    seals = env.episode.match.seals
    assert env.episode.observation(0)["observation"][-2:].tolist() == list(seals)
    assert env.episode.observation(1)["observation"][-2:].tolist() == list(seals[::-1])


def test_the_environment_and_the_engine_agree() -> None:
    agents(300, random.Random(2))


def test_factored_actions_and_the_engine_agree() -> None:
    factored(150, random.Random(3))


def test_a_seed_deals_the_same_episodes_one_after_the_other() -> None:
    seeds = []
    for env in (jaipur_v0.env(), jaipur_v0.env()):
        env.reset(seed=7)
        dealt = [env.episode.match.seed]
        env.reset()
        seeds.append([*dealt, env.episode.match.seed])
    assert seeds[0] == seeds[1]
    assert seeds[0][0] != seeds[0][1]


def test_any_kind_of_whole_number_is_a_seed() -> None:
    one, other, solo = jaipur_v0.env(), jaipur_v0.env(), SoloEnv()
    one.reset(seed=7)
    other.reset(seed=np.int64(7))  # type: ignore[arg-type]
    assert one.episode.match.seed == other.episode.match.seed
    solo.reset(seed=np.int64(7))  # type: ignore[arg-type]


def test_the_same_player_acts_until_an_exchange_is_complete() -> None:
    env = jaipur_v0.env(actions="factored")
    for seed in range(50):
        env.reset(seed=seed)
        picks = [action for action in env.infos[env.agent_selection]["legal"] if 43 <= action < 49]
        if picks:
            break
    agent = env.agent_selection
    env.step(picks[0])
    while env.agent_selection == agent:
        assert env.observe(agent)["observation"][60:].sum() > 0
        assert env.rewards[agent] == 0
        env.step(env.infos[agent]["legal"][0])
    assert len(env.episode.match.round.moves) == 1
    assert env.observe(agent)["observation"][60:].sum() == 0


def test_an_illegal_action_names_its_rule_and_changes_nothing() -> None:
    env = jaipur_v0.env()
    env.reset(seed=1)
    before = env.episode.view(0)
    with pytest.raises(IllegalMove, match=r"There is no silver in the market \(R8, R10\)"):
        env.step(action_of(Move.parse("+S")))
    assert env.episode.view(0) == before
    assert env.agent_selection == f"player_{env.episode.turn}"


def test_an_illegal_pick_names_its_rules_and_what_is_possible() -> None:
    env = jaipur_v0.env(actions="factored")
    env.reset(seed=1)
    with pytest.raises(IllegalMove, match=r"“…-” leads to no legal exchange now \(R10 to R13\): choose \+L"):
        env.step(read_pick("…-"))
    with pytest.raises(IllegalMove, match=r"There is no silver in the market"):
        env.step(read_pick("+S"))


def test_an_illegal_action_can_end_the_episode_with_a_penalty() -> None:
    env = jaipur_v0.env(illegal="end", penalty=-3.0)
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(action_of(Move.parse("+S")))
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards[agent] == -3.0
    assert sum(env.rewards.values()) == -3.0
    assert "R8" in env.infos[agent]["illegal"]
    assert not env.observe(agent)["action_mask"].any()
    env.step(None)
    env.step(None)
    assert env.agents == []


def reset(seed: Any) -> None:
    jaipur_v0.env().reset(seed=seed)


def finished() -> jaipur_v0.raw_env:
    env = jaipur_v0.env()
    play_out(env, 1)
    return env


@pytest.mark.parametrize(
    ("do", "sentence"),
    [
        (lambda: jaipur_v0.env(episode="game"), "The option episode cannot be “game”: choose round, match."),
        (lambda: jaipur_v0.env(reward=1), "The option reward cannot be “1”: choose win, rupees."),
        (lambda: jaipur_v0.env(actions="big"), "The option actions cannot be “big”: choose flat, factored."),
        (lambda: jaipur_v0.env(illegal="pass"), "The option illegal cannot be “pass”: choose error, end."),
        (lambda: jaipur_v0.env(penalty="much"), "A penalty is a number, not “much”."),
        (lambda: jaipur_v0.env(penalty=float("nan")), "A penalty is a number, not “nan”."),
        (lambda: jaipur_v0.env().last(), "Call reset before anything else."),
        (
            lambda: jaipur_v0.env(actions="factored", features=True),
            "Feature rows belong to whole moves",
        ),
        (
            lambda: jaipur_v0.env(render_mode="3d"),
            "The option render_mode cannot be “3d”: choose None, ansi, human, rgb_array.",
        ),
        (lambda: jaipur_v0.env(speed=2), "There is no option “speed”: choose from episode, reward, actions"),
        (
            lambda: reset("one"),
            "A seed is a whole number from 0 to 2**64 - 1, or None, not “one”.",
        ),
        (lambda: reset(1.0), "not “1.0”."),
        (lambda: reset(-1), "not “-1”."),
        (lambda: reset(True), "not “True”."),
        (lambda: jaipur_v0.env().step(0), "Call reset before anything else."),
        (lambda: jaipur_v0.env().render(), "Call reset before anything else."),
        (lambda: finished().step(0), "The episode is over: call reset to begin another."),
        (lambda: finished().step(None), "The episode is over: call reset to begin another."),
        (lambda: finished().render(), "Choose a render_mode when you make the environment"),
    ],
)
def test_a_mistake_gets_one_clear_sentence(do: Any, sentence: str) -> None:
    with pytest.raises(JaipurError) as caught:
        do()
    assert sentence in str(caught.value)


@pytest.mark.parametrize("action", [25_499, -1, 1.5, "0", None, True, np.array([0]), 1 << 70])
def test_what_is_no_action_is_refused(action: Any) -> None:
    env = jaipur_v0.env()
    env.reset(seed=1)
    with pytest.raises(JaipurError, match="An action is a whole number from 0 to 25498, not"):
        env.step(action)


def test_any_kind_of_whole_number_is_an_action() -> None:
    kinds: list[Any] = [int, np.int8, np.int64, np.uint16, np.array]
    for kind in kinds:
        env = jaipur_v0.env()
        env.reset(seed=1)
        env.step(kind(6))
        assert env.episode.match.round.moves == [move_of(6)]


def test_a_round_that_goes_nowhere_is_stopped_and_scored() -> None:
    """R25: the 200th turn without a sale or a drawn card ends the round; that is a termination, not a truncation."""
    env = jaipur_v0.env()
    for seed in range(50):
        env.reset(seed=seed)
        if env.episode.legal[-1] >= EXCHANGES:
            break
    env.episode.round.quiet = 198
    env.step(env.episode.legal[-1])
    assert not env.episode.over
    env.episode.round.quiet = 199
    env.step(next(action for action in env.episode.legal[::-1] if action >= EXCHANGES))
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.truncations == {"player_0": False, "player_1": False}
    assert env.episode.round.ending is Ending.STOPPED
    assert env.rewards["player_0"] == payoff(env.episode.round, 0)
