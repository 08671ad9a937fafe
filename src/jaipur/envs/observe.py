"""What a seat is shown, as arrays. All of it comes from a view, the seals, which are open, and the seat's own picks."""

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from jaipur.brain.features import SLOTS
from jaipur.encoding.actions import ACTIONS, legal_actions
from jaipur.encoding.observation import FIELDS, legal_features, row_of
from jaipur.envs.factored import FACTORED_ACTIONS, PICKED, Picks, picked_row
from jaipur.rules.box import MARKET_SIZE
from jaipur.rules.view import View

Observation = dict[str, NDArray[Any]]
Seals = tuple[int, int]

_MOST = [most for _name, places, most in FIELDS for _place in range(places)]
_MOST_PICKED = [MARKET_SIZE] * (PICKED - 1) + [1]


def row_space(factored: bool) -> spaces.Box:
    """The space of an observation's row."""
    most = np.array(_MOST + (_MOST_PICKED if factored else []), np.uint8)
    return spaces.Box(np.zeros_like(most), most, dtype=np.uint8)


def observation_space(factored: bool) -> spaces.Dict:
    """The space of a row and the mask of legal actions."""
    actions = FACTORED_ACTIONS if factored else ACTIONS
    return spaces.Dict({"observation": row_space(factored), "action_mask": spaces.Box(0, 1, (actions,), np.int8)})


def legal_list(view: View) -> list[int]:
    """The legal actions of a view as a list."""
    return memoryview(legal_actions(view)).tolist()


def row(view: View, seals: Seals = (0, 0)) -> NDArray[np.uint8]:
    """The row of a view, with the seat's own seals and the rival's."""
    return np.frombuffer(memoryview(row_of(view, *seals)), np.uint8).copy()


def observation(view: View, seals: Seals, legal: list[int], picks: Picks | None) -> Observation:
    """A row and the mask of what the seat may play now. With factored actions, the row includes the picks so far."""
    places = row(view, seals)
    if picks is None:
        return {"observation": places, "action_mask": mask(legal, ACTIONS)}
    places = np.append(places, np.array(picked_row(picks), np.uint8))
    return {"observation": places, "action_mask": mask(legal, FACTORED_ACTIONS)}


def mask(legal: list[int], actions: int) -> NDArray[np.int8]:
    """A byte for each action: 1 where it is legal."""
    bits = np.zeros(actions, np.int8)
    bits[legal] = 1
    return bits


def feature_rows(view: View) -> NDArray[np.int16]:
    """The features of each legal move's afterstate: numbers below `jaipur.brain.features.FEATURES`."""
    return np.frombuffer(memoryview(legal_features(view)), np.int16).reshape(-1, SLOTS).copy()
