"""The JSON API, for people who write clients and bots. Its document is at /api/openapi.json."""

from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Request, Security
from fastapi.routing import APIRoute
from fastapi.security import HTTPBearer
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from pydantic.config import JsonDict
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute

from jaipur.art import AVATARS
from jaipur.bots import LEVELS
from jaipur.language import _
from jaipur.language.words import choice_in_words
from jaipur.rules.errors import N_, JaipurError
from jaipur.rules.move import Move
from jaipur.server.edge.request_log import request_id
from jaipur.server.edge.routes import Route
from jaipur.server.errors import Problem, status_of
from jaipur.server.live.presence import EMOTES, Companion
from jaipur.server.live.stream import DOCUMENTED
from jaipur.server.play.direct import DirectRoute
from jaipur.server.play.new_game import GameRequest, check_used, set_up, sit_down
from jaipur.server.play.table_actions import ACTIONS, act, say
from jaipur.server.play.viewer import MoverDep, Viewer, ViewerDep, events
from jaipur.server.services import Guest, GuestDep, ServicesDep, clean_key
from jaipur.table import GameKind, NotSeated, Seen, Table, fresh_secret, invite_secret, see
from jaipur.table.checks import check_dealt
from jaipur.table.clock import PACES
from jaipur.threads import in_thread

_bearer = HTTPBearer(auto_error=False, description="Your seat's token. `POST /api/games` gives you one.")
router = APIRouter(
    route_class=Route,
    prefix="/api",
    dependencies=[Security(_bearer)],
    responses={
        status: {"model": Problem, "description": text}
        for status, text in {
            400: "Something is wrong with the request.",
            401: "The token is too short or too simple.",
            403: "You have no seat here, or the request comes from another site.",
            404: "There is no such game.",
            409: "The table has changed, or this cannot be done now.",
            405: "This address does not accept that method; see Allow.",
            408: "The request took too long.",
            413: "The request is too large.",
            422: "The request cannot be read, or the move is illegal.",
            421: "This server answers on its own machine only.",
            429: "Too many requests, connections or streams; see Retry-After.",
            431: "The headers are too large.",
            500: "Something went wrong on our side.",
            503: "The database cannot be used now.",
        }.items()
    },
)
_LEVELS: JsonDict = {"enum": list(LEVELS)}
_AVATARS: JsonDict = {"enum": ["", *AVATARS]}
_PACES: JsonDict = {"enum": ["", *PACES]}
_EMOTES: JsonDict = {"enum": list(EMOTES)}
_NO_TOKEN_NEEDED: dict[str, Any] = {"security": [{}]}
"""In OpenAPI: one of the ways to be let in is none at all."""
Key = Annotated[str, Header(alias="Idempotency-Key", max_length=64, description="Sent twice, it counts once.")]
Name = Annotated[str, Field(max_length=30)]
Avatar = Annotated[str, Field(max_length=20, description="a picture, or none", json_schema_extra=_AVATARS)]


class Body(BaseModel):
    """What a program sends. Unknown fields are refused: one may be a known field, misspelt."""

    model_config = ConfigDict(extra="forbid")


class NewGameBody(Body):
    """What to play: against a bot, or with a friend who joins by the invitation. What the kind does not use is refused.

    `level` is for `bot` and `watch`, `level2` for `watch`, `name2` for `one-screen`, `pace` for `friend`. `watch` has
    no `name`, and `watch` and `one-screen` have neither `watchable` nor `avatar`.
    """

    kind: GameKind = GameKind.BOT
    level: str = Field("trader", max_length=20, json_schema_extra=_LEVELS)
    level2: str = Field(
        "merchant", max_length=20, description="the second bot, when two bots are watched", json_schema_extra=_LEVELS
    )
    name: Name = ""
    name2: Name = ""
    watchable: bool = False
    avatar: Avatar = ""
    pace: str = Field(
        "", max_length=16, description="a clock for a game with a friend, or none", json_schema_extra=_PACES
    )


class Joining(Body):
    """Who joins."""

    name: Name = ""
    avatar: Avatar = ""


class Playing(Body):
    """A move for a ply, like `+DG-LM`. A stale ply is refused with 409."""

    move: str = Field(max_length=40, examples=["+D", "+M", "+DG-LM", "-LLL"])
    ply: int = Field(ge=0, lt=2**31)


class Saying(Body):
    """Something polite."""

    emote: str = Field(max_length=20, json_schema_extra=_EMOTES)


@dataclass(frozen=True)
class Seated:
    """Your seat: send the token as `Authorization: Bearer TOKEN`. The invitation is for a friend, once."""

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
    """Writes the most frequent answers straight to JSON: our own types need no validation."""
    return Response(adapter.dump_json(answer), media_type="application/json")


def _or_new(guest: Guest) -> Guest:
    return guest if guest.secret else Guest(fresh_secret())


