"""The table as a page and as a part of one, and what belongs to looking at it."""

import io
from typing import Annotated

import segno
from fastapi import APIRouter, Query, Request
from starlette.responses import HTMLResponse, Response

from jaipur.coach.advice import Hint
from jaipur.language import _
from jaipur.rules.box import GOODS_TOKENS, LETTERS
from jaipur.rules.errors import N_
from jaipur.server.coach.hints import ShownHint, shown
from jaipur.server.config import LOCAL_HOSTS
from jaipur.server.edge.routes import Route
from jaipur.server.lesson.lesson import graduated, lesson
from jaipur.server.live.signals import signal
from jaipur.server.play.selection import NO_CHOICE, Choice, read_choice
from jaipur.server.play.viewer import Viewer, ViewerDep, events
from jaipur.server.site.preview import preview_of_game
from jaipur.table import NotAllowed, Seen, hashed, invite_secret
from jaipur.table.checks import HINT_STEPS
from jaipur.table.events import Logged
from jaipur.threads import in_thread

router = APIRouter(route_class=Route, prefix="/game/{game}", include_in_schema=False)

Chosen = dict[str, list[str]]
"""The letters of the cards to `take` and to `give`."""


def show_table(
    request: Request,
    viewer: Viewer,
    part: bool,
    choice: Choice = NO_CHOICE,
    chosen: Chosen | None = None,
    status: int = 200,
    sure: bool = False,
    leaving_round: bool = False,
    doubt: str = "",
    advice: Hint | None = None,
) -> HTMLResponse:
    """The table, with any words about a choice of cards, and with a hint that was asked for."""
    seen, table, tables = viewer.look(request.state.settings.open_hands), viewer.table, viewer.services.tables
    address = str(request.url_for("table", game=viewer.game))
    context = {
        "seen": seen,
        "signal": signal(seen),
        "preview": preview_of_game(seen),
        "bottom": seen.seat or 0,
        "said": choice.text,
        "wrong": not choice.legal,
        "sure": sure,
        "leaving_round": leaving_round,
        "doubt": doubt,
        "chosen": chosen,
        "lesson": lesson(seen),
        "graduated": graduated(seen),
        "hint": _hint(viewer, seen, advice),
        "hint_steps": HINT_STEPS,
        "won": _won_tokens(seen),
        "news": _news(seen),
        "invite_url": invite_url(request, viewer),
        "this_machine_only": request.url.hostname in LOCAL_HOSTS,
        "watch_url": address if table.watch_link else "",
        "share_url": address if table.over and table.shared else "",
        "left": None if table.clock is None else table.clock.left_at(tables.clock()),
        "presence": viewer.services.presence.of(table),
    }
    return viewer.services.renderer.page(request, f"table/{'_' * part}table.html", context, status)


def _won_tokens(seen: Seen) -> list[tuple[str, int]]:
    """The goods tokens that the last move earned, if it was a sale in this round."""
    if not seen.log or seen.log[-1].round != seen.round or "+" in seen.log[-1].move:
        return []
    sold = seen.log[-1].move[1:]
    good = LETTERS.index(sold[0])
    after = seen.discard[good]
    return [(sold[0], value) for value in GOODS_TOKENS[good][after - len(sold) : after]]


def _news(seen: Seen) -> list[Logged]:
    """The moves of this round since this seat last moved; for a spectator, only the last one."""
    since: list[Logged] = []
    for logged in reversed(seen.log):
        if logged.seat == seen.seat or logged.round != seen.round or (seen.seat is None and since):
            break
        since.insert(0, logged)
    return since


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
    return await in_thread(show_table, request, viewer, False, advice=advice)


@router.get("/table")
async def fragment(request: Request, viewer: ViewerDep) -> HTMLResponse:
    """The table alone, for the script that keeps a page fresh."""
    advice = await earlier_advice(viewer)
    return await in_thread(show_table, request, viewer, True, advice=advice)


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
