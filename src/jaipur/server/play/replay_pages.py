"""What is left of a game to look back on: its replay, the proof of its deal, and its record."""

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from jaipur.server.edge.routes import Route
from jaipur.server.play.viewer import ViewerDep
from jaipur.server.site.pages import see_other
from jaipur.table.seen.seen import see_deals, see_record, see_replay

router = APIRouter(route_class=Route, prefix="/game/{game}", include_in_schema=False)

_REPLAY_AROUND = 150
"""Moves listed before and after a step of a replay: all of a typical match, but only part of a long one."""


@router.get("/record")
def record(viewer: ViewerDep) -> Response:
    """The record of a finished game, as a file."""
    headers = {"content-disposition": f'attachment; filename="{viewer.game}.jaipur"'}
    return Response(str(see_record(viewer.table)), media_type="text/plain; charset=utf-8", headers=headers)


@router.get("/replay")
def replay_start(viewer: ViewerDep) -> RedirectResponse:
    """The first step of the replay."""
    return see_other(f"/game/{viewer.game}/replay/0")


@router.get("/replay/{ply}")
def replay(request: Request, viewer: ViewerDep, ply: int) -> HTMLResponse:
    """One step of the replay: with open hands if the match is over, otherwise as this seat saw it."""
    seen = see_replay(viewer.table, viewer.seat, ply, request.state.settings.open_hands)
    log = viewer.look().log
    first = max(ply - _REPLAY_AROUND, 0)
    context = {
        "seen": seen,
        "ply": ply,
        "last": len(log),
        "log": log[first : ply + _REPLAY_AROUND],
        "first": first,
        "bottom": viewer.seat or 0,
        "reviewed": viewer.table.over and bool(log),
    }
    return viewer.services.renderer.page(request, "table/replay.html", context)


@router.get("/verify")
def verify(request: Request, viewer: ViewerDep) -> HTMLResponse:
    """Shows that the deck was fixed before the first move."""
    context = {"seen": viewer.look(), "deals": see_deals(viewer.table)}
    return viewer.services.renderer.page(request, "table/verify.html", context)
