"""What a messenger shows for a link: for an invitation, who invites; for a finished game, how it ended."""

from dataclasses import dataclass

from jaipur.language import _
from jaipur.language.words import sentence_start, victory_in_words
from jaipur.table import GameKind, Seen, Status


@dataclass(frozen=True)
class Preview:
    """Title, one or two sentences, and one of the pictures in `art`."""

    title: str
    text: str
    picture: str = "share.jpg"


def preview_of_invitation(host: str) -> Preview:
    """Who invites."""
    return Preview(
        _("{name} invites you to Jaipur").format(name=sentence_start(host)),
        _("A trading game for two: about ten minutes per round, and two seals win. No account needed."),
    )


def preview_of_game(seen: Seen) -> Preview:
    """The players, and how a finished game ended; nothing else about the game."""
    names = {"first": seen.sides[0].name, "second": seen.sides[1].name or "?"}
    title = _("{first} and {second} at the market").format(**names)
    if seen.status is not Status.OVER or seen.winner is None or not seen.sides[seen.winner].name:
        watching = _("See two bots trade.") if seen.kind is GameKind.WATCH else _("Watch a game of Jaipur.")
        return Preview(title, watching)
    won = seen.sides[seen.winner]
    score = _("{first} and {second}, seals {one} to {two}. See the result and the replay.")
    return Preview(
        victory_in_words(won.called),
        score.format(one=seen.sides[0].seals, two=seen.sides[1].seals, **names),
        "result.jpg",
    )
