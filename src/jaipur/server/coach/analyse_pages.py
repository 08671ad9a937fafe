"""A single position, as text or from the record of a finished match: what every move is worth, and moves to try."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, File, Form, Query, Request, UploadFile
from starlette.responses import HTMLResponse

from jaipur.coach.coach_words import chance_in_words
from jaipur.coach.grades import checked_view
from jaipur.coach.recorded_turn import RecordedTurn, ply_before, turn_after
from jaipur.language import _
from jaipur.record import Record
from jaipur.rules.bag import letters
from jaipur.rules.errors import JaipurError
from jaipur.server.coach.analysis import Analysis, analysed
from jaipur.server.edge.routes import Route
from jaipur.server.services import Services, ServicesDep
from jaipur.server.site.uploads import text_of
from jaipur.threads import in_thread

router = APIRouter(route_class=Route, include_in_schema=False)
_LONGEST = 2000
_LONGEST_RECORD = 60_000
_LONGEST_MOVE = 80
_EXAMPLE = """view 0 / turn 0 / starter 0 / quiet 0
market DDSLM / deck ??????????????????????????????????? / discard LLC
bonus3 ??????? / bonus4 ?????? / bonus5 ?????
seat0 hand GGSL known S herd 2 rupees 7 tokens 2
seat1 hand CC??? herd 1 rupees 4 tokens 1"""
TextField = Annotated[str, Form(max_length=_LONGEST_MOVE)]


@dataclass
class AnalysePage:
    """What is in both forms of the page, the one that was sent (`asked`), and what came of it."""

    asked: str
    typed: str
    position: str = ""
    record: str = ""
    round: int = 1
    number: int = 1
    turn: RecordedTurn | None = None
    analysis: Analysis | None = None
    trouble: str = ""


@router.get("/analyse")
async def analyse_position(
    request: Request,
    services: ServicesDep,
    position: Annotated[str, Query(max_length=_LONGEST)] = "",
    move: Annotated[str, Query(max_length=_LONGEST_MOVE)] = "",
    typed: Annotated[str, Query(max_length=_LONGEST_MOVE)] = "",
) -> HTMLResponse:
    """Forms for a position and for a record; for a given position, the value of each move and of one to try."""
    page = AnalysePage("position", typed, position)
    try:
        if position.strip():
            view = await in_thread(checked_view, position)
            page.analysis = await analysed(services, view, move or typed)
    except JaipurError as error:
        page.trouble = error.text(_)
    return await _answer(request, services, page)


@router.post("/analyse")
async def analyse_record(
    request: Request,
    services: ServicesDep,
    file: Annotated[UploadFile | None, File()] = None,
    record: Annotated[str, Form(max_length=_LONGEST_RECORD)] = "",
    of_round: Annotated[int, Form(alias="round", ge=0, le=10_000)] = 1,
    number: Annotated[int, Form(ge=0, le=10_000)] = 1,
    step: Annotated[int, Form(ge=-1, le=1)] = 0,
    move: TextField = "",
    typed: TextField = "",
) -> HTMLResponse:
    """One turn from a record, as its player saw it. The record is sent with every request and is not kept."""
    page = AnalysePage("record", typed, round=of_round, number=number)
    try:
        page.record = text_of(file) or record
        turn = await in_thread(_turn, page.record, of_round, number, step)
        page.round, page.number, page.position = turn.round, turn.number, str(turn.view)
        page.analysis = await analysed(services, turn.view, move or typed or str(turn.played or ""))
        page.turn = turn
    except JaipurError as error:
        page.trouble = error.text(_)
    return await _answer(request, services, page)


def _turn(text: str, number: int, move: int, step: int) -> RecordedTurn:
    record = Record.parse(text)
    return turn_after(record, ply_before(record.match, number, move) + step)


async def _answer(request: Request, services: Services, page: AnalysePage) -> HTMLResponse:
    status = 422 if page.trouble or (page.analysis is not None and page.analysis.wrong) else 200
    context = vars(page) | {"example": _EXAMPLE, "letters": letters, "chance": chance_in_words}
    return await in_thread(services.renderer.page, request, "coach/analyse.html", context, status)
