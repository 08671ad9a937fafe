"""A costly move as an exercise: the position as its player saw it, to retry until a move is as good as the best."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import HTMLResponse

from jaipur.coach.coach_words import points
from jaipur.coach.grades import LIMITS, Label
from jaipur.language import _
from jaipur.rules.errors import N_, IllegalMove, NotationError
from jaipur.server.coach.jobs import tried
from jaipur.server.edge.routes import Route
from jaipur.server.play.selection import read_selection
from jaipur.server.play.viewer import Viewer, ViewerDep
from jaipur.table import NotAllowed
from jaipur.table.seen.seen import see_decision
from jaipur.threads import in_thread

router = APIRouter(route_class=Route, prefix="/game/{game}/exercise/{ply}", include_in_schema=False)
Letters = Annotated[list[str], Form(max_length=20)]


@router.get("")
def exercise(request: Request, viewer: ViewerDep, ply: int) -> HTMLResponse:
    """The position, without comment."""
    _best(viewer, ply)
    return _page(request, viewer, ply)


@router.post("")
async def answer(
    request: Request,
    viewer: ViewerDep,
    ply: int,
    take: Letters = [],  # noqa: B006 - never changed
    give: Letters = [],  # noqa: B006
) -> HTMLResponse:
    """Judges a move. If it loses less than two points, the exercise is solved."""
    best = await in_thread(_best, viewer, ply)
    _seen, view = see_decision(viewer.table, ply)
    chosen = {"take": take, "give": give}
    try:
        move = read_selection(take, give)
        if (reason := view.why_illegal(move)) is not None:
            raise reason
        grade = await viewer.services.advisor.ask(tried, str(view), best, str(move))
    except (IllegalMove, NotationError, NotAllowed) as error:
        return await in_thread(_page, request, viewer, ply, chosen, error.text(_), 422)
    solved = grade.loss < LIMITS[Label.IMPRECISE]
    words = _("Well done: this is as good as the best move, or nearly.")
    if not solved:
        words = _("Not quite: this loses {lost} points. Try another move.").format(lost=points(grade.loss))
    return await in_thread(_page, request, viewer, ply, chosen, words, 200, solved)


def _best(viewer: Viewer, ply: int) -> str:
    """The best move by the review of a finished match."""
    review = viewer.services.reviews.finished(viewer.table)
    if review is None:
        raise NotAllowed(N_("The exercises are ready once the match has been reviewed: open the review first."))
    see_decision(viewer.table, ply)  # refuses a ply that the match does not have
    return review.plies[ply - 1].grade.best


def _page(
    request: Request,
    viewer: Viewer,
    ply: int,
    chosen: dict[str, list[str]] | None = None,
    words: str = "",
    status: int = 200,
    solved: bool = False,
) -> HTMLResponse:
    seen, _view = see_decision(viewer.table, ply)
    context = {
        "seen": seen,
        "ply": ply,
        "bottom": seen.seat,
        "chosen": None if solved else chosen,
        "words": words,
        "solved": solved,
        "number": ply - next(at for at, one in enumerate(viewer.table.log) if one.round == seen.round),
    }
    return viewer.services.renderer.page(request, "coach/exercise.html", context, status)
