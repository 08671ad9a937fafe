"""The pages around the table: start, games, rules, settings, invitations."""

from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, File, Form, Request, UploadFile
from markupsafe import Markup
from starlette.responses import HTMLResponse, RedirectResponse, Response

from jaipur.server.edge.guard import cookie
from jaipur.server.edge.routes import Route
from jaipur.server.people.person import introduce
from jaipur.server.people.settings import COOKIE, SWITCHES, Settings, settings_from
from jaipur.server.play.new_game import GameRequest, set_up, sit_down, take_in
from jaipur.server.render import OPPONENTS
from jaipur.server.services import Guest, GuestDep, Services, ServicesDep
from jaipur.server.site.preview import preview_of_invitation
from jaipur.server.site.rules_page import rules_html
from jaipur.server.site.uploads import text_of
from jaipur.table import Damaged, GameKind, see
from jaipur.threads import in_thread

router = APIRouter(route_class=Route, include_in_schema=False)
_LISTED = 200
_LISTED_FIRST = 6

Text = Annotated[str, Form(max_length=2000)]


def see_other(path: str) -> RedirectResponse:
    """Where the browser goes after a form."""
    return RedirectResponse(path, 303)


async def _games(services: Services, guest: Guest, most: int) -> dict[str, object]:
    listed = await in_thread(services.tables.store.games_of, guest.holder or "", _LISTED)
    going = [line for line in listed if line.winner is None]
    past = [line for line in listed if line.winner is not None]
    turns = {line.game: await _on_turn(services, guest, line.game) for line in going[:most]}
    return {"going": going[:most], "past": past[:most], "turns": turns}


async def _on_turn(services: Services, guest: Guest, game: str) -> bool:
    """Whether a game waits for this person. A damaged one waits for nobody, so that it cannot break the page."""
    try:
        table = await services.open(game)
    except Damaged:
        return False
    return table.turn in table.held_by(guest.holder)


def _remembering(answer: RedirectResponse, request: Request, settings: Settings) -> RedirectResponse:
    answer.headers.append("set-cookie", cookie(COOKIE, settings.cookie(), request.url.scheme == "https"))
    return answer


@router.get("/")
async def start(request: Request, services: ServicesDep, guest: GuestDep) -> HTMLResponse:
    """The first page."""
    games = await _games(services, guest, _LISTED_FIRST)
    return await in_thread(_start, request, services, guest, games)


def _start(request: Request, services: Services, guest: Guest, games: dict[str, object]) -> HTMLResponse:
    settings: Settings = request.state.settings
    last = settings.level if settings.level in OPPONENTS else ""
    context = {"levels": OPPONENTS, "last": last, "me": services.people.person(guest.holder)}
    return services.renderer.page(request, "site/start.html", context | games)


@router.post("/games")
def new_game(
    request: Request, services: ServicesDep, guest: GuestDep, form: Annotated[GameRequest, Form()]
) -> RedirectResponse:
    """Sets up a game and goes to its table."""
    if form.kind == GameKind.FRIEND and (form.name or form.avatar):
        introduce(services, guest, form.name, form.avatar)
    table = set_up(services, guest, form)
    settings: Settings = request.state.settings
    if table.persons:
        services.bot_workers.thinking.remember(table.game.id, settings.seconds)
    chosen = form.level if form.kind == GameKind.BOT else settings.level
    return _remembering(see_other(f"/game/{table.game.id}"), request, replace(settings, level=chosen))


@router.get("/games")
async def games(request: Request, services: ServicesDep, guest: GuestDep) -> HTMLResponse:
    """All games of this person."""
    listed = await _games(services, guest, _LISTED)
    return await in_thread(services.renderer.page, request, "site/games.html", listed)


@router.post("/records")
async def upload(
    request: Request, services: ServicesDep, guest: GuestDep, record: Annotated[UploadFile, File()], key: Text = ""
) -> RedirectResponse:
    """Makes a game of an uploaded record."""
    table = await services.uploads.read(lambda: take_in(services, guest, text_of(record), key))
    return see_other(f"/game/{table.game.id}/replay/0" if table.over else f"/game/{table.game.id}")


@router.get("/rules")
def rules(request: Request, services: ServicesDep) -> HTMLResponse:
    """The rules on one page."""
    return services.renderer.page(request, "site/rules.html", {"text": Markup(rules_html())})


@router.get("/clock")
def clock(request: Request, services: ServicesDep) -> HTMLResponse:
    """The rules of the clock."""
    return services.renderer.page(request, "site/clock.html", {})


@router.get("/settings")
def settings(request: Request, services: ServicesDep, guest: GuestDep, back: str = "/") -> HTMLResponse:
    """What can be set."""
    context = {"back": _local(back), "me": services.people.person(guest.holder)}
    return services.renderer.page(request, "people/settings.html", context)


@router.post("/settings")
async def set_settings(request: Request, services: ServicesDep, guest: GuestDep) -> RedirectResponse:
    """Keeps the settings; a form without a theme changes only what it names."""
    async with request.form() as sent:
        form = {name: str(value) for name, value in sent.items()}
    old: Settings = request.state.settings
    if "theme" in form:
        new = settings_from(dict.fromkeys(SWITCHES, "") | form)
        new = replace(new, level=old.level, offered=True, open_hands=old.open_hands)
    else:
        named: dict[str, Any] = {name: form[name] == "on" for name in SWITCHES if name in form}
        new = replace(old, lang=settings_from(form).lang or old.lang, **named)
    if "name" in form:
        await in_thread(introduce, services, guest, form["name"], form.get("avatar", ""))
    return _remembering(see_other(_local(form.get("back", "/"))), request, new)


def _local(path: str) -> str:
    """A path of this server, so that a link cannot send people elsewhere."""
    return path if path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable() else "/"


@router.get("/invite/{token}")
def invitation(request: Request, services: ServicesDep, guest: GuestDep, token: str) -> Response:
    """What a friend sees first."""
    table, seat = services.tables.invitation(token)
    if table.held_by(guest.holder):
        return see_other(f"/game/{table.game.id}")
    host = see(table, None).sides[1 - seat]
    context = {
        "host": host,
        "host_name": host.called,
        "preview": preview_of_invitation(host.called),
        "token": token,
        "open": not table.full,
        "called_off": table.over and not table.full,
        "me": services.people.person(guest.holder),
        "pace": table.game.pace,
    }
    return services.renderer.page(request, "site/invite.html", context)


@router.post("/invite/{token}")
def join(services: ServicesDep, guest: GuestDep, token: str, name: Text = "", avatar: Text = "") -> RedirectResponse:
    """Takes the free seat."""
    if name or avatar:
        introduce(services, guest, name, avatar)
    return see_other(f"/game/{sit_down(services, guest, token).game.id}")
