"""One thought of a bot. Worker processes load only this, so that they start quickly."""

from jaipur.bots import Budget, make_player
from jaipur.notation import parse_view
from jaipur.rules.rng import Rng


def think(level: str, position: str, seed: int, seconds: float) -> str:
    """The move that a level plays. The view is given as text, so that it can be sent to another process."""
    return str(make_player(level).choose(parse_view(position), Budget(seconds), Rng(seed)))
