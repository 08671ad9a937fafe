"""How long the learned players take, and whether the vizier keeps to its budget."""

import time
from collections.abc import Iterator

from rich.console import Console
from rich.progress import track

from jaipur.bots import Budget, make_player
from jaipur.bots.weights import from_bytes, shipped_weights
from jaipur.rules.rng import Rng
from jaipur.rules.round import Round
from jaipur.rules.view import View

_BUDGETS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
_LOADS = 5


def measure(seconds: float) -> dict[str, object]:
    """All figures by name. A ratio is the longest decision, of as many as fit into the seconds, over its budget."""
    times = _decisions("merchant", Budget(), seconds)
    figures: dict[str, object] = {
        "weights_load_ms": 1000 * min(_seconds_to_load() for _load in range(_LOADS)),
        "merchant_decision_ms": 1000 * sum(times) / len(times),
    }
    budgets = [budget for budget in _BUDGETS if budget <= seconds]
    for budget in track(budgets, description="", console=Console(stderr=True), transient=True):
        times = _decisions("vizier", Budget(seconds=budget), seconds)
        figures[f"vizier_{budget:g}s_decisions"] = len(times)
        figures[f"vizier_{budget:g}s_longest_over_budget"] = max(times) / budget
    return figures


def _seconds_to_load() -> float:
    start = time.perf_counter()
    from_bytes(shipped_weights("vizier"), "vizier")
    return time.perf_counter() - start


def _decisions(level: str, budget: Budget, seconds: float) -> list[float]:
    """How long each decision took, for as many decisions as fill the seconds."""
    player, rng, views = make_player(level), Rng(1), _views()
    times: list[float] = []
    spent = 0.0
    while spent < seconds:
        view = next(views)
        start = time.perf_counter()
        player.choose(view, budget, rng)
        times.append(time.perf_counter() - start)
        spent += times[-1]
    return times


def _views() -> Iterator[View]:
    """What a merchant sees at every turn of its rounds, without end."""
    merchant, rng = make_player("merchant"), Rng(2)
    while True:
        round_ = Round.deal(rng)
        while not round_.over:
            view = round_.view(round_.turn)
            yield view
            round_.apply(merchant.choose(view, Budget(), rng).code)
            round_.stop_if_quiet()
