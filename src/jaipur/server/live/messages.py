"""What the processes that share a database tell each other: one dataclass for each kind of message."""

from dataclasses import dataclass
from typing import Any, get_args

from pydantic import TypeAdapter

from jaipur.store import Event


@dataclass(frozen=True)
class Written:
    """An event was written, or a game was set up (number 0); for whom a bot thinks next, and for how many seconds.

    The event comes along, so that nobody has to read it.
    """

    game: str
    number: int
    event: Event | None = None
    owner: str = ""
    seconds: float | None = None


@dataclass(frozen=True)
class Watched:
    """A game is watched, by this owner of work."""

    game: str
    owner: str


@dataclass(frozen=True)
class Present:
    """Whether a seat has a page open at this process."""

    game: str
    seat: int
    process: str
    here: bool


@dataclass(frozen=True)
class Called:
    """A seat was called for this reason."""

    game: str
    seat: int
    reason: str


@dataclass(frozen=True)
class Said:
    """A seat sent an emote, with the key of the request."""

    game: str
    seat: int
    emote: str
    key: str


@dataclass(frozen=True)
class CoachQuestion:
    """A question to the coach: the name of its task, and what it is about."""

    key: str
    owner: str
    task: str
    about: list[str]


@dataclass(frozen=True)
class CoachAnswer:
    """The answer to a question with this key, in the form that JSON has for it."""

    key: str
    answer: Any


@dataclass(frozen=True)
class ReviewWanted:
    """An owner wants to see the review of a finished match."""

    game: str
    owner: str


@dataclass(frozen=True)
class ReviewProgress:
    """How many decisions of a match are graded, and whether the review is stored."""

    game: str
    done: int
    total: int
    finished: bool


Message = Written | Watched | Present | Called | Said | CoachQuestion | CoachAnswer | ReviewWanted | ReviewProgress
_FORMS: dict[str, TypeAdapter[Any]] = {kind.__name__: TypeAdapter(kind) for kind in get_args(Message)}


def pack(message: Message) -> str:
    """A message as text."""
    name = type(message).__name__
    return f"{name} {_FORMS[name].dump_json(message).decode()}"


def unpack(text: str) -> Message | None:
    """Reads a message; None if another version sent something that this one does not know."""
    name, _space, fields = text.partition(" ")
    try:
        message: Message = _FORMS[name].validate_json(fields)
    except (KeyError, ValueError):
        return None
    return message
