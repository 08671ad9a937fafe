"""`jaipur bench bots`: how long the learned players take, and whether the vizier keeps to its budget."""

import time
from collections.abc import Iterator

from jaipur.bots import Budget, make_player
from jaipur.bots.weights import from_bytes, shipped_weights
from jaipur.core.rng import Rng
from jaipur.core.round import Round
from jaipur.core.view import View

_BUDGETS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
_LOADS = 5


def measure_bots(seconds: float) -> dict[str, object]:
    """All figures by name. A ratio is the longest decision over its budget, of as many as fit into the seconds."""
    load = min(_seconds_to_load() for _load in range(_LOADS))
    figures: dict[str, object] = {
        "weights_load_ms": 1000 * load,
        "merchant_decision_ms": _merchant_decision_ms(seconds),
    }
    for budget in (budget for budget in _BUDGETS if budget <= seconds):
        longest, decisions = _longest(Budget(seconds=budget), seconds)
        figures[f"vizier_{budget:g}s_decisions"] = decisions
        figures[f"vizier_{budget:g}s_longest_over_budget"] = longest / budget
    return figures


def _seconds_to_load() -> float:
    start = time.perf_counter()
    from_bytes(*shipped_weights("vizier"))
    return time.perf_counter() - start


def _merchant_decision_ms(seconds: float) -> float:
    merchant, rng = make_player("merchant"), Rng(1)
    spent, decisions = 0.0, 0
    for view in _views():
        start = time.perf_counter()
        merchant.choose(view, Budget(), rng)
        spent += time.perf_counter() - start
        decisions += 1
        if spent > seconds:
            break
    return 1000 * spent / decisions


def _longest(budget: Budget, seconds: float) -> tuple[float, int]:
    vizier, rng = make_player("vizier"), Rng(1)
    longest, spent, decisions = 0.0, 0.0, 0
    for view in _views():
        start = time.perf_counter()
        vizier.choose(view, budget, rng)
        taken = time.perf_counter() - start
        longest, spent, decisions = max(longest, taken), spent + taken, decisions + 1
        if spent > seconds:
            break
    return longest, decisions


def _views() -> Iterator[View]:
    """What a merchant sees at each point of its rounds, without end."""
    merchant, rng = make_player("merchant"), Rng(2)
    while True:
        table = Round.deal(rng)
        while not table.over:
            view = table.view(table.turn)
            yield view
            table.apply(merchant.choose(view, Budget(), rng).code)
            table.stop_if_quiet()
