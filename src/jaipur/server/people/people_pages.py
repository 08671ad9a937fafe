"""The pages about a person: their own page, another device, being forgotten, and what is kept about them."""

import io
from functools import partial

import segno
from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import HTMLResponse, RedirectResponse, Response

from jaipur.coach.grades import judge_name
from jaipur.server.coach.progress import skill_of
from jaipur.server.coach.style_table import style_table
from jaipur.server.config import Log
from jaipur.server.edge.guard import SEAT_COOKIE, cookie, no_cookie
from jaipur.server.edge.routes import Route
from jaipur.server.people.person import LINK_MINUTES, find_link, forget, new_link, use_link
from jaipur.server.people.settings import COOKIE
from jaipur.server.services import GuestDep, ServicesDep
from jaipur.server.site.pages import see_other
from jaipur.table.past.career import statistics_of
from jaipur.threads import in_thread

_COUNTED_GAMES = 20_000
_COUNTED_REVIEWS = 200
_BROUGHT_GAMES = 1000
router = APIRouter(route_class=Route, include_in_schema=False)


@router.get("/me")
def me(request: Request, services: ServicesDep, guest: GuestDep) -> HTMLResponse:
    """A person's own page."""
    holder = guest.holder or ""
    statistics = statistics_of(services.people.played(holder, _COUNTED_GAMES))
    context = {
        "me": services.people.person(holder),
        "statistics": statistics,
        "style": style_table(statistics.style),
        "skill": skill_of(services.reviews.shelf.of(holder, judge_name(), _COUNTED_REVIEWS)),
    }
    return services.renderer.page(request, "people/me.html", context)


@router.post("/me/device")
def make_link(request: Request, services: ServicesDep, guest: GuestDep) -> HTMLResponse:
    """A link to another device. Its QR code is part of the page: a separate image would need an address."""
    url = str(request.url_for("device", token=new_link(services, guest)))
    code = io.BytesIO()
    segno.make(url, error="m").save(
        code, kind="svg", border=2, xmldecl=False, svgns=False, light="white", omitsize=True
    )
    context = {"url": url, "code": Markup(code.getvalue().decode()), "minutes": LINK_MINUTES}
    return services.renderer.page(request, "people/device_link.html", context)


@router.get("/device/{token}")
def device(request: Request, services: ServicesDep, guest: GuestDep, token: str) -> HTMLResponse:
    """What a link shows on the other device. Only the button there uses up the link, so that a preview does not."""
    link = find_link(services, token)
    context = {
        "person": services.people.person(link.holder),
        "already_here": link.holder == guest.holder,
        "games": len(services.tables.store.games_of(guest.holder or "", _BROUGHT_GAMES)),
        "token": token,
    }
    return services.renderer.page(request, "people/device.html", context)


@router.post("/device/{token}")
def use_device_link(request: Request, services: ServicesDep, guest: GuestDep, token: str) -> RedirectResponse:
    """From now on, this device belongs to the same person."""
    answer = see_other("/me")
    secret = use_link(services, guest, token)
    answer.headers.append("set-cookie", cookie(SEAT_COOKIE, secret, request.url.scheme == "https"))
    return answer


@router.get("/me/forget")
def ask_to_forget(request: Request, services: ServicesDep) -> HTMLResponse:
    """Asks before anything is removed."""
    return services.renderer.page(request, "people/forget.html", {"forgotten": False})


@router.post("/me/forget")
async def forget_me(request: Request, services: ServicesDep, guest: GuestDep) -> Response:
    """Removes what is kept about a person, here and in their browser. This may have to read many games."""
    await services.write_long(partial(forget, services, guest))
    answer = await in_thread(services.renderer.page, request, "people/forget.html", {"forgotten": True})
    for name in (SEAT_COOKIE, COOKIE):
        answer.headers.append("set-cookie", no_cookie(name))
    return answer


@router.get("/privacy")
def privacy(request: Request, services: ServicesDep) -> HTMLResponse:
    """What is kept, and for how long."""
    return services.renderer.page(
        request, "people/privacy.html", {"requests_logged": services.config.log is not Log.FAULTS}
    )
