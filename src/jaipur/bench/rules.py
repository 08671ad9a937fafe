"""How fast the rulebook is, and a fingerprint that a refactor must not change."""

import hashlib
import time
from collections.abc import Callable
from itertools import cycle

import jaipur
from jaipur.rules.playout import RandomMover, random_rounds, random_turns
from jaipur.rules.rng import Rng
from jaipur.rules.round import Round
from jaipur.rules.worlds import determinize

_FINGERPRINT_ROUNDS = 200
_CHUNK = {True: 2000, False: 20}
"""Rounds played between two looks at the clock: compiled, interpreted."""


def measure(seconds: float) -> dict[str, object]:
    """All figures by name, in processor time."""
    rng = Rng(1)
    chunk = _CHUNK[jaipur.COMPILED]
    turns = seen = rounds = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        played = random_rounds(chunk, rng)
        turns, seen, rounds = turns + played.turns, seen + played.moves_seen, rounds + chunk
    elapsed = time.process_time() - start
    positions = cycle(_positions())
    views = cycle([position.view(position.turn) for position in _positions()])
    return {
        "random_rounds_per_s": rounds / elapsed,
        "turns_per_round": turns / rounds,
        "legal_moves_per_turn": seen / turns,
        "legal_move_lists_per_s": _rate(lambda: next(views).legal_moves(), seconds),
        "views_per_s": _rate(lambda: next(positions).view(0), seconds),
        "determinizations_per_s": _rate(lambda: determinize(next(views), rng), seconds),
        "copies_per_s": _rate(lambda: next(positions).copy(), seconds),
        "compiled": jaipur.COMPILED,
        "fingerprint": fingerprint(),
    }


def fingerprint() -> str:
    """A digest of the final positions of fixed random rounds: the same for every correct rulebook."""
    rng = Rng(2)
    mover = RandomMover(rng)
    digest = hashlib.sha256()
    for _number in range(_FINGERPRINT_ROUNDS):
        round_ = Round.deal(rng)
        turns = random_turns(round_, mover)
        digest.update(f"{turns} {round_}\n".encode())
    return digest.hexdigest()[:16]


def _positions() -> list[Round]:
    """All positions of one random round."""
    rng = Rng(3)
    round_ = Round.deal(rng)
    mover = RandomMover(rng)
    positions = []
    while not round_.over:
        positions.append(round_.copy())
        me = round_.side(round_.turn)
        round_.apply(mover.choose(me.hand, me.herd, round_.market))
    return positions


def _rate(call: Callable[[], object], seconds: float) -> float:
    calls = 0
    start = time.process_time()
    while (elapsed := time.process_time() - start) < seconds:
        for _call in range(100):
            call()
        calls += 100
    return calls / elapsed
