"""The options that the environments share, and the errors for values that they cannot have."""

import math
from dataclasses import dataclass
from typing import Any, TypeGuard, TypeVar

import numpy as np

from jaipur.encoding.actions import ACTIONS
from jaipur.envs.factored import FACTORED_ACTIONS
from jaipur.rules.errors import N_, JaipurError

REWARDS = ("win", "rupees")
RENDER_MODES = ("ansi", "human", "rgb_array")
VECTOR_RENDER_MODES = ("ansi", "rgb_array")
NOT_RESET = N_("Call reset before anything else.")
_SEEDS = 2**64
_MOST_ROUNDS = 1_000_000
_MOST_CORES = 256


@dataclass(frozen=True)
class Options:
    """What an episode is, what the reward is, how actions are numbered, and what happens on an illegal one.

    If an illegal action ends the episode, the penalty is its reward. Feature rows belong to whole moves, so factored
    actions have none.
    """

    episode: str = "round"
    reward: str = "win"
    actions: str = "flat"
    illegal: str = "error"
    penalty: float = -1.0
    features: bool = False
    render_mode: str | None = None

    def __post_init__(self) -> None:
        """Refuses unknown values."""
        check("episode", self.episode, ("round", "match"))
        check("reward", self.reward, REWARDS)
        check("actions", self.actions, ("flat", "factored"))
        check("illegal", self.illegal, ("error", "end"))
        check("features", self.features, (False, True))
        if self.features and self.factored:
            raise JaipurError(N_("Feature rows belong to whole moves: factored actions have none."))
        if not (_is_number(self.penalty) and math.isfinite(self.penalty)):
            raise JaipurError(N_("A penalty is a number, not “{value}”."), value=str(self.penalty)[:40])
        check("render_mode", self.render_mode, (None, *RENDER_MODES))

    @property
    def whole_match(self) -> bool:
        """Whether an episode is a match."""
        return self.episode == "match"

    @property
    def count_rupees(self) -> bool:
        """Whether the reward is the difference in rupees."""
        return self.reward == "rupees"

    @property
    def factored(self) -> bool:
        """Whether an exchange is made up of small picks."""
        return self.actions == "factored"

    @property
    def number_of_actions(self) -> int:
        """How many actions there are."""
        return FACTORED_ACTIONS if self.factored else ACTIONS


@dataclass(frozen=True)
class VectorOptions:
    """How many rounds there are, what the reward is, what is shown of them, and how many cores play them."""

    num_envs: int = 1
    reward: str = "win"
    masks: bool = False
    features: bool = False
    copy: bool = True
    render_mode: str | None = None
    cores: int = 1

    def __post_init__(self) -> None:
        """Refuses unknown values."""
        if not is_whole(self.num_envs, 1, _MOST_ROUNDS + 1):
            raise JaipurError(
                N_("num_envs is a whole number from 1 to 1000000, not “{value}”."), value=str(self.num_envs)[:40]
            )
        check("reward", self.reward, REWARDS)
        for name in ("masks", "features", "copy"):
            check(name, getattr(self, name), (False, True))
        check("render_mode", self.render_mode, (None, *VECTOR_RENDER_MODES))
        most = min(self.num_envs, _MOST_CORES)
        if not is_whole(self.cores, 1, most + 1):
            raise JaipurError(
                N_("cores is a whole number from 1 to {most}, not “{value}”: each core needs a round."),
                most=most,
                value=str(self.cores)[:40],
            )


Kind = TypeVar("Kind", Options, VectorOptions)


def check(name: str, value: object, choices: tuple[object, ...]) -> None:
    """Refuses a value that an option cannot have. Here, 1 is not True."""
    if not any(type(value) is type(choice) and value == choice for choice in choices):
        raise JaipurError(
            N_("The option {name} cannot be “{value}”: choose {choices}."),
            name=name,
            value=str(value)[:40],
            choices=", ".join(map(str, choices)),
        )


def read_options(kind: type[Kind], options: dict[str, Any]) -> Kind:
    """Options from the keyword arguments of an environment."""
    names = tuple(kind.__dataclass_fields__)
    for name in options:
        if name not in names:
            raise JaipurError(
                N_("There is no option “{name}”: choose from {names}."), name=name[:40], names=", ".join(names)
            )
    return kind(**options)


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float)


def is_whole(number: object, least: int, beyond: int) -> TypeGuard[int]:
    """Whether something is a whole number from `least` up to but not including `beyond`. True and False are not."""
    return isinstance(number, int | np.integer) and not isinstance(number, bool) and least <= int(number) < beyond


def read_seed(seed: object) -> int | None:
    """A seed as a plain int, from any kind of whole number; None stays None."""
    if seed is None:
        return None
    if not is_whole(seed, 0, _SEEDS):
        raise JaipurError(
            N_("A seed is a whole number from 0 to 2**64 - 1, or None, not “{seed}”."), seed=str(seed)[:40]
        )
    return int(seed)


def read_action(action: object, actions: int) -> int:
    """An action as a plain int, from any kind of whole number."""
    number = action.item() if isinstance(action, np.ndarray) and action.ndim == 0 else action
    if not is_whole(number, 0, actions):
        raise JaipurError(
            N_("An action is a whole number from 0 to {last}, not “{action}”."),
            last=actions - 1,
            action=str(action)[:40],
        )
    return int(number)