@router.post("/games", status_code=201, openapi_extra=_NO_TOKEN_NEEDED)
def create(services: ServicesDep, guest: GuestDep, body: NewGameBody, key: Key = "") -> Seated:
    """Sets up a game. Without a token you get a new one."""
    if key and not guest.secret:
        raise JaipurError(N_("An idempotency key counts for a token: send both, or neither."))
    check_used(body.kind, body.model_fields_set - {"kind"})
    me = _or_new(guest)
    table = set_up(services, me, GameRequest(**body.model_dump(), key=key))
    game = table.game.id
    return Seated(game, me.secret, None if table.full else invite_secret(me.secret, game))


@router.post("/invites/{token}", openapi_extra=_NO_TOKEN_NEEDED)
def join(
    services: ServicesDep, guest: GuestDep, token: Annotated[str, Path(max_length=64)], joining: Joining
) -> Seated:
    """Takes the free seat of a game, once."""
    me = _or_new(guest)
    table = sit_down(services, me, token, joining.name, joining.avatar)
    return Seated(table.game.id, me.secret, None)


@router.get("/games/{game}", response_model=Seen, openapi_extra=_NO_TOKEN_NEEDED)
async def look(viewer: ViewerDep) -> Response:
    """The table as you may see it."""
    return _json(_SEEN, viewer.look())


@router.get("/games/{game}/moves", openapi_extra=_NO_TOKEN_NEEDED)
def moves(viewer: ViewerDep) -> list[Legal]:
    """Your legal moves."""
    view = viewer.view_to_move()
    return [] if view is None else [Legal(str(move), choice_in_words(view, move)) for move in view.legal_moves()]


@router.get("/games/{game}/moves/{move}")
def check(viewer: ViewerDep, move: Annotated[str, Path(max_length=40)]) -> Checked:
    """Whether you may play this move now, and if not, why."""
    if viewer.seat is None:
        raise NotSeated
    check_dealt(viewer.table)
    view = viewer.table.view(viewer.seat)
    parsed = Move.parse(move)
    reason = view.why_illegal(parsed)
    words = choice_in_words(view, parsed) if reason is None else reason.text(_)
    return Checked(str(parsed), reason is None, words)


def _answer(viewer: Viewer, after: Table) -> Response:
    """The table right after an action, seen from the guest's seat that took it."""
    own = after.actor in after.held_by(viewer.guest.holder)
    return _json(_ANSWER, Answer(after.number, see(after, after.actor if own else viewer.acting_seat)))


@router.post("/games/{game}/moves", response_model=Answer)
async def play(viewer: MoverDep, playing: Playing, key: Key = "") -> Response:
    """Plays a move. If two requests race for one ply, one of them gets 409 and the view as it is now."""
    seat, tables = viewer.acting_seat, viewer.services.tables  # a guest who may not act is told that first
    move = Move.parse(playing.move)
    try:
        after = await in_thread(tables.move, viewer.table, seat, playing.ply, move, clean_key(key))
    except JaipurError as error:
        if status_of(error) != HTTPStatus.CONFLICT:
            raise
        fresh = await in_thread(viewer.now)
        problem = Problem(error=error.text(_), request=request_id.get(), view=see(fresh.table, fresh.acting_seat))
        return JSONResponse(problem.model_dump(mode="json"), HTTPStatus.CONFLICT)
    return _answer(viewer, after)


@router.get("/games/{game}/presence", openapi_extra=_NO_TOKEN_NEEDED)
def presence(viewer: ViewerDep) -> list[Companion]:
    """Who is at a table with a friend, when they last were (milliseconds since 1970), and what they just said."""
    return viewer.services.presence.of(viewer.table) or []


@router.post("/games/{game}/emote", response_model=Answer)
async def emote(viewer: ViewerDep, saying: Saying, key: Key = "") -> Response:
    """Says something polite to the other player, who hears it as an event named `emote`. It is not kept."""
    return _answer(viewer, await in_thread(say, viewer, saying.emote, key))


async def _act(name: str, viewer: ViewerDep, key: Key = "") -> Response:
    return _answer(viewer, await in_thread(act, viewer, name, key))


for _name, _action in ACTIONS.items():
    router.post(f"/games/{{game}}/{_name}", response_model=Answer, name=_name, description=_action.about)(
        partial(_act, _name)
    )
router.get("/games/{game}/events", **DOCUMENTED, openapi_extra=_NO_TOKEN_NEEDED)(events)


@router.get("", include_in_schema=False)
def document(request: Request, services: ServicesDep) -> Response:
    """The API on one page, for people."""
    return services.renderer.page(request, "site/api.html", {"paths": request.app.openapi()["paths"]})


direct: list[BaseRoute] = [
    DirectRoute(route)
    for route in router.routes
    if isinstance(route, APIRoute) and route.response_model in {Seen, Answer}
]
"""The routes that are asked for most: they come before all others, and FastAPI only documents them."""
