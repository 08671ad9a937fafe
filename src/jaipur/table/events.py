"""The kinds of games and events, what they leave on the table, and where a game stands."""

from dataclasses import dataclass
from enum import StrEnum


class GameKind(StrEnum):
    """Who plays with whom."""

    BOT = "bot"
    GUIDED = "guided"
    FRIEND = "friend"
    ONE_SCREEN = "one-screen"
    WATCH = "watch"


class EventKind(StrEnum):
    """What can happen at a table."""

    JOIN = "join"
    MOVE = "move"
    READY = "ready"
    ASK = "ask"
    DECLINE = "decline"
    UNDO = "undo"
    REDO = "redo"
    RESIGN = "resign"
    REMATCH = "rematch"
    STOP = "stop"
    SPEED = "speed"
    SHARE = "share"
    TIMEOUT = "timeout"
    RESUME = "resume"
    HINT = "hint"
    HINTED = "hinted"
    """The first event of a match that was played elsewhere: how many hints it had, like `3-0`."""


class Question(StrEnum):
    """What one player can ask of the other."""

    UNDO = "undo"
    REMATCH = "rematch"


class Speed(StrEnum):
    """How two bots that are watched play. A step is one move, after which they pause again."""

    PAUSE = "pause"
    STEP = "step"
    SLOW = "slow"
    NORMAL = "normal"
    FAST = "fast"


class Status(StrEnum):
    """Where a game stands: waiting for a friend, in a round, at a score sheet between rounds, or over."""

    WAITING = "waiting"
    PLAYING = "playing"
    SHEET = "sheet"
    OVER = "over"


@dataclass(frozen=True)
class Logged:
    """A move that was played, as it is told."""

    round: int
    seat: int
    move: str


@dataclass(frozen=True)
class Offer:
    """What a seat has asked of the other."""

    seat: int
    what: Question
