"""The table as a page and as a part of one; and what can be done at it."""

import io
from collections.abc import Callable
from typing import Annotated

import segno
from fastapi import APIRouter, Depends, Form, Header, Query, Request
from fastapi.sse import EventSourceResponse
from starlette.responses import HTMLResponse, RedirectResponse, Response

from jaipur.core.errors import N_, IllegalMove
from jaipur.i18n import _
from jaipur.server.chair import Chair, TheChair, events
from jaipur.server.choice import Choice
from jaipur.server.house import TheGuest, TheHouse, clean_key
from jaipur.server.pages import Text, see_other
from jaipur.table import NotAllowed, NotSeated, Stale

router = APIRouter(prefix="/game/{game}", include_in_schema=False)

Letters = Annotated[list[str], Form(max_length=20)]
SeatField = Annotated[int | None, Form(ge=0, le=1)]
Fragment = Annotated[str, Header(alias="x-fragment")]


@router.get("")
def table(request: Request, chair: TheChair) -> HTMLResponse:
    """The whole page."""
    return chair.page(request, "table.html")


@router.get("/table")
def fragment(request: Request, chair: TheChair) -> HTMLResponse:
    """The table alone, for the script that keeps a page fresh."""
    return chair.page(request, "_table.html")


@router.get("/words")
def words(
    chair: TheChair,
    take: Annotated[list[str], Query(max_length=20)] = [],  # noqa: B006 - never changed
    give: Annotated[list[str], Query(max_length=20)] = [],  # noqa: B006
) -> dict[str, object]:
    """What a selection would do, or why it cannot be played."""
    choice = chair.choice(take, give)
    return {"text": choice.text, "legal": choice.legal}


router.get("/events", response_class=EventSourceResponse)(events)


class Desk:
    """Does something at a table for a form, and answers with a page or with a part of one."""

    def __init__(
        self, request: Request, house: TheHouse, guest: TheGuest, game: str, x_fragment: Fragment = ""
    ) -> None:
        self.request = request
        self.house = house
        self.guest = guest
        self.game = game
        self.part = bool(x_fragment)

    def act(self, seat: int | None, do: Callable[[int], object]) -> Response:
        """Acts for the guest's seat."""
        acting = self.house.tables.acting_seat(self.game, self.guest.holder)
        if seat is not None and seat in self.house.tables.open(self.game).held_by(self.guest.holder):
            acting = seat
        try:
            do(acting)
        except (Stale, NotAllowed, IllegalMove) as error:
            status = 422 if isinstance(error, IllegalMove) else 409
            return self.show(seat, Choice(error.text(_)), status=status)
        return self.done()

    def done(self) -> Response:
        """The table after it."""
        after = Chair(self.house, self.guest, self.game)
        return after.page(self.request, "_table.html") if self.part else see_other(f"/game/{self.game}")

    def show(
        self,
        seat: int | None,
        choice: Choice,
        chosen: tuple[list[str], list[str]] = ([], []),
        status: int = 200,
        sure: bool = False,
    ) -> Response:
        """The table before it, with words."""
        chair = Chair(self.house, self.guest, self.game, seat)
        template = "_table.html" if self.part else "table.html"
        return chair.page(self.request, template, choice, chosen, status, sure)


TheDesk = Annotated[Desk, Depends()]


@router.post("/move")
def move(
    desk: TheDesk,
    ply: Annotated[int, Form()],
    take: Letters = [],  # noqa: B006 - never changed
    give: Letters = [],  # noqa: B006
    key: Text = "",
    sure: Text = "",
    seat: SeatField = None,
) -> Response:
    """Plays the selection; an illegal one comes back with the reason, and nothing is lost."""
    chair = Chair(desk.house, desk.guest, desk.game, seat)
    used = clean_key(key)
    choice = chair.choice(take, give)
    if choice.move is None:
        if used in desk.house.tables.open(desk.game).keys:
            return desk.done()  # the same form came twice
        if chair.seat is None:
            raise NotSeated
        return desk.show(seat, choice, (take, give), 422)
    if desk.request.state.settings.confirm and not sure:
        return desk.show(seat, choice, (take, give), sure=True)
    chosen = choice.move
    return desk.act(seat, lambda acting: desk.house.tables.submit(desk.game, acting, ply, chosen, used))


