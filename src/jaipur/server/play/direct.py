"""Routes that read their parameters themselves: FastAPI's dependencies take longer than the game does.

The API's document knows these routes by their endpoints' signatures, as it does all others.
"""

from collections.abc import Awaitable, Callable
from functools import partial
from http import HTTPStatus
from inspect import signature
from typing import Any, TypeVar, get_args

from fastapi.exceptions import RequestValidationError
from fastapi.params import Depends
from fastapi.routing import APIRoute
from pydantic import BaseModel, TypeAdapter, ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from jaipur.server.play.viewer import ChosenSeat

_Reader = Callable[[Request], Awaitable[Any]]
_T = TypeVar("_T")
_SEAT: TypeAdapter[int | None] = TypeAdapter(ChosenSeat)


class DirectRoute(Route):
    """A route under the address of a game. Its endpoint may need the viewer, a body, and a header."""

    def __init__(self, documented: APIRoute) -> None:
        endpoint: Callable[..., Awaitable[Response]] = documented.endpoint
        readers = [(name, _reader(part.annotation)) for name, part in signature(endpoint).parameters.items()]

        async def answer(request: Request) -> Response:
            return await endpoint(**{name: await read(request) for name, read in readers})

        super().__init__(documented.path, answer, methods=documented.methods, include_in_schema=False)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers; the log is told which route it was."""
        scope["route"] = self
        await super().handle(scope, receive, send)


def _reader(kind: Any) -> _Reader:
    """How a parameter of this kind is read."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return partial(_body, kind)
    mark = get_args(kind)[-1]
    if isinstance(mark, Depends):
        return partial(_viewer, mark.dependency)
    return partial(_header, TypeAdapter(kind), mark.alias)


async def _viewer(opener: Any, request: Request) -> object:
    query = request.scope["query_string"]
    seat = _checked(_SEAT.validate_python, request.query_params.get("seat"), "query", "seat") if query else None
    return await opener(request, request.path_params["game"], seat)


async def _header(adapter: TypeAdapter[str], name: str, request: Request) -> str:
    value = request.headers.get(name)
    return _checked(adapter.validate_python, value, "header", name) if value else ""


async def _body(model: type[BaseModel], request: Request) -> BaseModel:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json" and not (kind.startswith("application/") and kind.endswith("+json")):
        raise RequestValidationError([{"loc": ("body",)}])
    try:
        text = (await request.body()).decode()
    except UnicodeDecodeError as error:
        raise HTTPException(HTTPStatus.BAD_REQUEST) from error
    return _checked(model.model_validate_json, text, "body")


def _checked(check: Callable[[Any], _T], value: object, *where: str) -> _T:
    try:
        return check(value)
    except ValidationError as error:
        faults = [{"loc": (*where, *fault["loc"])} for fault in error.errors(include_url=False)]
        raise RequestValidationError(faults) from error
