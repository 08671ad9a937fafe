"""A position on its own: what every move is worth, from the view that was given."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse

from jaipur.language import _
from jaipur.language.words import move_in_words
from jaipur.notation import parse_view
from jaipur.review.advice import analyse
from jaipur.review.grades import checked_view
from jaipur.review.words import percent, points
from jaipur.rules.errors import JaipurError
from jaipur.rules.move import Move
from jaipur.server.client import asking
from jaipur.server.services import ServicesDep
from jaipur.server.work_queue import Rank

router = APIRouter(include_in_schema=False)
WORLDS = 1000
_LONGEST = 2000

Values = list[tuple[str, float, float | None, int]]


def values_of(position: str) -> Values:
    """All moves of a position in text, the best first. For another process."""
    return [(str(one.move), one.win, one.error, one.worlds) for one in analyse(parse_view(position), WORLDS)]


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
            values = await services.hints.ask(asking.get(), values_of, str(view), rank=Rank.MATCH)
        except JaipurError as error:
            trouble = error.text(_)
    lines = [
        (move, move_in_words(Move.parse(move)), percent(win), "" if error is None else f"± {points(error)}", worlds)
        for move, win, error, worlds in values
    ]
    context = {"position": position, "lines": lines, "trouble": trouble, "worlds": WORLDS}
    return await run_in_threadpool(services.renderer.page, request, "analyse.html", context, 422 if trouble else 200)
