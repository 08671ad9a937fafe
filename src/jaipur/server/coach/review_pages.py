"""The review of a finished match, and a page for each move with what the deck could have brought."""

import asyncio

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse

from jaipur.coach.luck import refill_map
from jaipur.coach.review import Review
from jaipur.rules.errors import N_
from jaipur.server.coach.review_page import refill_lines, review_page
from jaipur.server.coach.reviews import Progress, check_reviewable
from jaipur.server.edge.client_address import asking, owner_of
from jaipur.server.play.viewer import Viewer, ViewerDep
from jaipur.table import NoSuchGame

router = APIRouter(prefix="/game/{game}/review", include_in_schema=False)
_GRAPH_SECONDS = 2.0


@router.get("")
async def review(request: Request, viewer: ViewerDep) -> HTMLResponse:
    """The review. If there is none yet, it is started: graphs and luck appear at once, grades within about a minute."""
    done, progress = await _found(viewer)
    shown = done or (progress.ungraded if progress else None)
    return await run_in_threadpool(_page, request, viewer, shown, progress)


async def _found(viewer: Viewer) -> tuple[Review | None, Progress | None]:
    """The finished review, or its progress so far, after waiting a moment for the graphs."""
    reviews = viewer.services.reviews
    done = await run_in_threadpool(reviews.finished, viewer.table)
    if done is None and viewer.game not in reviews.making:
        done = await run_in_threadpool(reviews.of_same_record, viewer.table)
    if done is not None:
        return done, None
    progress = await reviews.begin(viewer.table, owner_of(asking.get()))
    for _moment in range(20):
        if progress.ungraded is not None:
            break
        await asyncio.sleep(_GRAPH_SECONDS / 20)
    return None, progress


def _page(request: Request, viewer: Viewer, shown: Review | None, progress: Progress | None) -> HTMLResponse:
    seen = viewer.look()
    page = None if shown is None else review_page(shown, seen, progress is None)
    context = {"seen": seen, "page": page, "progress": progress, "front": seen.seat or 0}
    return viewer.services.renderer.page(request, "coach/review.html", context)


@router.get("/{ply}")
def reviewed_move(request: Request, viewer: ViewerDep, ply: int) -> HTMLResponse:
    """One move: its grade, and the chance of winning with each refill that the deck could have brought."""
    check_reviewable(viewer.table)
    if not 1 <= ply <= len(viewer.table.log):
        raise NoSuchGame(N_("This game has no such move: go back to its review."))
    seen = viewer.look()
    done = viewer.services.reviews.finished(viewer.table)
    played = viewer.table.log[ply - 1]
    before = viewer.table.before(ply).match
    refills = refill_map(before.round, played.move)
    lines = [] if done is None else [line for part in review_page(done, seen).rounds for line in part.moves]
    context = {
        "seen": seen,
        "ply": ply,
        "number": len(before.round.moves) + 1,
        "last": len(viewer.table.log),
        "played": played.logged,
        "line": lines[ply - 1] if lines else None,
        "position": str(before.round.view(played.seat)),
        "refills": refill_lines(refills, viewer.seat),
        "possible": len(refills),
        "front": seen.seat or 0,
    }
    return viewer.services.renderer.page(request, "coach/review_move.html", context)
