"""Gymnasium's vector environment: many rounds of self-play stepped at once in the compiled core."""

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from jaipur.core.actions import ACTIONS
from jaipur.core.errors import N_, JaipurError
from jaipur.core.features import SLOTS
from jaipur.core.observation import ROW
from jaipur.core.vector import MASK_BYTES, Rounds
from jaipur.core.view import View
from jaipur.envs.observe import row_space
from jaipur.envs.options import NOT_RESET, VECTOR_RENDER_MODES, VectorOptions, read_action, read_options, read_seed
from jaipur.envs.render import render

Rows = NDArray[np.uint8]
Infos = dict[str, Any]


class SelfPlayEnv(VectorEnv[Any, Any, Any]):
    """Each action is played by the seat whose turn it is; observations are of the seat that moves next.

    A reward belongs to the seat that just acted, the other one gets its negative. Rounds that end are dealt anew in
    the same step (AutoresetMode.SAME_STEP): their last row, of the seat that acted, is `infos["final_obs"]`.
    `infos["legal"][first[i]:first[i + 1]]` are the legal actions of round i, with `first = infos["first"]`, and
    `infos["seat"]` says who moves. With `masks` there also is a bit for each action, and with `features` a row for
    each legal action. Without `copy` all arrays are windows that the next step writes anew. The options are those of
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
        self._rounds = Rounds(self.num_envs, self.options.reward == "rupees", self.options.masks, self.options.features)
        self.seeds: list[int] = []

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Rows, Infos]:
        """Deals all rounds anew. With a seed, round i is dealt from seed + i, as Gymnasium does it."""
        for name in options or {}:
            raise JaipurError(N_("reset takes no option, and “{name}” is one."), name=str(name)[:40])
        self.seeds = self._seeds(seed)
        self._rounds.deal(self.seeds)
        return self._rows(self._rounds.observations), self._infos()

    def _seeds(self, seed: int | list[int | None] | None) -> list[int]:
        if isinstance(seed, list):
            if len(seed) != self.num_envs:
                raise JaipurError(N_("There are {number} rounds, so give as many seeds."), number=self.num_envs)
            return [self._draw_seed() if number is None else number for number in map(read_seed, seed)]
        first = read_seed(seed)
        super().reset(seed=first)
        return [self._draw_seed() if first is None else first + i for i in range(self.num_envs)]

    def _draw_seed(self) -> int:
        return int(self.np_random.integers(2**62))

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[Rows, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Infos]:
        """Plays one action in each round. An illegal one is refused with its rule, and then none is played."""
        rounds = self._dealt()
        numbers = np.asarray(actions)
        if numbers.shape != (self.num_envs,) or numbers.dtype.kind not in "iu":
            raise JaipurError(N_("Actions are an array of {number} whole numbers."), number=self.num_envs)
        for wrong in numbers[(numbers < 0) | (numbers >= ACTIONS)]:
            read_action(wrong, ACTIONS)
        rounds.step(numbers.astype("<i4", copy=False).tobytes())
        ended = self._array(rounds.ended, np.bool_)
        infos = self._infos()
        if ended.any():
            infos["final_obs"] = self._rows(rounds.last_observations)
            infos["_final_obs"] = ended.copy()
        truncated = np.zeros(self.num_envs, np.bool_)
        return self._rows(rounds.observations), self._array(rounds.rewards, np.float64), ended, truncated, infos

    def _dealt(self) -> Rounds:
        if not self.seeds:
            raise JaipurError(NOT_RESET)
        return self._rounds

    def _infos(self) -> Infos:
        rounds = self._rounds
        first = self._array(rounds.first, np.int32)
        infos: Infos = {
            "legal": self._array(rounds.legal, np.int32, int(first[-1])),
            "first": first,
            "seat": self._array(rounds.seats, np.uint8),
        }
        if self.options.masks:
            infos["action_mask"] = self._array(rounds.masks, np.uint8).reshape(self.num_envs, MASK_BYTES)
        if self.options.features:
            infos["features"] = self._array(rounds.features, np.int16, int(first[-1]) * SLOTS).reshape(-1, SLOTS)
        return infos

    def _rows(self, buffer: Any) -> Rows:
        return self._array(buffer, np.uint8).reshape(self.num_envs, ROW)

    def _array(self, buffer: Any, dtype: type[Any], length: int = -1) -> NDArray[Any]:
        window = np.frombuffer(buffer, dtype, length)
        return window.copy() if self.options.copy else window

    def view(self, number: int) -> View:
        """What the seat that moves next in a round may know: for players and pictures."""
        return self._dealt().view(number)

    def render(self) -> tuple[Any, ...]:
        """Each round as the seat that moves next sees it."""
        return tuple(render(self.view(number), self.render_mode) for number in range(self.num_envs))


def unpack(masks: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Packed masks as one byte for each action."""
    return np.unpackbits(masks, axis=-1, count=ACTIONS, bitorder="little")
