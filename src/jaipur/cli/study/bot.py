"""`jaipur bot LEVEL`: our own players, speaking the protocol of external bots."""

import sys
from typing import Annotated

from typer import Argument, Option

from jaipur.bots import make_player
from jaipur.bots.protocol import answer, read_question
from jaipur.language import _
from jaipur.rules.rng import Rng


def bot(
    level: Annotated[str, Argument(help=_("The player that answers: a level, or another name as in jaipur duel."))],
    seed: Annotated[int, Option(help=_("The seed of its random numbers."))] = 0,
) -> None:
    """Answers questions until the input ends."""
    player = make_player(level)
    rng = Rng(seed)
    for line in sys.stdin:
        view, budget = read_question(line)
        print(answer(player.choose(view, budget, rng)), flush=True)  # noqa: T201 - the protocol
