"""The judge of all reviews: its network, and the random numbers derived from a position."""

import hashlib
from functools import cache

from jaipur.bots.weights import shipped_network, shipped_weights
from jaipur.brain.network import Network
from jaipur.rules.rng import Rng
from jaipur.rules.view import View

JUDGE = "vizier"
"""The level whose network judges."""
WORLDS = 2000
"""Worlds per decision, unless another number is asked for: half are used to choose, half to measure."""
METHOD = 2
"""Increase this when something other than the network changes what a review says, such as the search, the judge's
turns, the limits of the labels or how luck is counted: earlier reviews then no longer count as the same."""
_SHOWN = 16


def judge_network() -> Network:
    """The network that judges."""
    return shipped_network(JUDGE)


@cache
def judge_name() -> str:
    """Who judged: the level of the network, the first digits of the SHA-256 of its weights, and the method."""
    return f"{JUDGE} {hashlib.sha256(shipped_weights(JUDGE)[0]).hexdigest()[:_SHOWN]}/{METHOD}"


def rng_for(view: View, purpose: str) -> Rng:
    """The random numbers for a position: always the same ones, but different for each purpose."""
    digest = hashlib.sha256(f"jaipur review / {purpose} / {view}".encode()).digest()
    return Rng(int.from_bytes(digest[:8], "big"))
