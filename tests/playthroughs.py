"""Golden playthroughs: `python -m tests.playthroughs` writes them anew; reviewers read the diff."""

from pathlib import Path

from jaipur import Match, Rng
from jaipur.notation import round_text, view_text

FOLDER = Path(__file__).parent / "golden"
SEEDS = (1, 2)


def playthrough(seed: int) -> str:
    """A random round: at each turn the position, both views, the legal moves and the move."""
    match = Match(seed)
    table = match.round
    rng = Rng(seed)
    parts = [f"seed {match.seed.hex()}\ncommitment {match.commitment}"]
    while not table.over:
        moves = table.legal_moves()
        move = moves[rng.below(len(moves))]
        parts.append(
            f"{_position(match)}\nlegal {' '.join(map(str, moves))}\n>>> seat {table.turn} plays {move}",
        )
        table.play(move)
    parts.append(f"{_position(match)}\n{table.score()}")
    return "\n\n".join(parts) + "\n"


def _position(match: Match) -> str:
    table = match.round
    return "\n".join([f"# {match.ply}", round_text(table), view_text(table.view(0)), view_text(table.view(1))])


def path_of(seed: int) -> Path:
    return FOLDER / f"random-{seed}.txt"


if __name__ == "__main__":
    for number in SEEDS:
        path_of(number).write_text(playthrough(number), encoding="utf-8")
