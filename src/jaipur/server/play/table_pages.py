"""The table as a page and as a part of one, and what belongs to looking at it."""

import io
from typing import Annotated

import segno
from fastapi import APIRouter, Query, Request
from starlette.responses import HTMLResponse, Response

from jaipur.coach.advice import Hint
from jaipur.language import _
from jaipur.rules.errors import N_
from jaipur.server.coach.hints import ShownHint, shown
from jaipur.server.config import LOCAL_HOSTS
from jaipur.server.edge.routes import Route
from jaipur.server.play.selection import Choice, read_choice
from jaipur.server.play.viewer import Viewer, ViewerDep, events
from jaipur.server.render import table_context
from jaipur.table import NotAllowed, Seen, hashed, invite_secret
from jaipur.table.checks import HINT_STEPS
from jaipur.threads import in_thread

router = APIRouter(route_class=Route, prefix="/game/{game}", include_in_schema=False)

NO_CARDS: tuple[list[str], list[str]] = ([], [])


def show_table(
    request: Request,
    viewer: Viewer,
    template: str,
    choice: Choice | None = None,
    chosen: tuple[list[str], list[str]] = NO_CARDS,
    status: int = 200,
    sure: bool = False,
    leaving_round: bool = False,
    doubt: str = "",
    advice: Hint | None = None,
) -> HTMLResponse:
    """The table, with any words about a choice of cards, and with a hint that was asked for."""
    said = "" if choice is None else choice.text
    seen = viewer.look(request.state.settings.open_hands)
    context = table_context(seen, said, choice is not None and not choice.legal, sure)
    context["leaving_round"] = leaving_round
    context["doubt"] = doubt
    context["hint"] = _hint(viewer, seen, advice)
    context["hint_steps"] = HINT_STEPS
    context["chosen"] = {"take": chosen[0], "give": chosen[1]}
    context["invite_url"] = invite_url(request, viewer)
    context["this_machine_only"] = request.url.hostname in LOCAL_HOSTS
    address = str(request.url_for("table", game=viewer.game))
    context["watch_url"] = address if viewer.table.watch_link else ""
    context["share_url"] = address if viewer.table.over and viewer.table.shared else ""
    clock = viewer.table.clock
    context["left"] = None if clock is None else clock.left_at(viewer.services.tables.clock())
    context["presence"] = viewer.services.presence.of(viewer.table)
    return viewer.services.renderer.page(request, template, context, status)


def _hint(viewer: Viewer, seen: Seen, advice: Hint | None) -> ShownHint | None:
    """As much of a hint as this seat has asked for in this position."""
    step, view = viewer.table.hint_step, viewer.view_to_move()
    if not step or view is None:
        return None
    advice = advice or viewer.services.advisor.known_hint(view)
    return None if advice is None else shown(advice, step, seen.market, seen.sides[1 - view.seat].called)


async def earlier_advice(viewer: Viewer) -> Hint | None:
    """Advice for this position, if a hint was asked for here before."""
    view = viewer.view_to_move() if viewer.table.hint_step else None
    return None if view is None else await viewer.services.advisor.hint_again(view)


def invite_url(request: Request, viewer: Viewer) -> str:
    """The link for a friend, shown to the host of a game that still has a free seat.

    It is derived from the secret with which the game was set up. A host who has since used a link from another device
    has that device's secret, and so gets no link.
    """
    if viewer.table.full or not viewer.table.held_by(viewer.guest.holder):
        return ""
    token = invite_secret(viewer.guest.secret, viewer.game)
    if viewer.services.tables.store.invited(hashed(token)) is None:
        return ""
    return str(request.url_for("invitation", token=token))


@router.get("")
async def table(request: Request, viewer: ViewerDep) -> HTMLResponse:
    """The whole page."""
    advice = await earlier_advice(viewer)
    return await in_thread(show_table, request, viewer, "table/table.html", advice=advice)


@router.get("/table")
async def fragment(request: Request, viewer: ViewerDep) -> HTMLResponse:
    """The table alone, for the script that keeps a page fresh."""
    advice = await earlier_advice(viewer)
    return await in_thread(show_table, request, viewer, "table/_table.html", advice=advice)


@router.get("/words")
def words(
    viewer: ViewerDep,
    take: Annotated[list[str], Query(max_length=20)] = [],  # noqa: B006 - never changed
    give: Annotated[list[str], Query(max_length=20)] = [],  # noqa: B006
) -> dict[str, object]:
    """What a selection would do, or why it cannot be played."""
    view = viewer.view_to_move()
    choice = Choice(_("It is not your turn.")) if view is None else read_choice(view, take, give)
    return {"text": choice.text, "legal": choice.legal}


router.get("/events", response_class=Response)(events)


@router.get("/invite.svg")
def invite_code(request: Request, viewer: ViewerDep) -> Response:
    """The invitation as a QR code."""
    url = invite_url(request, viewer)
    if not url:
        raise NotAllowed(N_("There is no free seat to invite to."))
    picture = io.BytesIO()
    segno.make(url, error="m").save(picture, kind="svg", scale=4, border=2, xmldecl=False, svgns=True, light="white")
    return Response(picture.getvalue(), media_type="image/svg+xml")
