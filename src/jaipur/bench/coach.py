"""The figures that ship with the coach (`figures.json`): the value of starting, luck, and each level's loss and style.

How much is measured depends on the seconds asked for, not on the clock, so the same seconds measure the same games.
"""

from collections.abc import Callable, Iterator
from itertools import count, islice
from statistics import stdev
from typing import TypeVar

from rich.console import Console
from rich.progress import track

from jaipur.bots import Player, make_player
from jaipur.brain.luck import value
from jaipur.coach.checking import turns
from jaipur.coach.figures import GRADED, KINDS
from jaipur.coach.grades import WORLDS, judge_name, judge_network, loss_of
from jaipur.coach.round_luck import RoundLuck, for_seat, least_squares, luck_by_kind, round_luck
from jaipur.coach.style import Style, style_of
from jaipur.coach.summary import counted, is_open, mean_and_error
from jaipur.processes import in_order
from jaipur.rules.move import Move, from_code
from jaipur.rules.rng import Rng
from jaipur.rules.round import Round
from jaipur.rules.view import View

_T = TypeVar("_T")
_RIVAL = "merchant"
_EVERY = 2
"""Neighbouring decisions are alike, so only one in this many is graded."""
_LUCK_ROUNDS, _LEVEL_DECISIONS, _STYLE_ROUNDS = 5.0, 2.5, 2.0
"""Per second asked for."""
_TIMES = {"vizier": 3}
"""It takes time to think, and its losses vary little: this many times fewer decisions and rounds."""
_DEALS = 20
"""Deals for each round played: they take hardly any time."""
_MEASURING = 100
"""Worlds that measure a decision: few, since decisions differ by far more than the error of one. The best move is
chosen with as many worlds as in a review, because a worse choice would flatter the level."""
_LUCK = "luck"
_WORKERS = 2
_DIGITS = 5


def measure(seconds: float) -> dict[str, object]:
    """All figures by name. The parts are measured side by side, the longest first."""
    decisions, rounds = _at_least(_LEVEL_DECISIONS * seconds), _at_least(_LUCK_ROUNDS * seconds)
    parts = [*((name, decisions // _TIMES.get(name, 1)) for name in reversed(GRADED)), (_LUCK, rounds)]
    measured = _side_by_side(_figures, parts)
    figures: dict[str, object] = {
        "judge": judge_name(),
        "worlds": WORLDS,
        "measuring": _MEASURING,
        "level_decisions": decisions,
    }
    for part in reversed(measured):
        figures |= {name: round(figure, _DIGITS) for name, figure in part.items()}
    return figures | {"styles": measure_styles(seconds)}


def measure_styles(seconds: float) -> list[dict[str, object]]:
    """How each level plays, from easy to strong."""
    rounds = _at_least(_STYLE_ROUNDS * seconds)
    parts = [(name, rounds // _TIMES.get(name, 1)) for name in reversed(GRADED)]
    return _side_by_side(_named_style, parts)[::-1]


def _named_style(part: tuple[str, int]) -> dict[str, object]:
    name, rounds = part
    return {"level": name, **level_style(name, rounds)._asdict()}


def _side_by_side(task: Callable[[tuple[str, int]], _T], parts: list[tuple[str, int]]) -> list[_T]:
    answers, console = in_order(task, parts, _WORKERS), Console(stderr=True)
    return list(track(answers, description="", total=len(parts), console=console, transient=True))


def _figures(part: tuple[str, int]) -> dict[str, float]:
    name, number = part
    return luck_figures(number, seed=1) if name == _LUCK else level_figures(name, number)


def _at_least(number: float) -> int:
    return max(int(number), 4)


def luck_figures(rounds: int, seed: int) -> dict[str, float]:
    """From rounds of the judge's network against itself: what starting is worth, luck of each kind, the spread left."""
    rng = Rng(seed)
    played = [_round_of_equals(rng, number) for number in range(rounds)]
    start, start_error = mean_and_error(list(_openings(_DEALS * rounds, seed)))
    won, won_error = mean_and_error([for_seat(luck.result, luck.starter) for luck in played])
    rows = [luck_by_kind(luck, start) for luck in played]
    results = [luck.result - for_seat(start, luck.starter) for luck in played]
    weights = least_squares(rows, results)
    figures: dict[str, float] = {"rounds": rounds, "start": start, "start_error": start_error}
    figures |= {"starter_won": won, "starter_won_error": won_error, "sd_result": stdev(results)}
    for number, name in enumerate(KINDS):
        column = [row[number] for row in rows]
        mean, error = mean_and_error(column)
        figures |= {f"{name}_mean": mean, f"{name}_error": error, f"{name}_sd": stdev(column)}
        figures[f"{name}_weight"] = weights[number]
    left = [result - sum(row) for row, result in zip(rows, results, strict=True)]
    weighed = [
        result - sum(w * amount for w, amount in zip(weights, row, strict=True))
        for row, result in zip(rows, results, strict=True)
    ]
    return figures | {"sd_without_luck": stdev(left), "sd_without_weighed_luck": stdev(weighed)}


def _openings(deals: int, seed: int) -> Iterator[float]:
    """The starter's chance of winning after each deal."""
    rng = Rng(seed)
    for _deal in range(deals):
        yield value(Round.deal(rng, 0), judge_network())


def _round_of_equals(rng: Rng, number: int) -> RoundLuck:
    dealt = Round.deal(rng, number % 2)
    played = dealt.copy()
    while not played.over:
        played.play(from_code(judge_network().best(played.view(played.turn))))
        played.stop_if_quiet()
    return round_luck(dealt, played)


def level_figures(name: str, decisions: int, seed: int = 7) -> dict[str, float]:
    """What a level loses per open decision, in rounds against itself and against the merchant in turn."""
    losses = [counted(loss_of(*one, WORLDS, _MEASURING)) for one in open_decisions(name, decisions, seed)]
    mean, error = mean_and_error(losses)
    return {f"{name}_loss": mean, f"{name}_error": error}


def open_decisions(name: str, decisions: int, seed: int) -> Iterator[tuple[View, Move]]:
    """Open decisions of a level: one in every few, from as many rounds as it takes."""
    return islice(_open_decisions(name, Rng(seed)), decisions)


def _open_decisions(name: str, rng: Rng) -> Iterator[tuple[View, Move]]:
    players = _players(name)
    for number in count():
        played = turns(Round.deal(rng, number % 2), players[number % 4], rng)
        own = ((view, move) for view, move in played if view.seat == 0)
        for turn, (view, move) in enumerate(own, 1 + rng.below(_EVERY)):
            if turn % _EVERY == 0 and _is_open(view):
                yield view, move


def _is_open(view: View) -> bool:
    """Whether the seat of a view has a choice that matters."""
    network = judge_network()
    network.best(view)
    return len(view.legal_moves()) > 1 and is_open(network.best_value)


def level_style(name: str, rounds: int, seed: int = 11) -> Style:
    """How a level plays, in rounds against itself and against the merchant in turn."""
    rng, players, played = Rng(seed), _players(name), []
    for number in range(rounds):
        played.append(Round.deal(rng, number % 2))
        for _view, _move in turns(played[-1], players[number % 4], rng):
            pass
    return style_of(played, 0)


def _players(name: str) -> list[tuple[Player, Player]]:
    """Who plays each of four rounds: a level meets itself in two of them, then the merchant."""
    player, other = make_player(name), make_player(_RIVAL)
    return 2 * [(player, player)] + 2 * [(player, other)]
