"""A position on its own: what every move is worth, from the view that was given."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse

from jaipur.language import _
from jaipur.language.words import move_in_words
from jaipur.review.grades import checked_view
from jaipur.review.words import percent, points
from jaipur.rules.errors import JaipurError
from jaipur.rules.move import Move
from jaipur.server.client import asking, owner_of
from jaipur.server.judgements import Values, values_of
from jaipur.server.services import ServicesDep
from jaipur.server.work_queue import Rank

router = APIRouter(include_in_schema=False)
_LONGEST = 2000
_EXAMPLE = """view 0 / turn 0 / starter 0 / quiet 0
market DDSLM / deck ??????????????????????????????????? / discard LLC
bonus3 ??????? / bonus4 ?????? / bonus5 ?????
seat0 hand GGSL known S herd 2 rupees 7 tokens 2
seat1 hand CC??? herd 1 rupees 4 tokens 1"""


@router.get("/analyse")
async def analysis(
    request: Request, services: ServicesDep, position: Annotated[str, Query(max_length=_LONGEST)] = ""
) -> HTMLResponse:
    """A form for a position, and the values of its moves."""
    values: Values = []
    trouble = ""
    if position.strip():
        try:
            view = await run_in_threadpool(checked_view, position)
            values = await services.hints.ask(owner_of(asking.get()), values_of, str(view), rank=Rank.MATCH)
        except JaipurError as error:
            trouble = error.text(_)
    lines = [
        (move, move_in_words(Move.parse(move)), percent(win), "" if error is None else f"± {points(error)}", worlds)
        for move, win, error, worlds in values
    ]
    context = {"position": position, "lines": lines, "trouble": trouble, "example": _EXAMPLE}
    return await run_in_threadpool(services.renderer.page, request, "analyse.html", context, 422 if trouble else 200)
