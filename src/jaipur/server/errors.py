"""What went wrong, as one sentence: JSON for programs, a page for people."""

from http import HTTPStatus
from urllib.parse import urlsplit

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.routing import Match, Mount

from jaipur.language import _
from jaipur.record import RecordError
from jaipur.rules.errors import N_, IllegalMove, JaipurError, NotationError
from jaipur.server.edge.guard import Refused
from jaipur.server.edge.request_log import request_id
from jaipur.server.render import Renderer
from jaipur.store import Busy, StoreError
from jaipur.table import Damaged, GameOver, KeyUsed, NoSuchGame, NotAllowed, NotSeated, Seen, Stale
from jaipur.threads import beside


class TooManyStreams(JaipurError):
    """A client listens to more games than it can follow."""

    retry_after = 5

    def __init__(self) -> None:
        super().__init__(N_("Too many open event streams: close some and try again."))


class TooManyUploads(JaipurError):
    """Records arrive faster than they can be read."""

    retry_after = 10

    def __init__(self) -> None:
        super().__init__(N_("Many records are being read right now: try again soon."))


_STATUS: tuple[tuple[type[JaipurError], int], ...] = (
    (NoSuchGame, 404),
    (NotSeated, 403),
    (Stale, 409),
    (GameOver, 409),
    (NotAllowed, 409),
    (KeyUsed, 422),
    (IllegalMove, 422),
    (NotationError, 422),
    (RecordError, 422),
    (Damaged, 500),
    (StoreError, 503),
    (TooManyStreams, 429),
    (TooManyUploads, 503),
)


class Problem(BaseModel):
    """One sentence, in your language; the request's id in the log; the fresh view when the table has changed."""

    error: str
    request: str = ""
    view: Seen | None = None


def status_of(error: JaipurError) -> int:
    """The HTTP status of an error."""
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 400)


def _allowed(request: Request) -> list[str]:
    """The methods that any route accepts at this address; HEAD goes with GET. Files can only be read."""
    routes = [route for route in request.app.routes if not isinstance(route, Mount)]
    methods = {
        method
        for method in ("GET", "POST")
        if any(route.matches({**request.scope, "method": method})[0] is Match.FULL for route in routes)
    }
    methods = methods or {"GET"}
    return sorted(methods | {"HEAD"} if "GET" in methods else methods)


def _answer(renderer: Renderer, request: Request, status: int, sentence: str) -> Response:
    """One sentence and the request's id; a page also has a way back, to the page that led here or to the table."""
    if request.scope["path"].startswith("/api"):
        return JSONResponse({"error": sentence, "request": request_id.get()}, status)
    context = {"status": status, "sentence": sentence, "back": _way_back(request), "request_id": request_id.get()}
    return renderer.page(request, "site/error.html", context, status)


def _way_back(request: Request) -> str:
    """The page of ours that led here; empty if that is unknown or would lead here again."""
    if request.url.path == "/records":
        return "/games#upload"
    try:
        came_from = urlsplit(request.headers.get("referer", ""))
    except ValueError:
        return ""
    if came_from.netloc != request.headers.get("host") or came_from.path in {"", "/", request.url.path}:
        return ""
    return f"{came_from.path}?{came_from.query}" if came_from.query else came_from.path


_REFUSALS: dict[int, str] = {
    HTTPStatus.BAD_REQUEST: N_("The body of the request cannot be read: send what this address expects, in UTF-8."),
    HTTPStatus.NOT_FOUND: N_("There is no such page: check the address."),
}


def refusal(renderer: Renderer, request: Request, error: HTTPException) -> Response:
    """The answer to a request that is not let in, or that no route accepts."""
    other = N_("This address does not accept that kind of request.")
    sentence = error.detail if isinstance(error, Refused) else _REFUSALS.get(error.status_code, other)
    response = _answer(renderer, request, error.status_code, _(sentence))
    response.headers.update(error.headers or {})
    return response


def install(app: FastAPI) -> None:
    """Answers all errors of the app."""

    def answer(request: Request, status: int, sentence: str) -> Response:
        return _answer(request.state.services.renderer, request, status, sentence)

    @app.exception_handler(JaipurError)
    @beside
    def known(request: Request, error: JaipurError) -> Response:
        response = answer(request, status_of(error), error.text(_))
        if isinstance(error, Busy | TooManyStreams | TooManyUploads):
            response.headers["retry-after"] = str(error.retry_after)
        return response

    @app.exception_handler(RequestValidationError)
    @beside
    def unreadable(request: Request, error: RequestValidationError) -> Response:
        names = {next(part for part in reversed(problem["loc"]) if isinstance(part, str)) for problem in error.errors()}
        where = ", ".join(sorted(names))
        return answer(request, 422, _("The request cannot be read: check {fields}.").format(fields=where))

    @app.exception_handler(HTTPException)
    @beside
    def refused(request: Request, error: HTTPException) -> Response:
        response = refusal(request.state.services.renderer, request, error)
        if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            response.headers["allow"] = ", ".join(_allowed(request))
        return response

    @app.exception_handler(Exception)
    @beside
    def failed(request: Request, _error: Exception) -> Response:
        return answer(request, 500, _("Something went wrong on our side. It was logged, and nothing was lost."))
