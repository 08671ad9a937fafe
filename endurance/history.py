"""Can everything that clients were told be explained by one log that grew event by event? In the manner of Jepsen.

A history is every request, with the moments it was sent and answered. The model is the log of the game as written: an
accepted move has its place in it, and a look shows the log up to some place. A request that was answered before
another was sent must come before it.
"""

from dataclasses import dataclass

from jaipur.match import Match
from jaipur.rules.errors import JaipurError
from jaipur.rules.move import Move


@dataclass(frozen=True)
class Asked:
    """One request: a move for a ply, or a look (no move). `number` is the event that the answer named; 0 if refused."""

    sent: float
    answered: float
    ply: int
    move: str
    number: int
    log: tuple[str, ...] = ()


def faults(history: list[Asked], written: list[str], seed: str) -> list[str]:
    """What the log cannot explain. `written` are the moves of one match, in order."""
    won = [asked for asked in history if asked.move and asked.number]
    return [
        *_impossible(written, seed),
        *_lost(won, written),
        *_out_of_order(history),
        *_refused_without_reason(history, won),
        *_wrong_looks(history, written),
    ]


def _impossible(written: list[str], seed: str) -> list[str]:
    match = Match(seed)
    try:
        for move in written:
            match.play(Move.parse(move))
    except JaipurError as error:
        return [f"the log is not a match: {error}"]
    return []


def _lost(won: list[Asked], written: list[str]) -> list[str]:
    """Each accepted move must be at its place, and each place must have one winner."""
    found = [
        f"acknowledged and not written: {asked}" for asked in won if written[asked.ply : asked.ply + 1] != [asked.move]
    ]
    plies = [asked.ply for asked in won]
    if len(plies) != len(set(plies)):
        found.append("two moves were accepted for one ply")
    if len(plies) != len(written):
        found.append(f"{len(plies)} moves were accepted, {len(written)} were written")
    return found


def _out_of_order(history: list[Asked]) -> list[str]:
    """No answer may know less than another answer that came before its request was sent."""
    found = []
    told = sorted((asked.answered, asked.number) for asked in history if asked.number)
    newest, position = 0, 0
    for asked in sorted(history, key=lambda asked: asked.sent):
        while position < len(told) and told[position][0] < asked.sent:
            newest = max(newest, told[position][1])
            position += 1
        least = newest + bool(asked.move)
        if asked.number and asked.number < least:
            found.append(f"told of {asked.number} after {newest} was known: {asked}")
    return found


def _refused_without_reason(history: list[Asked], won: list[Asked]) -> list[str]:
    """A move may be refused only if another one for its ply was already on its way."""
    begun = {asked.ply: asked.sent for asked in won}
    return [
        f"refused, and nobody else moved: {asked}"
        for asked in history
        if asked.move and not asked.number and not (asked.ply in begun and begun[asked.ply] <= asked.answered)
    ]


def _wrong_looks(history: list[Asked], written: list[str]) -> list[str]:
    return [
        f"saw another log: {asked}"
        for asked in history
        if not asked.move and list(asked.log) != written[: asked.number]
    ]
