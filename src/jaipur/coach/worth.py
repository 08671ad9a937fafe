"""What a round is worth in the match: seals decide, and the loser of a round starts the next one (R7, R26)."""

from jaipur.rules.box import SEALS_TO_WIN


def match_chance(mine: int, theirs: int, starts: bool, start: float) -> float:
    """The probability of winning the match between equals, before a round that this seat does or does not start.

    `start` is what starting a round is worth: the starter's probability of winning it.
    """
    if SEALS_TO_WIN in {mine, theirs}:
        return float(mine == SEALS_TO_WIN)
    win = start if starts else 1 - start
    won = match_chance(mine + 1, theirs, False, start)
    lost = match_chance(mine, theirs + 1, True, start)
    return win * won + (1 - win) * lost


def round_worth(mine: int, theirs: int, start: float) -> float:
    """How much winning the round instead of losing it changes the chance of winning the match: 1 if it decides it."""
    won = match_chance(mine + 1, theirs, False, start)
    return won - match_chance(mine, theirs + 1, True, start)
