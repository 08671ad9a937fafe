"""Gymnasium's vector environment: many rounds of self-play, stepped together in compiled code, on one or more cores."""

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from jaipur.brain.features import SLOTS
from jaipur.encoding.actions import ACTIONS
from jaipur.encoding.observation import ROW
from jaipur.encoding.vector import MASK_BYTES, Rounds
from jaipur.envs.cores import Content, RoundsOnCores, arrays_of
from jaipur.envs.observe import row_space
from jaipur.envs.options import NOT_RESET, VECTOR_RENDER_MODES, VectorOptions, read_action, read_options, read_seed
from jaipur.envs.picture import render
from jaipur.rules.errors import N_, JaipurError
from jaipur.rules.view import View

Rows = NDArray[np.uint8]
Infos = dict[str, Any]
_ACTION = np.dtype("<i4")
"""How `Rounds.step` reads an action."""
_SHAPES = {
    "observations": (-1, ROW),
    "last_observations": (-1, ROW),
    "masks": (-1, MASK_BYTES),
    "features": (-1, SLOTS),
}


class SelfPlayEnv(VectorEnv[Any, Any, Any]):
    """Each action is played by the seat to move; observations are what the next seat to move sees.

    A reward belongs to the seat that just acted; the other one's is its negative. Rounds that end are dealt again in
    the same step (AutoresetMode.SAME_STEP): their last row, as the seat that acted sees it, is `infos["final_obs"]`.
    `infos["legal"][first[i]:first[i + 1]]` are the legal actions of round i, with `first = infos["first"]`, and
    `infos["seat"]` says who moves. With `masks` there is also a bit for each action, and with `features` a row for
    each legal action. Without `copy` all arrays are windows that the next step overwrites. The options are those of
    `jaipur.envs.options.VectorOptions`.
    """

    def __init__(self, num_envs: int = 1, **options: Any) -> None:
        self.options = read_options(VectorOptions, {"num_envs": num_envs, **options})
        self.num_envs = int(num_envs)
        self.render_mode = self.options.render_mode
        self.metadata = {"render_modes": list(VECTOR_RENDER_MODES), "autoreset_mode": AutoresetMode.SAME_STEP}
        self.single_observation_space = row_space(factored=False)
        self.single_action_space = spaces.Discrete(ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        content = Content(self.options.reward == "rupees", self.options.masks, self.options.features)
        cores = self.options.cores
        self._rounds = Rounds(self.num_envs, *content) if cores == 1 else RoundsOnCores(self.num_envs, content, cores)
        arrays = arrays_of(self._rounds) if isinstance(self._rounds, Rounds) else self._rounds.arrays
        self._windows = {name: _window(name, array) for name, array in arrays.items()}
        self.seeds: list[int] = []

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Rows, Infos]:
        """Deals all rounds. With a seed, round i is dealt from seed + i, as usual in Gymnasium."""
        for name in options or {}:
            raise JaipurError(N_("reset takes no options, so “{name}” cannot be given."), name=str(name)[:40])
        self.seeds = self._seeds(seed)
        self._rounds.deal(self.seeds)
        return self._shown("observations"), self._infos()

    def _seeds(self, seed: int | list[int | None] | None) -> list[int]:
        if isinstance(seed, list):
            if len(seed) != self.num_envs:
                raise JaipurError(N_("There are {number} rounds: give one seed for each."), number=self.num_envs)
            return [self._draw_seed() if number is None else number for number in map(read_seed, seed)]
        first = read_seed(seed)
        super().reset(seed=first)
        return [self._draw_seed() if first is None else first + i for i in range(self.num_envs)]

    def _draw_seed(self) -> int:
        return int(self.np_random.integers(2**62))

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[Rows, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Infos]:
        """Plays one action in each round. An illegal one raises an error that cites the rule, and none is played."""
        rounds = self._dealt()
        numbers = np.asarray(actions)
        if numbers.shape != (self.num_envs,) or numbers.dtype.kind not in "iu":
            raise JaipurError(N_("Actions are an array of {number} whole numbers."), number=self.num_envs)
        _play(rounds, numbers)
        ended = self._shown("ended")
        infos = self._infos()
        if ended.any():
            infos["final_obs"] = self._shown("last_observations")
            infos["_final_obs"] = ended.copy()
        truncated = np.zeros(self.num_envs, np.bool_)
        return self._shown("observations"), self._shown("rewards"), ended, truncated, infos

    def close_extras(self, **kwargs: Any) -> None:
        """Ends the processes, if there are any."""
        if isinstance(self._rounds, RoundsOnCores):
            self._rounds.close()

    def _dealt(self) -> Rounds | RoundsOnCores:
        if not self.seeds:
            raise JaipurError(NOT_RESET)
        return self._rounds

    def _infos(self) -> Infos:
        moves = int(self._windows["first"][-1])
        infos = {"legal": self._shown("legal", moves), "first": self._shown("first"), "seat": self._shown("seats")}
        if self.options.masks:
            infos["action_mask"] = self._shown("masks")
        if self.options.features:
            infos["features"] = self._shown("features", moves)
        return infos

    def _shown(self, name: str, rows: int | None = None) -> NDArray[Any]:
        """One of the arrays, or its first rows."""
        window = self._windows[name][:rows]
        return window.copy() if self.options.copy else window

    def view(self, number: int) -> View:
        """What the seat to move in a round may know, for players and pictures."""
        return self._dealt().view(number)

    def render(self) -> tuple[Any, ...]:
        """Each round as the seat to move sees it."""
        return tuple(render(self.view(number), self.render_mode) for number in range(self.num_envs))


def _window(name: str, array: NDArray[Any]) -> NDArray[Any]:
    """An array of the rounds as it is given away: it cannot be written, and has the rows that it is made of."""
    window = array.view(np.bool_ if name == "ended" else array.dtype).reshape(_SHAPES.get(name, (-1,)))
    window.flags.writeable = False
    return window


def _play(rounds: Rounds | RoundsOnCores, numbers: NDArray[Any]) -> None:
    """Plays. Numbers too large for 32 bits are looked for first, other wrong ones only after a refusal."""
    if numbers.dtype != _ACTION:
        _refuse_wrong(numbers)
    try:
        rounds.step(numbers.astype(_ACTION, copy=False).tobytes())
    except JaipurError:
        _refuse_wrong(numbers)
        raise


def _refuse_wrong(numbers: NDArray[Any]) -> None:
    for wrong in numbers[(numbers < 0) | (numbers >= ACTIONS)]:
        read_action(wrong, ACTIONS)


def unpack(masks: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Packed masks unpacked to one byte for each action."""
    return np.unpackbits(masks, axis=-1, count=ACTIONS, bitorder="little")
