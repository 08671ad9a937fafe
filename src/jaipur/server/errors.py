"""What went wrong, as one sentence: JSON for programs, a page for people."""

from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from jaipur.core.errors import N_, IllegalMove, JaipurError, NotationError
from jaipur.i18n import _
from jaipur.record import RecordError
from jaipur.store import StoreError
from jaipur.table import GameOver, KeyUsed, NoSuchGame, NotAllowed, NotSeated, Seen, Stale

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
    (StoreError, 503),
)


class Problem(BaseModel):
    """One sentence, in your language; the fresh view when the table has changed."""

    error: str
    view: Seen | None = None


def status_of(error: JaipurError) -> int:
    """The HTTP status of an error."""
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 400)


def install(app: FastAPI) -> None:
    """Answers all errors of the app."""

    def answer(request: Request, status: int, sentence: str) -> Response:
        if request.url.path.startswith("/api"):
            return JSONResponse({"error": sentence}, status)
        page: Response = request.app.state.house.pages.page(
            request, "error.html", {"status": status, "sentence": sentence}, status
        )
        return page

    @app.exception_handler(JaipurError)
    def told(request: Request, error: JaipurError) -> Response:
        return answer(request, status_of(error), error.text(_))

    @app.exception_handler(RequestValidationError)
    def unreadable(request: Request, error: RequestValidationError) -> Response:
        where = ", ".join(sorted({str(problem["loc"][-1]) for problem in error.errors()}))
        return answer(request, 422, _("The request cannot be read: look at {fields}.").format(fields=where))

    @app.exception_handler(HTTPException)
    def refused(request: Request, error: HTTPException) -> Response:
        sentence = N_("There is no such page: check the address.")
        if error.status_code != HTTPStatus.NOT_FOUND:
            sentence = N_("This cannot be asked in this way.")
        response = answer(request, error.status_code, _(sentence))
        response.headers.update(error.headers or {})
        return response

    @app.exception_handler(Exception)
    def failed(request: Request, _error: Exception) -> Response:
        return answer(request, 500, _("Something went wrong here. It was written to the log; nothing was lost."))
