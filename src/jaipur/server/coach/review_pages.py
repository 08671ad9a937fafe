"""The review of a finished match, and a page for each move with what the deck could have brought."""

import asyncio

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse

from jaipur.coach.coach_words import percent
from jaipur.coach.page import ReviewPage, review_page
from jaipur.coach.review import Review
from jaipur.coach.round_luck import Refill, for_seat, refill_map
from jaipur.language.words import Names, cards_in_words
from jaipur.rules.bag import letters
from jaipur.rules.errors import N_
from jaipur.rules.move import Move
from jaipur.server.coach.review_service import Progress, check_reviewable
from jaipur.server.edge.routes import Route
from jaipur.server.play.viewer import Viewer, ViewerDep
from jaipur.table import GameKind, NoSuchGame, Seen
from jaipur.threads import in_thread

router = APIRouter(route_class=Route, prefix="/game/{game}/review", include_in_schema=False)
_GRAPH_SECONDS = 2.0
_MOST_REFILLS = 28


@router.get("")
async def review(request: Request, viewer: ViewerDep) -> HTMLResponse:
    """The review. If there is none yet, it is started: graphs and luck appear at once, grades within about a minute."""
    reviews, progress = viewer.services.reviews, None
    shown = await in_thread(reviews.finished, viewer.table)
    if shown is None and viewer.game not in reviews.making:
        shown = await in_thread(reviews.of_same_record, viewer.table)
    if shown is None:
        progress = await reviews.begin(viewer.table)
        for _moment in range(20):
            if progress.ungraded is None:
                await asyncio.sleep(_GRAPH_SECONDS / 20)
        shown = progress.ungraded
    return await in_thread(_page, request, viewer, shown, progress)


def _page(request: Request, viewer: Viewer, shown: Review | None, progress: Progress | None) -> HTMLResponse:
    seen = viewer.look()
    page = None if shown is None else page_for(seen, shown, progress is None)
    context = {"seen": seen, "page": page, "progress": progress}
    return viewer.services.renderer.page(request, "coach/review.html", context)


def page_for(seen: Seen, review: Review, graded: bool = True) -> ReviewPage:
    """The review from a viewer's side. Spectators, and two at one screen, see the costliest moves of both players."""
    first, second = seen.sides
    names = Names((first.name, second.name), (first.called, second.called))
    whose = None if seen.kind is GameKind.ONE_SCREEN else seen.seat
    return review_page(review, names, seen.seat or 0, whose, graded)


@router.get("/{ply}")
def reviewed_move(request: Request, viewer: ViewerDep, ply: int) -> HTMLResponse:
    """One move: its grade, and the chance of winning with each refill that the deck could have brought."""
    check_reviewable(viewer.table)
    if not 1 <= ply <= len(viewer.table.log):
        raise NoSuchGame(N_("This game has no such move: go back to its review."))
    seen = viewer.look()
    review = viewer.services.reviews.finished(viewer.table)
    played = viewer.table.log[ply - 1]
    before = viewer.table.before(ply).match
    refills = refill_map(before.round, Move.parse(played.move))
    lines = [] if review is None else [line for part in page_for(seen, review).rounds for line in part.moves]
    context = {
        "seen": seen,
        "ply": ply,
        "number": len(before.round.moves) + 1,
        "last": len(viewer.table.log),
        "played": played,
        "line": lines[ply - 1] if lines else None,
        "position": str(before.round.view(played.seat)),
        "refills": _likeliest(refills, seen.seat or 0),
        "drawn": next(iter(refills), None),
        "possible": len(refills),
        "letters": letters,
        "in_words": cards_in_words,
        "percent": percent,
        "front": seen.seat or 0,
    }
    return viewer.services.renderer.page(request, "coach/review_move.html", context)


def _likeliest(refills: list[Refill], seat: int) -> list[tuple[float, Refill]]:
    """What the deck could have brought after a move, by a seat's chance; of many, only the likeliest and the drawn."""
    likely = [*refills[:1], *sorted(refills[1:], key=lambda one: -one.probability)][:_MOST_REFILLS]
    chances = [(for_seat(one.win, seat), one) for one in likely]
    return sorted(chances, key=lambda pair: -pair[0])
