"""The table as a page and as a part of one, and the forms on it."""

import io
from typing import Annotated, Any

import segno
from fastapi import APIRouter, Depends, Form, Header, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, RedirectResponse, Response

from jaipur.coach.advice import Hint
from jaipur.language import _
from jaipur.rules.errors import N_, IllegalMove, JaipurError, NotationError
from jaipur.rules.view import View
from jaipur.server.coach.hints import ShownHint, question, shown
from jaipur.server.config import LOCAL_HOSTS
from jaipur.server.edge.client_address import asking, owner_of
from jaipur.server.errors import status_of
from jaipur.server.lesson.lesson import lesson
from jaipur.server.play import actions
from jaipur.server.play.selection import Choice, read_choice, read_selection
from jaipur.server.play.viewer import Viewer, ViewerDep, events, open_viewer
from jaipur.server.render import table_context
from jaipur.server.services import GuestDep, ServicesDep, clean_key
from jaipur.server.site.pages import Text, see_other
from jaipur.table import GameKind, GameOver, NotAllowed, Seen, Speed, Stale, Table, hashed, invite_secret
from jaipur.table.checks import HINT_STEPS
from jaipur.table.seen.seen import see_deals, see_record, see_replay

router = APIRouter(prefix="/game/{game}", include_in_schema=False)

Letters = Annotated[list[str], Form(max_length=20)]
SeatField = Annotated[int | None, Form(ge=0, le=1)]
Fragment = Annotated[str, Header(alias="x-fragment")]
_REFUSALS = (Stale, GameOver, NotAllowed, IllegalMove, NotationError)
"""Errors that are shown at the table itself; any other gets a page of its own."""
_REPLAY_AROUND = 150
"""Moves listed before and after a step of a replay: all of a typical match, but only part of a long one."""
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
    advice = advice or viewer.services.hints.known(view)
    return None if advice is None else shown(advice, step, seen.market, seen.sides[1 - view.seat].called)


async def _earlier_advice(viewer: Viewer) -> Hint | None:
    """Advice for this position, if a hint was asked for here before."""
    view = viewer.view_to_move() if viewer.table.hint_step else None
    return None if view is None else await viewer.services.hints.find_again(view, owner_of(asking.get()))


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
    advice = await _earlier_advice(viewer)
    return await run_in_threadpool(show_table, request, viewer, "table/table.html", advice=advice)


@router.get("/table")
async def fragment(request: Request, viewer: ViewerDep) -> HTMLResponse:
    """The table alone, for the script that keeps a page fresh."""
    advice = await _earlier_advice(viewer)
    return await run_in_threadpool(show_table, request, viewer, "table/_table.html", advice=advice)


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


class FormAction:
    """Does what a form at the table asks, and answers with a page or part of one."""

    def __init__(self, request: Request, viewer: Viewer, key: str, part: bool) -> None:
        self.request = request
        self.viewer = viewer
        self.key = key
        self.part = part

    def run(self, action: actions.Action, where: str = "", advice: Hint | None = None) -> Response:
        """Acts for the guest's seat; a page without scripts then jumps to `where`."""
        try:
            after = action(self.viewer, self.key)
        except _REFUSALS as error:
            return self.refused(error)
        return self.done(after, where, advice)

    def done(self, after: Table, where: str = "", advice: Hint | None = None) -> Response:
        """The table after the action."""
        if not self.part:
            return see_other(f"/game/{self.viewer.game}{where}")
        return show_table(self.request, self.viewer.at(after), "table/_table.html", advice=advice)

    def refused(self, error: JaipurError, chosen: tuple[list[str], list[str]] = NO_CARDS) -> Response:
        """The table as it is now, with the reason for the refusal."""
        return self.show(self.viewer.now(), Choice(error.text(_)), chosen, status_of(error))

    def show(
        self, viewer: Viewer, choice: Choice, chosen: tuple[list[str], list[str]], status: int = 200, **also: Any
    ) -> Response:
        """A table with words about a choice, or with a question: whether to play it, or whether to leave the round."""
        template = "table/_table.html" if self.part else "table/table.html"
        return show_table(self.request, viewer, template, choice, chosen, status, **also)


async def _form_action(
    request: Request,
    services: ServicesDep,
    guest: GuestDep,
    game: str,
    key: Text = "",
    seat: SeatField = None,
    x_fragment: Fragment = "",
) -> FormAction:
    viewer = await open_viewer(services, guest, game, seat)
    if viewer.table.held_by(guest.holder):
        services.bot_workers.thinking.remember(game, request.state.settings.seconds)
    return FormAction(request, viewer, key, bool(x_fragment))


FormActionDep = Annotated[FormAction, Depends(_form_action)]


