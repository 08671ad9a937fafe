"""Golden decisions: what each level plays in fixed positions, with a number of worlds and a seed."""

from pathlib import Path

from jaipur import Match, Rng, View
from jaipur.bots import LEVELS, Budget, make_player

PATH = Path(__file__).parent.parent / "tests" / "golden" / "decisions.txt"
BUDGET = Budget(worlds=12)
ROUNDS = 3


def views() -> list[View]:
    """What the trader sees at each turn of a few rounds against itself."""
    trader, rng = make_player("trader"), Rng(11)
    found = []
    for seed in range(ROUNDS):
        played = Match(seed).round
        while not played.over:
            view = played.view(played.turn)
            found.append(view)
            played.play(trader.choose(view, BUDGET, rng))
    return found


def decisions() -> str:
    """Each position with the move of every level."""
    players = {level: make_player(level) for level in LEVELS}
    parts = []
    for number, view in enumerate(views()):
        moves = [f"{level} {player.choose(view, BUDGET, Rng(number))}" for level, player in players.items()]
        parts.append(f"# {number}\n{view!s}\n>>> {' / '.join(moves)}")
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    PATH.write_text(decisions(), encoding="utf-8")
