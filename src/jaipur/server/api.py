"""The JSON API, for people who write clients and bots. Its document is at /api/openapi.json."""

from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Request
from fastapi.sse import EventSourceResponse
from pydantic import BaseModel, Field, TypeAdapter
from starlette.responses import JSONResponse, Response

from jaipur.core.errors import JaipurError
from jaipur.core.move import Move
from jaipur.i18n import _
from jaipur.server.chair import Chair, TheChair, WantedSeat, events
from jaipur.server.errors import Problem, status_of
from jaipur.server.house import Guest, House, TheGuest, TheHouse, clean_key, clean_name
from jaipur.server.newgame import Wish, set_up
from jaipur.store import Event
from jaipur.table import GameKind, NotSeated, Seen, fresh_token, invite_token
from jaipur.words import choice_in_words

router = APIRouter(
    prefix="/api",
    responses={
        status: {"model": Problem, "description": text}
        for status, text in {
            400: "Something is wrong with the request.",
            403: "You have no seat here, or the request comes from another site.",
            404: "There is no such game.",
            409: "The table has changed, or this cannot be done now.",
            413: "The request is too large.",
            422: "The request cannot be read, or the move is illegal.",
            429: "Too many requests; see Retry-After.",
            503: "The database cannot be used now.",
        }.items()
    },
)
Key = Annotated[str, Header(alias="Idempotency-Key", max_length=64, description="Sent twice, it counts once.")]
Name = Annotated[str, Field(max_length=30)]


class NewGame(BaseModel):
    """What to play: against a bot, or with a friend who joins by the invitation."""

    kind: GameKind = GameKind.BOT
    level: str = Field("trader", max_length=20, description="pedlar, trader, broker, merchant, vizier or random")
    level2: str = Field("merchant", max_length=20, description="the second bot, when two bots are watched")
    name: Name = ""
    name2: Name = ""
    watchable: bool = False


class Joining(BaseModel):
    """Who joins."""

    name: Name = ""


class Playing(BaseModel):
    """A move for a ply, like `+DG-LM`. A stale ply is refused with 409."""

    move: str = Field(max_length=40, examples=["+D", "+M", "+DG-LM", "-LLL"])
    ply: int = Field(ge=0, lt=2**31)


@dataclass(frozen=True)
class Seated:
    """Your seat: bring the token as `Authorization: Bearer TOKEN`. The invitation is for a friend, once."""

    game: str
    token: str
    invite: str | None


@dataclass(frozen=True)
class Legal:
    """A legal move, in notation and in words."""

    move: str
    words: str


@dataclass(frozen=True)
class Checked:
    """Whether a move is legal now, and if not, why."""

    move: str
    legal: bool
    words: str


@dataclass(frozen=True)
class Answer:
    """The number of the event that was written, and the table after it."""

    number: int
    view: Seen


_SEEN = TypeAdapter(Seen)
_ANSWER = TypeAdapter(Answer)


def _json(adapter: TypeAdapter[Any], answer: object) -> Response:
    """What is asked most often is written as JSON at once, without a check of our own types."""
    return Response(adapter.dump_json(answer), media_type="application/json")


def _or_new(guest: Guest) -> Guest:
    return guest if guest.token else Guest(fresh_token())


@router.post("/games", status_code=201)
def create(house: TheHouse, guest: TheGuest, wanted: NewGame, key: Key = "") -> Seated:
    """Sets up a game. Without a token you get a new one."""
    me = _or_new(guest)
    game = set_up(house, me, Wish(**wanted.model_dump(), key=key))
    table = house.tables.open(game)
    return Seated(game, me.token, None if table.full else invite_token(me.token, game))


@router.post("/invites/{token}")
def join(house: TheHouse, guest: TheGuest, token: Annotated[str, Path(max_length=64)], joining: Joining) -> Seated:
    """Takes the free seat of a game, once."""
    me = _or_new(guest)
    return Seated(house.tables.join(token, clean_name(joining.name, _("Guest")), me.sit()), me.token, None)


@router.get("/games/{game}", response_model=Seen)
def view(house: TheHouse, guest: TheGuest, game: str, seat: WantedSeat = None) -> Response:
    """The table as you may see it."""
    return _json(_SEEN, Chair(house, guest, game, seat).look())


@router.get("/games/{game}/moves")
def moves(chair: TheChair) -> list[Legal]:
    """Your legal moves."""
    seen = chair.to_decide()
    return [] if seen is None else [Legal(str(move), choice_in_words(seen, move)) for move in seen.legal_moves()]


@router.get("/games/{game}/moves/{move}")
def check(chair: TheChair, move: Annotated[str, Path(max_length=40)]) -> Checked:
    """Whether you may play this move now, and if not, why."""
    if chair.seat is None:
        raise NotSeated
    seen = chair.house.tables.open(chair.game).view(chair.seat)
    wanted = Move.parse(move)
    reason = seen.why_illegal(wanted)
    words = choice_in_words(seen, wanted) if reason is None else reason.text(_)
    return Checked(str(wanted), reason is None, words)


def _act(house: House, guest: Guest, game: str, do: Callable[[int], Event]) -> Answer:
    """Acts for the guest's seat, and looks at the table as it was right after it."""
    seat = house.tables.acting_seat(game, guest.holder)
    event = do(seat)
    return Answer(event.number, house.tables.look(game, seat, event.number))


@router.post("/games/{game}/moves", response_model=Answer)
def play(house: TheHouse, guest: TheGuest, game: str, playing: Playing, key: Key = "") -> Response:
    """Plays a move. Of two that race for one ply, one gets 409 and the fresh view."""
    tables = house.tables

    def submit(seat: int) -> Event:
        return tables.submit(game, seat, playing.ply, Move.parse(playing.move), clean_key(key))

    try:
        answer = _act(house, guest, game, submit)
    except JaipurError as error:
        if status_of(error) != HTTPStatus.CONFLICT:
            raise
        fresh = Problem(error=error.text(_), view=tables.look(game, tables.acting_seat(game, guest.holder)))
        return JSONResponse(fresh.model_dump(mode="json"), HTTPStatus.CONFLICT)
    return _json(_ANSWER, answer)


@router.post("/games/{game}/ready")
def ready(house: TheHouse, guest: TheGuest, game: str, key: Key = "") -> Answer:
    """You have seen the score sheet; the next round is dealt when both have."""
    return _act(house, guest, game, lambda seat: house.tables.ready(game, seat, clean_key(key)))


@router.post("/games/{game}/resign")
def resign(house: TheHouse, guest: TheGuest, game: str, key: Key = "") -> Answer:
    """Gives up the match."""
    return _act(house, guest, game, lambda seat: house.tables.resign(game, seat, clean_key(key)))


router.get("/games/{game}/events", response_class=EventSourceResponse)(events)


@router.get("", include_in_schema=False)
def document(request: Request, house: TheHouse) -> Response:
    """The API on one page, for people."""
    return house.pages.page(request, "api.html", {"paths": request.app.openapi()["paths"]})