@router.post("/move")
async def move(
    form: FormActionDep,
    ply: Annotated[int, Form()],
    take: Letters = [],  # noqa: B006 - never changed
    give: Letters = [],  # noqa: B006
    sure: Text = "",
) -> Response:
    """Plays the selection; an illegal one comes back with the reason, and nothing is lost."""
    viewer = form.viewer
    if not sure and (view := viewer.view_to_move()) is not None:
        choice = read_choice(view, take, give)
        doubt = await _doubt(form, view, take, give) if choice.legal and ply == viewer.table.ply else ""
        if choice.legal and (doubt or form.request.state.settings.confirm):
            also: dict[str, Any] = {"sure": True, "doubt": doubt, "advice": await _earlier_advice(viewer)}
            return await run_in_threadpool(form.show, viewer, choice, (take, give), **also)
    return await run_in_threadpool(_play, form, ply, take, give)


async def _doubt(form: FormAction, view: View, take: list[str], give: list[str]) -> str:
    """What the tutor asks before a blunder against a bot: for those who want it, and for learners.

    It never questions what the lesson itself suggests.
    """
    viewer = form.viewer
    wanted = form.request.state.settings.tutor or viewer.table.kind is GameKind.GUIDED
    if not wanted or not viewer.table.coached or len(view.legal_moves()) == 1:
        return ""
    move = read_selection(take, give)
    seen = viewer.look()
    taught = lesson(seen)
    if taught is not None and taught.take + taught.give and read_selection([*taught.take], [*taught.give]) == move:
        return ""
    doubt = await viewer.services.hints.doubt(view, move, owner_of(asking.get()))
    return "" if doubt is None else question(doubt, seen.sides[1 - view.seat].called)


def _play(form: FormAction, ply: int, take: list[str], give: list[str]) -> Response:
    viewer = form.viewer
    try:
        return form.done(actions.move(viewer, ply, lambda: read_selection(take, give), form.key))
    except _REFUSALS as error:
        kept = (take, give) if isinstance(error, IllegalMove | NotationError) else NO_CARDS
        return form.refused(error, kept)


@router.post("/hint")
async def hint(form: FormActionDep, ply: Annotated[int, Form()]) -> Response:
    """One more step of a hint: the kind of move, then the cards, then the numbers. The game is marked as hinted."""
    viewer = form.viewer
    view, advice = viewer.view_to_move(), None
    try:
        if view is not None and ply == viewer.table.ply and viewer.table.coached:
            advice = await viewer.services.hints.find(view, owner_of(asking.get()))
    except NotAllowed as error:
        return await run_in_threadpool(form.refused, error)
    return await run_in_threadpool(
        form.run,
        lambda viewer, key: viewer.services.tables.hint(viewer.table, viewer.acting_seat, ply, clean_key(key)),
        "#hint",
        advice,
    )


@router.post("/ready")
def ready(form: FormActionDep) -> Response:
    """The score sheet was seen."""
    return form.run(actions.ready)


@router.post("/undo")
def undo(form: FormActionDep, sure: Text = "") -> Response:
    """Takes a move back, or asks the other player; if that leads into an earlier round, the page asks first."""
    seen = form.viewer.look()
    if seen.undo_round is not None and seen.undo_round < seen.round and not sure:
        return form.show(form.viewer, Choice(""), NO_CARDS, leaving_round=True)
    return form.run(actions.undo)


@router.post("/speed")
def speed(form: FormActionDep, speed: Annotated[Speed, Form()]) -> Response:
    """Pauses two bots, or tells them how fast to play."""
    return form.run(lambda viewer, key: actions.set_speed(viewer, speed, key))


@router.post("/redo")
def redo(form: FormActionDep) -> Response:
    """Replays what was taken back."""
    return form.run(actions.redo)


@router.post("/resign")
def resign(form: FormActionDep) -> Response:
    """Gives up the match."""
    return form.run(actions.resign)


@router.post("/share")
def share(form: FormActionDep) -> Response:
    """Shows the finished game to whoever has the link."""
    return form.run(actions.share)


@router.post("/agree")
def agree(form: FormActionDep) -> Response:
    """Says yes to the other player's request."""
    return form.run(actions.agree)


@router.post("/decline")
def decline(form: FormActionDep) -> Response:
    """Says no to the other player's request."""
    return form.run(actions.decline)


@router.post("/rematch")
def rematch(form: FormActionDep) -> Response:
    """Starts a rematch or asks for one; if nobody has to agree, goes to the new table."""
    answer = form.run(actions.rematch)
    new = form.viewer.now().table.rematch
    return see_other(f"/game/{new}") if new and not form.part else answer


@router.post("/emote")
def emote(form: FormActionDep, emote: Text) -> Response:
    """Says something polite."""
    return form.run(lambda viewer, key: actions.say(viewer, emote, key))


@router.get("/invite.svg")
def invite_code(request: Request, viewer: ViewerDep) -> Response:
    """The invitation as a QR code."""
    url = invite_url(request, viewer)
    if not url:
        raise NotAllowed(N_("There is no free seat to invite to."))
    picture = io.BytesIO()
    segno.make(url, error="m").save(picture, kind="svg", scale=4, border=2, xmldecl=False, svgns=True, light="white")
    return Response(picture.getvalue(), media_type="image/svg+xml")


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
