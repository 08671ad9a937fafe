"""A single position, as text or from the record of a finished match: what every move is worth, and moves to try."""

from typing import Annotated

from fastapi import APIRouter, File, Form, Query, Request, UploadFile
from starlette.responses import HTMLResponse

from jaipur.coach.grades import checked_view
from jaipur.coach.recorded_turn import RecordedTurn, ply_before, turn_after
from jaipur.language import _
from jaipur.record import Record
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
_EMPTY: dict[str, object] = {
    "example": _EXAMPLE,
    "position": "",
    "record": "",
    "round": 1,
    "number": 1,
    "analysis": None,
    "turn": None,
    "played": "",
    "trouble": "",
}
TextField = Annotated[str, Form(max_length=_LONGEST_MOVE)]


@router.get("/analyse")
async def analyse_position(
    request: Request,
    services: ServicesDep,
    position: Annotated[str, Query(max_length=_LONGEST)] = "",
    move: Annotated[str, Query(max_length=_LONGEST_MOVE)] = "",
    typed: Annotated[str, Query(max_length=_LONGEST_MOVE)] = "",
) -> HTMLResponse:
    """Forms for a position and for a record; for a given position, the value of each move and of one to try."""
    context: dict[str, object] = {"position": position, "asked": "position", "typed": typed}
    try:
        if position.strip():
            view = await in_thread(checked_view, position)
            context["analysis"] = await analysed(services, view, move or typed)
    except JaipurError as error:
        context["trouble"] = error.text(_)
    return await _page(request, services, context)


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
    context: dict[str, object] = {"asked": "record", "typed": typed, "round": of_round, "number": number}
    try:
        text = text_of(file) or record
        context["record"] = text
        turn = await in_thread(_turn, text, of_round, number, step)
        context |= {"round": turn.round, "number": turn.number, "position": str(turn.view)}
        played = "" if turn.played is None else str(turn.played)
        analysis = await analysed(services, turn.view, move or typed or played)
        context |= {"analysis": analysis, "turn": turn, "played": played}
    except JaipurError as error:
        context["trouble"] = error.text(_)
    return await _page(request, services, context)


def _turn(text: str, number: int, move: int, step: int) -> RecordedTurn:
    record = Record.parse(text)
    return turn_after(record, ply_before(record.match, number, move) + step)


async def _page(request: Request, services: Services, context: dict[str, object]) -> HTMLResponse:
    analysis = context.get("analysis")
    wrong = "trouble" in context or (isinstance(analysis, Analysis) and analysis.wrong)
    page = services.renderer.page
    return await in_thread(page, request, "coach/analyse.html", _EMPTY | context, 422 if wrong else 200)
