"""The review of a finished match, and a page for each move with what the deck could have brought."""

import asyncio
from dataclasses import dataclass

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse

from jaipur.coach.coach_words import percent
from jaipur.coach.page import ReviewPage, review_page
from jaipur.coach.review import Review
from jaipur.coach.round_luck import Refill, refill_map
from jaipur.language.names import Names
from jaipur.language.words import cards_in_words
from jaipur.rules.bag import letters
from jaipur.rules.errors import N_
from jaipur.server.coach.reviews import Progress, check_reviewable
from jaipur.server.edge.client_address import asking, owner_of
from jaipur.server.edge.routes import Route
from jaipur.server.play.viewer import Viewer, ViewerDep
from jaipur.table import GameKind, NoSuchGame, Seen
from jaipur.threads import in_thread

router = APIRouter(route_class=Route, prefix="/game/{game}/review", include_in_schema=False)
_GRAPH_SECONDS = 2.0
_MOST_REFILLS = 28


@dataclass(frozen=True)
class RefillLine:
    """One refill that the deck could have brought; the chance of winning is the viewer's."""

    cards: str
    words: str
    came: bool
    likely: str
    win: str
    share: int


@router.get("")
async def review(request: Request, viewer: ViewerDep) -> HTMLResponse:
    """The review. If there is none yet, it is started: graphs and luck appear at once, grades within about a minute."""
    done, progress = await _found(viewer)
    shown = done or (progress.ungraded if progress else None)
    return await in_thread(_page, request, viewer, shown, progress)


async def _found(viewer: Viewer) -> tuple[Review | None, Progress | None]:
    """The finished review, or its progress so far, after waiting a moment for the graphs."""
    reviews = viewer.services.reviews
    done = await in_thread(reviews.finished, viewer.table)
    if done is None and viewer.game not in reviews.making:
        done = await in_thread(reviews.of_same_record, viewer.table)
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
    done = viewer.services.reviews.finished(viewer.table)
    played = viewer.table.log[ply - 1]
    before = viewer.table.before(ply).match
    refills = refill_map(before.round, played.move)
    lines = [] if done is None else [line for part in page_for(seen, done).rounds for line in part.moves]
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


def refill_lines(refills: list[Refill], seat: int | None) -> list[RefillLine]:
    """What the deck could have brought after a move, the viewer's best first; of many, only the likeliest."""
    came = refills[0] if refills else None
    likely = sorted(refills, key=lambda one: (one is not came, -one.probability))[:_MOST_REFILLS]
    lines = [(one, one.win if seat in {None, 0} else 1 - one.win) for one in likely]
    lines.sort(key=lambda pair: -pair[1])
    return [
        RefillLine(
            letters(one.cards),
            cards_in_words(one.cards),
            one is came,
            percent(one.probability),
            percent(win),
            round(100 * win),
        )
        for one, win in lines
    ]
