"""How much is there to win? `python -m tools.headroom FILE` measures what the network and the vizier lose per decision.

The truth of a move is what comes of it when a quick vizier plays on for both seats to the end of the round, in many
likely worlds, with the luck of the cards taken off. All moves of a position meet the same worlds. The moves are those
that a player chose, and those that a long search finds nearly as good as its own; `losses.py` compares them.

FILE gets one line of JSON per position, which follows from the seed and the position's number alone. So the same
command resumes a run that was stopped, and a larger --positions continues one that was done.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean

from rich.console import Console
from rich.progress import track

from jaipur.arena.league import FIELD
from jaipur.bots.levels import make_player, shipped_vizier
from jaipur.bots.player import Budget
from jaipur.brain.beliefs import likely_world
from jaipur.brain.search import GLANCES, Search
from jaipur.coach.grades import judge_network
from jaipur.coach.round_luck import round_luck, weighed_luck
from jaipur.rules.move import Move, from_code
from jaipur.rules.rng import Rng
from jaipur.rules.round import Round
from jaipur.rules.view import View
from tools.losses import GROUPS, PLAYERS, Position, report

_TURNS_PER_SECOND = 250_000
"""Turns a search plays in a second, and positions a proof looks at: counted, so that a busy machine changes nothing."""
_THOUGHT = Budget(worlds=100)
"""For the rounds that the positions come from."""
_CLOSE = 0.03
"""A move is measured if a search of a second finds it no further behind its own choice than this."""
_MOST = 5


@dataclass(frozen=True)
class Plan:
    """How the truth is found: worlds per decision of the quick vizier, tries of each move, and a seed."""

    worlds: int
    tries: int
    seed: int

    def rng(self, position: int, purpose: int) -> Rng:
        """The random numbers for one purpose in a position."""
        return Rng((self.seed * 1_000_003 + position) * 1_000_003 + purpose)


def measure(plan: Plan, number: int) -> Position:
    """Finds a position, asks the players, and takes the truth of every move that matters."""
    rival = FIELD[number % len(FIELD)]
    turn, view = _decision(rival, plan.rng(number, 0), number // len(FIELD) % 2)
    quick, long = (_thought(view, seconds, plan.rng(number, 1)) for seconds in (0.1, 1.0))
    codes = judge_network().best(view), quick.best().code, long.best().code
    ranked = sorted(long.candidates, key=lambda one: (one.code == codes[-1], one.value), reverse=True)
    close = [one for one in ranked if one.value > ranked[0].value - _CLOSE][:_MOST]
    beliefs = {str(from_code(one.code)): round(one.value, 4) for one in ranked if one in close or one.code in codes}
    choices = dict(zip(PLAYERS, (str(from_code(code)) for code in codes), strict=True))
    truths = _truths(view, list(beliefs), plan, number) if len(beliefs) > 1 else {}
    return Position(asdict(plan), number, rival, turn, str(view), choices, beliefs, truths)


def _decision(rival: str, rng: Rng, seat: int) -> tuple[int, View]:
    """A decision of the vizier in a round against a stranger, each equally likely, and the turns played before it."""
    round_ = Round.deal(rng, rng.below(2))
    players = shipped_vizier(), make_player(rival)
    found, turn = [], 0
    while not round_.over:
        view = round_.view(round_.turn)
        if round_.turn == seat and len(view.legal_moves()) > 1:
            found.append((turn, view))
        round_.play(players[round_.turn != seat].choose(view, _THOUGHT, rng))
        round_.stop_if_quiet()
        turn += 1
    return found[rng.below(len(found))]


def _thought(view: View, seconds: float, rng: Rng) -> Search:
    """The vizier's search after about this long on a quiet machine."""
    left = int(_TURNS_PER_SECOND * seconds)
    search = shipped_vizier().think(view, Budget(worlds=1), rng)
    search.prove(left)
    while left > 0 and len(search.live) > 1:
        left -= len(search.live) * (2 if search.worlds < GLANCES else search.depth)
        search.run(1)
    return search


def _truths(view: View, moves: list[str], plan: Plan, number: int) -> dict[str, list[float]]:
    """The mean worth of each move in each group of tries."""
    worths: dict[str, list[float]] = {move: [] for move in moves}
    for attempt in range(plan.tries):
        world = likely_world(view, plan.rng(number, 2 + attempt))
        for move, found in worths.items():
            found.append(_worth(world, move, plan.worlds, plan.rng(number, -1 - attempt)))
    return {move: [round(fmean(found[at::GROUPS]), 4) for at in range(GROUPS)] for move, found in worths.items()}


def _worth(world: Round, move: str, worlds: int, rng: Rng) -> float:
    """What comes of a move for the seat that plays it, without the luck of the cards."""
    seat, played = world.turn, world.copy()
    played.play(Move.parse(move))
    while not played.over:
        played.play(shipped_vizier().choose(played.view(played.turn), Budget(worlds=worlds), rng))
        played.stop_if_quiet()
    luck = round_luck(world, played)
    worth = luck.result - weighed_luck(luck)
    return 1 - worth if seat else worth


def run(path: Path, plan: Plan, positions: int) -> Iterator[Position]:
    """The positions: those that the file has already, and the others, each written when it is done."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    done = {one.number: one for one in (Position(**json.loads(line)) for line in lines) if one.plan == asdict(plan)}
    for number in range(positions):
        if number not in done:
            done[number] = measure(plan, number)
            with path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(done[number]), ensure_ascii=False) + "\n")
        yield done[number]


def main(words: Sequence[str] | None = None) -> None:
    """Measures the positions that FILE lacks and prints what is lost; Ctrl-C prints what there is so far."""
    parser = argparse.ArgumentParser(prog="python -m tools.headroom", description=main.__doc__)
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--positions", type=int, default=150)
    parser.add_argument("--worlds", type=int, default=16, help="worlds per decision of the vizier that plays on")
    parser.add_argument("--tries", type=int, default=48, help=f"worlds in which each move is tried: {GROUPS} or more")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args(words)
    found: list[Position] = []
    with suppress(KeyboardInterrupt):
        positions = run(asked.file, Plan(asked.worlds, asked.tries, asked.seed), asked.positions)
        found.extend(track(positions, total=asked.positions, console=Console(stderr=True)))
    Console().print(report(found))


if __name__ == "__main__":
    main()
