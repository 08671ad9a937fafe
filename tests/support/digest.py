"""Random play that is the same everywhere, and a digest of all that it shows: one line tells two builds apart.

Nothing here needs pytest: a process with another build of the core runs it, too.
"""

import hashlib
import pickle
from collections.abc import Iterator
from typing import Any

from librt.vecs import vec
from mypy_extensions import u8

from jaipur import Match, Move, Rng, Round, View, determinize
from jaipur.encoding.actions import legal_actions
from jaipur.encoding.observation import row_of
from jaipur.encoding.vector import Rounds
from jaipur.record import Record
from jaipur.rules.bag import one
from jaipur.rules.playout import RandomMover

SEATS = (0, 1)


def pickled(value: Any) -> Any:
    """The value as it comes out of a pickle."""
    return pickle.loads(pickle.dumps(value))


def pick(moves: list[Move], choice: int) -> Move:
    """A move by number: picks a kind of move first (take, sell, exchange), so that a round is not all exchanges."""
    ways: dict[tuple[bool, bool], list[Move]] = {}
    for move in moves:
        ways.setdefault((move.take > 0, move.give > 0), []).append(move)
    way = list(ways.values())[choice % len(ways)]
    return way[choice // len(ways) % len(way)]


def walk(seed: int, starter: int = 0) -> Iterator[Round]:
    """Each position of a random round, from the deal to the end, as a separate copy."""
    rng = Rng(seed)
    round_ = Round.deal(rng, starter)
    yield round_.copy()
    while not round_.over:
        round_.play(pick(round_.legal_moves(), rng.below(1 << 20)))
        yield round_.copy()


def random_match(seed: int, turns: int) -> Match:
    """A match after this many random turns, or at its end if that comes first."""
    rng = Rng(seed)
    match = Match(seed)
    while match.ply < turns and not match.over:
        if match.round.over:
            match.next_round()
        match.play(pick(match.round.legal_moves(), rng.below(1 << 20)))
    return match


def quiet_match(seed: int) -> Match:
    """A match whose first round is going nowhere: players exchange whenever they can, so that R25 can stop it."""
    match = Match(seed)
    rng = Rng(seed)
    while not match.round.over and match.round.quiet < 200:
        legal = match.round.legal_moves()
        exchanges = [move for move in legal if move.take and move.give]
        match.play(pick(exchanges or legal, rng.below(1 << 20)))
    return match


def same_match(one: Match, other: Match) -> bool:
    """Whether two matches are equal, with the same position in every round."""
    return one == other and [str(played) for played in one.rounds] == [str(played) for played in other.rounds]


def few_cards(rng: Rng) -> int:
    """A bag of up to three cards, of at most two kinds."""
    kinds = rng.below(7), rng.below(7)
    return sum(one(kinds[rng.below(2)]) for _ in range(rng.below(4)))


def _row(view: View) -> "vec[u8]":
    return row_of(view, 0, 0)


def position_lines(round_: Round, rng: Rng) -> Iterator[str]:
    """The position, the views and their rows, a world for each, the legal moves, one of them, reasons, the score."""
    yield str(round_)
    for seat in SEATS:
        view = pickled(round_.view(seat))
        yield str(view)
        yield f"{bytes(memoryview(_row(view))).hex()} {list(legal_actions(view))}"
        yield str(determinize(view, rng))
    yield " ".join(str(move) for move in round_.legal_moves())
    if not round_.over:
        me = round_.side(round_.turn)
        yield str(RandomMover(rng).choose(me.hand, me.herd, round_.market))
    for _ in range(5):
        take, give = few_cards(rng), few_cards(rng)
        if take or give:
            yield f"{Move(take, give)} {round_.why_illegal(Move(take, give))}"
    yield repr(round_.score())


def vector_lines(number: int) -> Iterator[str]:
    """Rounds side by side, playing always the first or the last legal action."""
    rounds = Rounds(number, count_rupees=True, want_masks=True, want_features=True)
    rounds.deal(list(range(number)))
    for step in range(60):
        legal, first = list(rounds.legal), list(rounds.first)
        chosen = [legal[first[i + 1] - 1 if step % 3 else first[i]] for i in range(number)]
        rounds.step(b"".join(int(action).to_bytes(4, "little") for action in chosen))
        arrays = (rounds.observations, rounds.rewards, rounds.ended, rounds.seats, rounds.first, rounds.masks)
        yield hashlib.sha256(b"".join(bytes(memoryview(array)) for array in arrays)).hexdigest()
        yield str(sum(rounds.features))


def lines(rounds: int, matches: int) -> Iterator[str]:
    """Everything that some random rounds and matches show."""
    rng = Rng(rounds)
    for seed in range(rounds):
        for round_ in walk(seed, seed % 2):
            yield from position_lines(round_, rng)
    yield from vector_lines(rounds % 7 + 1)
    for seed in range(matches):
        yield str(pickled(Record(random_match(seed, 1000), ("", ""), "2020-02-29")))


def digest(rounds: int = 60, matches: int = 6) -> str:
    """One SHA-256 over all of it."""
    total = hashlib.sha256()
    for line in lines(rounds, matches):
        total.update(line.encode() + b"\n")
    return total.hexdigest()
