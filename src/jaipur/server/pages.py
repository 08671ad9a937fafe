"""The pages around the table: start, games, rules, settings, invitations."""

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, File, Form, Request, UploadFile
from markupsafe import Markup
from starlette.responses import HTMLResponse, RedirectResponse, Response

from jaipur.core.errors import N_, JaipurError
from jaipur.i18n import _
from jaipur.server.guard import cookie
from jaipur.server.house import Guest, House, TheGuest, TheHouse, clean_name
from jaipur.server.newgame import Wish, set_up, take_in
from jaipur.server.render import OPPONENTS, rules_html
from jaipur.server.settings import COOKIE, SWITCHES, Settings, settings_from

router = APIRouter(include_in_schema=False)
_LISTED = 200
_LISTED_FIRST = 6

Text = Annotated[str, Form(max_length=2000)]


def see_other(path: str) -> RedirectResponse:
    """Where the browser goes after a form."""
    return RedirectResponse(path, 303)


def _games(house: House, guest: Guest, most: int) -> dict[str, object]:
    listed = house.tables.store.games_of(guest.holder or "", _LISTED)
    going = [line for line in listed if line.winner is None]
    past = [line for line in listed if line.winner is not None]
    tables = {line.game: house.tables.open(line.game) for line in going[:most]}
    turns = {game: table.turn in table.held_by(guest.holder) for game, table in tables.items()}
    return {"going": going[:most], "past": past[:most], "turns": turns}


def _remembering(answer: RedirectResponse, request: Request, settings: Settings) -> RedirectResponse:
    answer.headers.append("set-cookie", cookie(COOKIE, settings.cookie(), request.url.scheme == "https"))
    return answer


@router.get("/")
def start(request: Request, house: TheHouse, guest: TheGuest) -> HTMLResponse:
    """The first page."""
    settings: Settings = request.state.settings
    last = settings.level if settings.level in OPPONENTS else ""
    context = {"levels": OPPONENTS, "last": last, "name": settings.name}
    return house.pages.page(request, "start.html", context | _games(house, guest, _LISTED_FIRST))


@router.post("/games")
def new_game(
    request: Request,
    house: TheHouse,
    guest: TheGuest,
    kind: Text = "bot",
    level: Text = "trader",
    level2: Text = "merchant",
    name: Text = "",
    name2: Text = "",
    watchable: Text = "",
    key: Text = "",
) -> RedirectResponse:
    """Sets up a game and goes to its table."""
    game = set_up(house, guest, Wish(kind, level, level2, name, name2, watchable == "on", key))
    settings: Settings = request.state.settings
    chosen = level if kind == "bot" else settings.level
    return _remembering(see_other(f"/game/{game}"), request, replace(settings, level=chosen, name=name.strip()))


@router.get("/games")
def games(request: Request, house: TheHouse, guest: TheGuest) -> HTMLResponse:
    """All games of this person."""
    return house.pages.page(request, "games.html", _games(house, guest, _LISTED))


@router.post("/records")
def upload(house: TheHouse, guest: TheGuest, record: Annotated[UploadFile, File()], key: Text = "") -> RedirectResponse:
    """Takes in a record file."""
    try:
        text = record.file.read().decode()
    except UnicodeDecodeError as error:
        raise JaipurError(N_("{path} is not a text file."), path=(record.filename or "")[:80]) from error
    game = take_in(house, guest, text, key)
    over = house.tables.open(game).over
    return see_other(f"/game/{game}/replay/0" if over else f"/game/{game}")


@router.get("/rules")
def rules(request: Request, house: TheHouse) -> HTMLResponse:
    """The rules on one page."""
    return house.pages.page(request, "rules.html", {"text": Markup(rules_html())})


@router.get("/settings")
def settings(request: Request, house: TheHouse, back: str = "/") -> HTMLResponse:
    """What can be set."""
    return house.pages.page(request, "settings.html", {"back": _local(back)})


@router.post("/settings")
async def set_settings(request: Request) -> RedirectResponse:
    """Keeps the settings; a form that has only the language leaves the others alone."""
    async with request.form() as sent:
        form = {name: str(value) for name, value in sent.items()}
    old: Settings = request.state.settings
    if "theme" in form:
        new = replace(settings_from(dict.fromkeys(SWITCHES, "") | form), name=old.name, level=old.level)
    else:
        new = replace(old, lang=settings_from(form).lang or old.lang)
    return _remembering(see_other(_local(form.get("back", "/"))), request, new)


def _local(path: str) -> str:
    """A path of this server, so that a link cannot send people elsewhere."""
    return path if path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable() else "/"


@router.get("/invite/{token}")
def invitation(request: Request, house: TheHouse, guest: TheGuest, token: str) -> Response:
    """What a friend sees first."""
    game, seat = house.tables.invitation(token)
    table = house.tables.open(game)
    if table.held_by(guest.holder):
        return see_other(f"/game/{game}")
    host = table.seats[1 - seat]
    name = host.name if host else ""
    return house.pages.page(request, "invite.html", {"host_name": name, "token": token, "open": not table.full})


@router.post("/invite/{token}")
def join(request: Request, house: TheHouse, guest: TheGuest, token: str, name: Text = "") -> RedirectResponse:
    """Takes the free seat."""
    game = house.tables.join(token, clean_name(name, _("Guest")), guest.sit())
    settings: Settings = request.state.settings
    return _remembering(see_other(f"/game/{game}"), request, replace(settings, name=name.strip()))
