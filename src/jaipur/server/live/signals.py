"""Whom a game is waiting for, as a page's title, its icon, a badge and a notification show it. None names a card."""

from dataclasses import dataclass

from jaipur.language import _
from jaipur.table import GameKind, Seen, Status


@dataclass(frozen=True)
class Signal:
    """The title of the page; why the viewer is called, if they are; in which game; and words for a friend's arrival."""

    title: str
    call: str
    about: str
    came: str


def signal(seen: Seen) -> Signal:
    """The signal for one onlooker."""
    call = _call(seen)
    other = seen.sides[1 - seen.seat].called if seen.seat is not None else ""
    return Signal(
        title=f"● {call} – Jaipur" if call else f"{_scene(seen)} – Jaipur",
        call=call,
        about=_("In your game with {name}.").format(name=other) if other else "",
        came=_("Your friend is here") if seen.kind is GameKind.FRIEND and seen.seat is not None else "",
    )


def _call(seen: Seen) -> str:
    """Why the game waits for this viewer. Two players at one screen are sitting there and need no call."""
    if seen.seat is None or seen.kind is GameKind.ONE_SCREEN:
        return ""
    if seen.asked is not None and seen.asked.seat != seen.seat and seen.rematch is None:
        return _("A question for you")
    if seen.turn == seen.seat:
        return _("Your turn")
    if seen.status is Status.SHEET and seen.seat not in seen.ready:
        return _("The round is over")
    return ""


def _scene(seen: Seen) -> str:
    if seen.status is Status.WAITING:
        return _("Waiting for your friend")
    if seen.status is Status.OVER:
        return _("Result of {first} and {second}").format(first=seen.sides[0].name, second=seen.sides[1].name or "?")
    return _("{first} and {second} at the market").format(first=seen.sides[0].name, second=seen.sides[1].name)