@router.post("/ready")
def ready(desk: TheDesk, key: Text = "", seat: SeatField = None) -> Response:
    """The score sheet was seen."""
    return desk.act(seat, lambda acting: desk.house.tables.ready(desk.game, acting, clean_key(key)))


@router.post("/undo")
def undo(desk: TheDesk, key: Text = "", seat: SeatField = None) -> Response:
    """Takes a move back, or asks for it."""
    return desk.act(seat, lambda acting: desk.house.tables.undo(desk.game, acting, clean_key(key)))


@router.post("/resign")
def resign(desk: TheDesk, key: Text = "", seat: SeatField = None) -> Response:
    """Gives up."""
    return desk.act(seat, lambda acting: desk.house.tables.resign(desk.game, acting, clean_key(key)))


@router.post("/agree")
def agree(desk: TheDesk, key: Text = "") -> Response:
    """Says yes to what the other asks."""
    return desk.act(None, lambda acting: desk.house.tables.answer(desk.game, acting, True, clean_key(key)))


@router.post("/decline")
def decline(desk: TheDesk, key: Text = "") -> Response:
    """Says no."""
    return desk.act(None, lambda acting: desk.house.tables.answer(desk.game, acting, False, clean_key(key)))


@router.post("/rematch")
def rematch(desk: TheDesk, house: TheHouse, guest: TheGuest, game: str, key: Text = "") -> Response:
    """Plays again; where nobody must agree, this goes to the new table."""
    answer = desk.act(None, lambda acting: house.tables.rematch(game, acting, clean_key(key)))
    new = house.tables.open(game).rematch
    return see_other(f"/game/{new}") if new and not desk.part else answer


@router.get("/invite.svg")
def invite_code(request: Request, chair: TheChair) -> Response:
    """The invitation as a QR code."""
    url = chair.invite_url(request)
    if not url:
        raise NotAllowed(N_("There is no free seat to invite to."))
    picture = io.BytesIO()
    segno.make(url, error="m").save(picture, kind="svg", scale=4, border=2, xmldecl=False, svgns=True, light="white")
    return Response(picture.getvalue(), media_type="image/svg+xml")


@router.get("/record")
def record(house: TheHouse, chair: TheChair) -> Response:
    """The record of a finished game, as a file."""
    text = str(house.tables.record(chair.game))
    headers = {"content-disposition": f'attachment; filename="{chair.game}.jaipur"'}
    return Response(text, media_type="text/plain; charset=utf-8", headers=headers)


@router.get("/replay")
def replay_start(chair: TheChair) -> RedirectResponse:
    """The first step of the replay."""
    return see_other(f"/game/{chair.game}/replay/0")


@router.get("/replay/{ply}")
def replay(request: Request, house: TheHouse, chair: TheChair, ply: int) -> HTMLResponse:
    """One step of the replay: with open hands when the match is over, else as this seat saw it."""
    seen, last = house.tables.replay(chair.game, chair.seat, ply)
    log = house.tables.look(chair.game, chair.seat).log
    context = {"seen": seen, "ply": ply, "last": last, "log": log, "bottom": chair.seat or 0}
    return house.pages.page(request, "replay.html", context)


@router.get("/verify")
def verify(request: Request, house: TheHouse, chair: TheChair) -> HTMLResponse:
    """Shows that the deck was fixed before the first move."""
    return house.pages.page(request, "verify.html", {"seen": chair.look(), "deals": house.tables.deals(chair.game)})
