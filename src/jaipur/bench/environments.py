"""How fast the environments are, compared with card games of other libraries."""

import random
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pettingzoo
from pettingzoo.env_registry.exceptions import FailedToImport

from jaipur.envs import PETTINGZOO
from jaipur.envs.self_play import SelfPlayEnv
from jaipur.language import _
from jaipur.rules.playout import random_rounds
from jaipur.rules.rng import Rng

Figure = float | str
_ROUNDS = 512
_PETTINGZOO_GAMES = ("leduc_holdem-v4", "texas_holdem-v4", "texas_holdem_no_limit-v6", "hanabi-v5")
_RLCARD_GAMES = ("gin-rummy", "leduc-holdem", "limit-holdem", "no-limit-holdem")


def measure(seconds: float) -> dict[str, Figure]:
    """Steps per second by name, on one core, in processor time, with random moves. A turn is a step."""
    bare = _rate(_bare_engine(), seconds)
    vector = _rate(_vector(), seconds)
    figures: dict[str, Figure] = {
        "jaipur engine alone": bare,
        "jaipur vector, legal indices": vector,
        "jaipur vector, packed masks": _rate(_vector(masks=True, copy=False), seconds),
        "jaipur vector, feature rows": _rate(_vector(features=True), seconds),
        "vector : engine alone": vector / bare,
        "jaipur AEC, legal indices": _rate(_agents(PETTINGZOO, _by_info), seconds),
        "jaipur AEC, mask": _rate(_agents(PETTINGZOO, _by_mask), seconds),
        "jaipur AEC, factored": _rate(_agents(PETTINGZOO, _by_info, actions="factored"), seconds),
    }
    for name in _PETTINGZOO_GAMES:
        figures[f"PettingZoo {name}"] = _other(partial(_agents, f"classic/{name}", _by_mask), seconds)
    for name in _RLCARD_GAMES:
        figures[f"RLCard {name}"] = _other(partial(_rlcard, name), seconds)
    figures[f"Pgx leduc_holdem, {_ROUNDS} at once"] = _other(_pgx, seconds)
    return figures


def _rate(steps: Callable[[], int], seconds: float) -> float:
    """Steps per second; the first call, which may build or compile something, does not count."""
    steps()
    done = 0
    start = time.process_time()
    while (elapsed := time.process_time() - start) < seconds:
        done += steps()
    return done / elapsed


def _other(make: Callable[[], Callable[[], int]], seconds: float) -> Figure:
    """Another library's game, or how to get it."""
    try:
        return _rate(make(), seconds)
    except (ImportError, FailedToImport):
        return _("not installed: {command}").format(command="pip install rlcard pygame-ce pgx shimmy")


def _bare_engine() -> Callable[[], int]:
    rng = Rng(1)
    return lambda: random_rounds(10, rng).turns


def _vector(**options: Any) -> Callable[[], int]:
    env = SelfPlayEnv(_ROUNDS, **options)
    luck = np.random.default_rng(1)
    state = [env.reset(seed=1)[1]]

    def steps() -> int:
        infos = state[0]
        for _step in range(10):
            first = infos["first"]
            picks = first[:-1] + (luck.random(_ROUNDS) * np.diff(first)).astype(np.int32)
            infos = env.step(infos["legal"][picks])[4]
        state[0] = infos
        return 10 * _ROUNDS

    return steps


def _by_info(observation: Any, info: Any) -> Any:
    legal = info["legal"]
    return legal[int(random.random() * len(legal))]


def _by_mask(observation: Any, info: Any) -> Any:
    mask = info["action_mask"] if "action_mask" in info else observation["action_mask"]
    legal = np.flatnonzero(mask)
    return legal[int(random.random() * len(legal))]


def _agents(name: str, choose: Callable[[Any, Any], Any], **options: Any) -> Callable[[], int]:
    env = pettingzoo.make("aec", name, **options)
    env.reset(seed=1)

    def steps() -> int:
        done = 0
        env.reset()
        for _agent in env.agent_iter():
            observation, _reward, ended, cut, info = env.last()
            env.step(None if ended or cut else choose(observation, info))
            done += not (ended or cut)
        return done

    return steps


def _rlcard(name: str) -> Callable[[], int]:
    import rlcard  # noqa: PLC0415 - only for this measurement

    env = rlcard.make(name, config={"seed": 1})

    def steps() -> int:
        done = 0
        state, _player = env.reset()
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _player = env.step(legal[int(random.random() * len(legal))])
            done += 1
        return done

    return steps


def _pgx() -> Callable[[], int]:
    import jax  # noqa: PLC0415 - only for this measurement
    import pgx  # noqa: PLC0415

    env = pgx.make("leduc_holdem")

    def one(state: Any, key: Any) -> Any:
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
        played = env.step(state, jax.random.categorical(key, logits))
        fresh = env.init(key)
        return jax.tree_util.tree_map(lambda new, old: jax.numpy.where(played.terminated, new, old), fresh, played)

    step = jax.jit(jax.vmap(one))
    keys = jax.random.split(jax.random.PRNGKey(1), _ROUNDS)
    state = [jax.jit(jax.vmap(env.init))(keys), keys]

    def steps() -> int:
        state[1] = jax.vmap(lambda key: jax.random.split(key)[0])(state[1])
        state[0] = jax.block_until_ready(step(state[0], state[1]))
        return _ROUNDS

    return steps
