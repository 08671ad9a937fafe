"""How fast the environments are, compared with card games of other libraries."""

import random
import time
from collections.abc import Callable, Iterator
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
        figures[f"PettingZoo {name}"] = _other(_agents(f"classic/{name}", _by_mask), seconds)
    for name in _RLCARD_GAMES:
        figures[f"RLCard {name}"] = _other(_rlcard(name), seconds)
    figures[f"Pgx leduc_holdem, {_ROUNDS} at once"] = _other(_pgx(), seconds)
    return figures


def _rate(steps: Iterator[int], seconds: float) -> float:
    """Steps per second; the first ones, before which something may be built or compiled, do not count."""
    next(steps)
    number = 0
    start = time.process_time()
    while (elapsed := time.process_time() - start) < seconds:
        number += next(steps)
    return number / elapsed


def _other(steps: Iterator[int], seconds: float) -> Figure:
    """Another library's game, or how to get it."""
    try:
        return _rate(steps, seconds)
    except (ImportError, FailedToImport):
        return _("not installed: {command}").format(command="pip install rlcard pygame-ce pgx shimmy")


def _bare_engine() -> Iterator[int]:
    rng = Rng(1)
    while True:
        yield random_rounds(10, rng).turns


def _vector(**options: Any) -> Iterator[int]:
    env = SelfPlayEnv(_ROUNDS, **options)
    luck = np.random.default_rng(1)
    infos = env.reset(seed=1)[1]
    while True:
        for _step in range(10):
            first = infos["first"]
            picks = first[:-1] + (luck.random(_ROUNDS) * np.diff(first)).astype(np.int32)
            infos = env.step(infos["legal"][picks])[4]
        yield 10 * _ROUNDS


def _any_of(legal: Any) -> Any:
    return legal[int(random.random() * len(legal))]


def _by_info(observation: Any, info: Any) -> Any:
    return _any_of(info["legal"])


def _by_mask(observation: Any, info: Any) -> Any:
    return _any_of(np.flatnonzero(info["action_mask"] if "action_mask" in info else observation["action_mask"]))


def _agents(name: str, choose: Callable[[Any, Any], Any], **options: Any) -> Iterator[int]:
    env = pettingzoo.make("aec", name, **options)
    env.reset(seed=1)
    while True:
        moves = 0
        env.reset()
        for _agent in env.agent_iter():
            observation, _reward, ended, cut, info = env.last()
            env.step(None if ended or cut else choose(observation, info))
            moves += not (ended or cut)
        yield moves


def _rlcard(name: str) -> Iterator[int]:
    import rlcard  # noqa: PLC0415 - only for this measurement

    env = rlcard.make(name, config={"seed": 1})
    while True:
        moves = 0
        state, _player = env.reset()
        while not env.is_over():
            state, _player = env.step(_any_of(list(state["legal_actions"])))
            moves += 1
        yield moves


def _pgx() -> Iterator[int]:
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
    state = jax.jit(jax.vmap(env.init))(keys)
    while True:
        keys = jax.vmap(lambda key: jax.random.split(key)[0])(keys)
        state = jax.block_until_ready(step(state, keys))
        yield _ROUNDS
