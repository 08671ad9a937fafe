"""One thought of a bot. A worker process loads nothing but this, so that a new one is at work soon."""

from jaipur.bots import Budget, make_player
from jaipur.notation import parse_view
from jaipur.rules.rng import Rng


def think(level: str, position: str, seed: int, seconds: float) -> str:
    """What a level plays: it is given a view as text, so that it can think in another process."""
    return str(make_player(level).choose(parse_view(position), Budget(seconds), Rng(seed)))
