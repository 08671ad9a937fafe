"""Golden playthroughs: `make golden` rewrites them; reviewers read the diff."""

from pathlib import Path

from jaipur import Match, Rng

FOLDER = Path(__file__).parent.parent / "tests" / "golden"
SEEDS = (1, 2)


def playthrough(seed: int) -> str:
    """A random round: at each turn the position, both views, the legal moves and the move."""
    match = Match(seed)
    round_ = match.round
    rng = Rng(seed)
    parts = [f"seed {match.seed.hex()}\ncommitment {match.commitment}"]
    while not round_.over:
        moves = round_.legal_moves()
        move = moves[rng.below(len(moves))]
        parts.append(
            f"{_position(match)}\nlegal {' '.join(map(str, moves))}\n>>> seat {round_.turn} plays {move}",
        )
        round_.play(move)
    parts.append(f"{_position(match)}\n{round_.score()}")
    return "\n\n".join(parts) + "\n"


def _position(match: Match) -> str:
    round_ = match.round
    return "\n".join([f"# {match.ply}", str(round_), str(round_.view(0)), str(round_.view(1))])


def path_of(seed: int) -> Path:
    """Where a playthrough is kept."""
    return FOLDER / f"random-{seed}.txt"


if __name__ == "__main__":
    for number in SEEDS:
        path_of(number).write_text(playthrough(number), encoding="utf-8")
